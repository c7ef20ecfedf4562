import type { Implementation } from '../implementation.js'
import { checkContainer, findPod } from './container.js'
import { noStreamTo } from './node-connection.js'

/** exec and attach */
export const podStream: Implementation = {
  async connect(request, context) {
    const pod = findPod(request, request.name)
    checkContainer(pod, context.query)
    throw noStreamTo(pod, request, context)
  }
}
