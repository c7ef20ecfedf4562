/** Subresources that lead into a running container: its kubelet would answer them, and nodes are not connected to. */
import type { Pod } from '../../api/generated/core-v1.js'
import type { SubresourceDefinition, SubresourceRequest } from '../../registry/subresource.js'
import type { RequestContext } from '../../server/context.js'
import { badRequest, notFound, unavailable } from '../../server/status.js'

export function noConnectionTo(node: string): Error {
  return unavailable(`error dialing backend: this server has no connection to node ${JSON.stringify(node)}`)
}

function findPod({ resource, namespace, name }: SubresourceRequest): Pod {
  const found = resource.get(namespace, name)
  if (!found) throw notFound({ group: '', resource: 'pods' }, name)
  return resource.parse(found)
}

/** The mistakes that are found before the node is asked, then the node that cannot be. */
function toContainer(pod: Pod, { query }: RequestContext): never {
  const { containers, initContainers, ephemeralContainers, nodeName } = pod.spec
  const { name } = pod.metadata
  const all = [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])].map(c => c.name)
  const wanted = query.get('container') ?? ''
  if (wanted === '' && (containers?.length ?? 0) > 1 && !pod.metadata.annotations?.['kubectl.kubernetes.io/default-container']) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`)
  }
  if (wanted !== '' && !all.includes(wanted)) throw badRequest(`container ${wanted} is not valid for pod ${name}`)
  if (!nodeName) throw badRequest(`pod ${name} does not have a host assigned`)
  throw noConnectionTo(nodeName)
}

const stream = (kind: string): SubresourceDefinition => ({
  kind: { group: '', version: 'v1', kind },
  type: 'core.v1.Pod',
  verbs: ['create', 'get'],
  async connect(request, context) {
    return toContainer(findPod(request), context)
  }
})

export const podConnections = {
  attach: stream('PodAttachOptions'),
  exec: stream('PodExecOptions'),
  log: { ...stream('Pod'), verbs: ['get'] },
  portforward: {
    ...stream('PodPortForwardOptions'),
    async connect(request) {
      const { metadata, spec } = findPod(request)
      if (!spec.nodeName) throw badRequest(`pod ${metadata.name} does not have a host assigned`)
      throw noConnectionTo(spec.nodeName)
    }
  },
  proxy: {
    ...stream('PodProxyOptions'),
    verbs: ['create', 'delete', 'get', 'patch', 'update'],
    async connect(request) {
      const name = request.name.replace(/^https?:|:[^:]*$/g, '')
      const pod = findPod({ ...request, name })
      if (!pod.status.podIP) throw badRequest('address not allowed')
      throw noConnectionTo(pod.spec.nodeName ?? '')
    }
  }
} satisfies Record<string, SubresourceDefinition>
