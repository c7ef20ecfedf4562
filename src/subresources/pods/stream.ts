import type { Implementation } from '../implementation.js'
import { checkContainer, findPod } from './container.js'
import { noStreamTo } from './node-connection.js'
import { permitCreate } from './permission.js'

/** exec and attach */
export const podStream: Implementation = {
  async connect(request, context) {
    await permitCreate(request, context)
    const pod = findPod(request, request.name)
    checkContainer(pod, context.query)
    throw noStreamTo(pod, request, context)
  }
}
