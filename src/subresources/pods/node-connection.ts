/** The errors of requests that kube-apiserver passes to a kubelet: this server does not connect to nodes. */

import type { Node, Pod } from '../../api/generated/core-v1.js'
import * as refs from '../../api/resources.js'
import type { Services } from '../../registry/services.js'
import type { RequestContext } from '../../request/context.js'
import { badRequest, notFound, plainError, StatusError, unavailable } from '../../status/status.js'
import type { SubresourceRequest } from '../implementation.js'

export function noConnectionTo({ metadata, status }: Node): Error {
  if (!status.addresses?.length) return plainError('no preferred addresses found; known addresses: []')
  return unavailable(`error dialing backend: this server has no connection to node ${JSON.stringify(metadata.name)}`)
}

/** Makes the error for a Pod's node. kube-apiserver's 404 for a missing node names a Pod. */
export function noConnectionToNodeOf(pod: Pod, services: Services): Error {
  const name = pod.spec.nodeName ?? ''
  const nodes = services.registry.of(refs.nodes)
  const found = nodes.get('', name)
  return found ? noConnectionTo(nodes.parse(found)) : notFound({ group: '', resource: 'pods' }, name)
}

const asksForUpgrade = (context: RequestContext) => /upgrade/i.test(context.header('connection') ?? '')

/** Makes the error of a stream to a Pod's node. */
export function noStreamTo(pod: Pod, { operation: { services } }: SubresourceRequest, context: RequestContext): Error {
  if (!pod.spec.nodeName) return badRequest(`pod ${pod.metadata.name} does not have a host assigned`)
  const error = noConnectionToNodeOf(pod, services)
  return error instanceof StatusError && error.code === 503 && !asksForUpgrade(context)
    ? badRequest('Upgrade request required')
    : error
}
