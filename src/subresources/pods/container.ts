/** Finds the Pod of a request for a log or a stream. */
import type { Pod } from '../../api/generated/core-v1.js'
import { badRequest, notFound } from '../../status/status.js'
import type { SubresourceRequest } from '../implementation.js'

export function findPod({ resource, namespace }: SubresourceRequest, name: string): Pod {
  const found = resource.get(namespace, name)
  if (!found) throw notFound({ group: '', resource: 'pods' }, name)
  return resource.parse(found)
}

/** Throws a 400 when the request names a container that the Pod does not have, or no container of several. */
export function checkContainer(pod: Pod, query: URLSearchParams): void {
  const { containers, initContainers, ephemeralContainers } = pod.spec
  const { name } = pod.metadata
  const all = [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])].map(c => c.name)
  const wanted = query.get('container') ?? ''
  if (wanted === '' && (containers?.length ?? 0) > 1 && !pod.metadata.annotations?.['kubectl.kubernetes.io/default-container']) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`)
  }
  if (wanted !== '' && !all.includes(wanted)) throw badRequest(`container ${wanted} is not valid for pod ${name}`)
}
