import { update as verb } from '../../../registry/write/verbs.js'
import { expectedKind } from '../endpoint.js'
import { decodeObject } from './decode-object.js'
import { checkPlace } from './place.js'
import { recordObject } from './record-request.js'
import { type WriteRequest, writing } from './writing.js'

/** PUT of an object or of its status. */
export const update = writing({
  verb,
  options: 'UpdateOptions',
  async decode({ request, operation, options, body }: WriteRequest) {
    const { context } = request
    const object = await decodeObject(context, body, expectedKind(request), options.fieldValidation)
    recordObject(context, operation, object)
    checkPlace(request, object)
    return { object }
  }
})
