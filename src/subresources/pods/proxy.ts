import { badRequest } from '../../status/status.js'
import type { Implementation } from '../implementation.js'
import { parseProxyName } from '../proxy-name.js'
import { findPod } from './container.js'
import { noConnectionToNodeOf } from './node-connection.js'

export const proxyToPod: Implementation = {
  async connect(request) {
    const pod = findPod(request, parseProxyName(request.name, 'pod').name)
    if (!pod.status.podIP) throw badRequest('address not allowed')
    throw noConnectionToNodeOf(pod, request.operation.services)
  }
}
