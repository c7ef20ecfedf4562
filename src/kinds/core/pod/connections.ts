/** Subresources that lead into a running container: its kubelet would answer them, and nodes are not connected to. */
import type { Node, Pod } from '../../../api/generated/core-v1.js'
import type { Services } from '../../../registry/services.js'
import type { SubresourceDefinition, SubresourceRequest } from '../../../registry/subresource.js'
import type { RequestContext } from '../../../request/context.js'
import { badRequest, notFound, plainError, StatusError, unavailable } from '../../../status/status.js'
import { parseProxyName } from '../service/proxy-name.js'
import { validateLogOptions } from './log-options.js'

export function noConnectionTo({ metadata, status }: Node): Error {
  if (!status.addresses?.length) return plainError('no preferred addresses found; known addresses: []')
  return unavailable(`error dialing backend: this server has no connection to node ${JSON.stringify(metadata.name)}`)
}

/** The node of a Pod, of which an error says that it were a Pod. */
function noConnectionToNodeOf(pod: Pod, services: Services): Error {
  const name = pod.spec.nodeName ?? ''
  const nodes = services.registry.resource('', 'nodes')
  const found = nodes.get('', name)
  return found ? noConnectionTo(nodes.parse(found)) : notFound({ group: '', resource: 'pods' }, name)
}

const asksForUpgrade = (context: RequestContext) => /upgrade/i.test(context.header('connection') ?? '')

function findPod({ resource, namespace, name }: SubresourceRequest): Pod {
  const found = resource.get(namespace, name)
  if (!found) throw notFound({ group: '', resource: 'pods' }, name)
  return resource.parse(found)
}

/** The mistakes that are found before the node is asked, then the node that cannot be. */
function checkContainer(pod: Pod, query: URLSearchParams): void {
  const { containers, initContainers, ephemeralContainers } = pod.spec
  const { name } = pod.metadata
  const all = [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])].map(c => c.name)
  const wanted = query.get('container') ?? ''
  if (wanted === '' && (containers?.length ?? 0) > 1 && !pod.metadata.annotations?.['kubectl.kubernetes.io/default-container']) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`)
  }
  if (wanted !== '' && !all.includes(wanted)) throw badRequest(`container ${wanted} is not valid for pod ${name}`)
}

/** Where a stream would go. */
function toNode(pod: Pod, { context: { services } }: SubresourceRequest, context: RequestContext): Error {
  if (!pod.spec.nodeName) return badRequest(`pod ${pod.metadata.name} does not have a host assigned`)
  const error = noConnectionToNodeOf(pod, services)
  return error instanceof StatusError && error.code === 503 && !asksForUpgrade(context)
    ? badRequest('Upgrade request required')
    : error
}

const stream = (kind: string): SubresourceDefinition => ({
  kind: { group: '', version: 'v1', kind },
  type: 'core.v1.Pod',
  verbs: ['create', 'get'],
  async connect(request, context) {
    const pod = findPod(request)
    checkContainer(pod, context.query)
    throw toNode(pod, request, context)
  }
})

export const podConnections = {
  attach: stream('PodAttachOptions'),
  exec: stream('PodExecOptions'),
  log: {
    ...stream('Pod'),
    verbs: ['get'],
    async connect(request, { query }) {
      validateLogOptions(query, request.name)
      const pod = findPod(request)
      checkContainer(pod, query)
      if (!pod.spec.nodeName) return { status: 204, headers: {} }
      throw noConnectionToNodeOf(pod, request.context.services)
    }
  },
  portforward: {
    ...stream('PodPortForwardOptions'),
    async connect(request, context) {
      for (const port of context.query.getAll('ports')) {
        if (!/^\d+$/.test(port))
          throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(port)}: invalid syntax`)
      }
      throw toNode(findPod(request), request, context)
    }
  },
  proxy: {
    ...stream('PodProxyOptions'),
    verbs: ['create', 'delete', 'get', 'patch', 'update'],
    async connect(request) {
      const pod = findPod({ ...request, name: parseProxyName(request.name, 'pod').name })
      if (!pod.status.podIP) throw badRequest('address not allowed')
      throw noConnectionToNodeOf(pod, request.context.services)
    }
  }
} satisfies Record<string, SubresourceDefinition>
