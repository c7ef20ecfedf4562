import { checkBodyType } from '../../../apimachinery/formats/body.js'
import { create as verb } from '../../../registry/write/verbs.js'
import { type Endpoint, expectedKind } from '../endpoint.js'
import { decodeObject } from './decode-object.js'
import { checkNamespace } from './place.js'
import { review } from './question.js'
import { recordObject } from './record-request.js'
import { type WriteRequest, writing } from './writing.js'

const createObject = writing({
  verb,
  options: 'CreateOptions',
  checkHead: context => checkBodyType(context, context.header('content-type')),
  async decode({ request, operation, options, body }: WriteRequest) {
    const { context, resource } = request
    const object = await decodeObject(context, body, expectedKind(request), options.fieldValidation)
    recordObject(context, operation, object)
    checkNamespace(object.metadata, resource.namespaced, operation.namespace)
    return { object }
  }
})

/** POST. */
export const create: Endpoint = request => (request.resource.kind.virtual ? review(request) : createObject(request))
