import { largeBodyBytes } from '../../../apimachinery/formats/body.js'
import { checkValueCount } from '../../../apimachinery/formats/value-limit.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import type { Resource } from '../../../registry/resource.js'
import { update as store } from '../../../registry/write/update.js'
import { cloneJson } from '../../../util/json.js'
import { type Endpoint, type EndpointRequest, operationFor, requestedForm } from '../endpoint.js'
import { respondStored } from '../objects.js'
import { apply } from './apply.js'
import { checkNamespace } from './create.js'
import { apiVersionOf, maxBodyBytes } from './decode-object.js'
import { writeOptions } from './options.js'
import { isApplyType, patchTypeOf } from './patch-type.js'
import { makePatcher, type Patcher } from './patcher.js'
import { recordPatch } from './record-request.js'
import { checkName } from './update.js'

/** A JSON Patch with more operations gives turns to others. */
const manyOperations = 100

/** PATCH with a JSON Patch, a merge patch or a strategic merge patch, or an applied configuration. */
export const patch: Endpoint = async request => {
  const { context, resource, services } = request
  const mediaType = patchTypeOf(context, resource)
  if (isApplyType(mediaType)) return apply(request)
  const form = requestedForm(request)
  const body = await readPatch(context)
  const text = body.toString('utf8')
  context.isLarge = text.length > largeBodyBytes
  const options = writeOptions(context.query, 'PatchOptions')
  recordPatch(context, body)
  const operation = operationFor(request, options)
  const { version, name } = context.info
  // decoded only now, because a missing object is reported before a malformed patch
  let patcher: Patcher | undefined
  const written = await store(operation, {
    name,
    compute(current) {
      patcher ??= makePatcher(context, mediaType, text, resource.type(version), options, manyOperations)
      const patched = patcher(version === resource.memoryVersion.name ? current : resource.inVersion(cloneJson(current), version))
      const finish = (object: any) => {
        checkPatched(request, object)
        const stored = resource.toStorage(object, versionOf(resource, object) ?? version)
        resource.kind.strategy?.default?.(stored, operation)
        return stored
      }
      return patched instanceof Promise ? patched.then(finish) : finish(patched)
    }
  })
  return respondStored(context, form, resource, written, services.clock.now())
}

/** A patch may have made an object of another version of its kind. */
const versionOf = ({ kind, group }: Resource, { apiVersion }: { apiVersion: string }) =>
  kind.custom
    ? undefined
    : kind.versions.find(({ name }: { name: string }) => apiVersionOf({ group, version: name }) === apiVersion)?.name

/** Throws 400 for a patch that changes the object's name or namespace. */
function checkPatched({ context, resource }: EndpointRequest, object: any): void {
  checkNamespace(object.metadata, resource.namespaced, context.info.namespace)
  checkName(object.metadata.name, context.info.name)
}

/** Reads a patch. Throws 413 when it holds too many values. */
export async function readPatch(context: RequestContext): Promise<Buffer> {
  const body = await context.readBody(maxBodyBytes)
  checkValueCount(body)
  return body
}
