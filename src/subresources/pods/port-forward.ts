import { badRequest } from '../../status/status.js'
import type { Implementation } from '../implementation.js'
import { findPod } from './container.js'
import { noStreamTo } from './node-connection.js'
import { permitCreate } from './permission.js'

export const podPortForward: Implementation = {
  async connect(request, context) {
    for (const port of context.query.getAll('ports')) {
      if (!/^\d+$/.test(port))
        throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(port)}: invalid syntax`)
    }
    await permitCreate(request, context)
    throw noStreamTo(findPod(request, request.name), request, context)
  }
}
