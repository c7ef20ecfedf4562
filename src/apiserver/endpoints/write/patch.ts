import { largeBodyBytes } from '../../../apimachinery/formats/body-format.js'
import { checkValueCount } from '../../../apimachinery/formats/value-limit.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import type { AnyObject } from '../../../registry/kind.js'
import type { Resource } from '../../../registry/resource.js'
import { patch as verb } from '../../../registry/write/verbs.js'
import type { Endpoint } from '../endpoint.js'
import { apply } from './apply.js'
import { apiVersionOf } from './decode-object.js'
import type { PatchedObject } from './decode-patched.js'
import { isApplyType, patchTypeOf } from './patch-type.js'
import { makePatcher, type Patcher } from './patcher.js'
import { checkPlace } from './place.js'
import { recordPatch } from './record-request.js'
import { type WriteRequest, writing } from './writing.js'

/** A JSON Patch with more operations gives turns to others. */
const manyOperations = 100

const patchObject = writing({
  verb,
  options: 'PatchOptions',
  checkBody: checkValueCount,
  decode({ request, operation, options, body }: WriteRequest) {
    const { context, resource } = request
    const { version } = operation
    const text = body.toString('utf8')
    context.isLarge = text.length > largeBodyBytes
    // audit records patches as JSON, so kube-apiserver looks at their syntax before all else
    if (!isJson(text)) throw badRequest('invalid JSON patch')
    recordPatch(context, body)
    // decoded only then, because a missing object is reported before a malformed patch
    let patcher: Patcher | undefined
    const finish = ({ object, unconverted }: PatchedObject) => {
      checkPlace(request, object)
      return { object, version: versionOf(resource, object) ?? version, unconverted }
    }
    return {
      patch(live: AnyObject) {
        patcher ??= makePatcher(context, patchTypeOf(context, resource), text, resource.type(version), options, manyOperations)
        const patched = patcher(live)
        return patched instanceof Promise ? patched.then(finish) : finish(patched)
      }
    }
  }
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A patch may have made an object of another version of its kind. */
const versionOf = ({ kind, group }: Resource, { apiVersion }: AnyObject) =>
  kind.custom ? undefined : kind.versions.find(({ name }) => apiVersionOf({ group, version: name }) === apiVersion)?.name

/** PATCH with a JSON Patch, a merge patch or a strategic merge patch, or an applied configuration. */
export const patch: Endpoint = request =>
  isApplyType(patchTypeOf(request.context, request.resource)) ? apply(request) : patchObject(request)
