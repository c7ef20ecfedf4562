/** Finds where the kubelet of a Pod serves its streams. */
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import type { Upstream } from '../../../transport/proxy/upstream.js'
import { escapedPath } from '../../../util/url-parts.js'
import { kubeletOf } from '../../nodes/kubelets.js'
import { goQuery } from '../../nodes/paths.js'
import type { SubresourceRequest } from '../implementation.js'

/** Throws 400 for a Pod that has no node yet. `parts` are those of the path after the name of the stream. */
export function streamLocation(
  { operation: { services } }: SubresourceRequest,
  pod: Pod,
  [stream, ...parts]: readonly string[],
  parameters: readonly (readonly [string, string])[]
): Upstream {
  const { name, namespace } = pod.metadata
  const { nodeName } = pod.spec
  if (!nodeName) throw badRequest(`pod ${name} does not have a host assigned`)
  return {
    dial: services.connections.kubelets,
    bytesPerSecond: services.connections.bytesPerSecond,
    target: kubeletOf(services, nodeName, 'pods'),
    path: escapedPath(`/${[stream, namespace, name, ...parts].join('/')}`),
    query: goQuery(parameters)
  }
}
