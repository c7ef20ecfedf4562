/** The paths of a Pod's subresources. */
import type { KubeClient, ObjectName } from '../types.js'

export type Parameters = readonly (readonly [string, string | number | boolean | undefined])[]

/** Parameters that are undefined or false are left out. */
export function podPath(
  client: KubeClient,
  pod: ObjectName,
  subresource: string,
  namespace: string | undefined,
  parameters: Parameters
): string {
  const metadata = typeof pod === 'string' ? { name: pod } : pod.metadata
  const within = namespace ?? ('namespace' in metadata ? metadata.namespace : undefined) ?? client.namespace
  if (!metadata.name) throw new TypeError('the Pod has no name in its metadata')
  const query = new URLSearchParams()
  for (const [name, value] of parameters) if (value !== undefined && value !== false) query.append(name, String(value))
  const path = `/api/v1/namespaces/${encodeURIComponent(within)}/pods/${encodeURIComponent(metadata.name)}/${subresource}`
  return query.size === 0 ? path : `${path}?${query}`
}
