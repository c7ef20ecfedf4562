import type { Implementation } from '../implementation.js'
import { checkContainer, findPod } from './container.js'
import { validateLogOptions } from './log-options.js'
import { noConnectionToNodeOf } from './node-connection.js'

export const podLog: Implementation = {
  async connect(request, { query }) {
    validateLogOptions(query, request.name)
    const pod = findPod(request, request.name)
    checkContainer(pod, query)
    if (!pod.spec.nodeName) return { status: 204, headers: {} }
    throw noConnectionToNodeOf(pod, request.operation.services)
  }
}
