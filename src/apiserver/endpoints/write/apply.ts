/** PATCH with an applied configuration: server-side apply. Creates an object that does not exist, except through most subresources. */
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { largeBodyBytes } from '../../../apimachinery/formats/body-format.js'
import { conflict } from '../../../apimachinery/status/status.js'
import { apply as verb } from '../../../registry/write/verbs.js'
import { readConfiguration } from './apply-body.js'
import { checkPlace } from './place.js'
import { recordPatch } from './record-request.js'
import { type WriteRequest, writing } from './writing.js'

export const apply = writing({
  verb,
  options: 'apply',
  async decode({ request, operation, options, body }: WriteRequest) {
    const { context } = request
    recordPatch(context, body)
    const { value, checkDuplicates } = await readConfiguration(request, body, options.fieldValidation)
    context.isLarge = body.length > largeBodyBytes
    const check = (object: KubeObject, isNew: boolean) => {
      checkDuplicates()
      const { uid } = object.metadata
      if (!isNew || !uid) return checkPlace(request, object)
      // what has a uid cannot be created, whatever its name
      const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
      throw conflict(operation.groupResource, context.info.name, why)
    }
    return { config: value, force: options.force, check }
  }
})
