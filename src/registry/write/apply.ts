/** Server-side apply to an object, without the handling of the request. */

import { type Application, type Applied, applying } from '../../apimachinery/fieldmanager/apply.js'
import { fieldSet, problemText } from '../../apimachinery/fieldmanager/field-set.js'
import type { FieldTree } from '../../apimachinery/fieldmanager/fields-v1.js'
import { withoutManagers } from '../../apimachinery/fieldmanager/fitting.js'
import { kubectl, updateAnnotation } from '../../apimachinery/fieldmanager/last-applied.js'
import { placeOf } from '../../apimachinery/fieldmanager/place.js'
import { converted } from '../../apimachinery/patch/conversion.js'
import { cloneDecoded, DecodeError } from '../../apimachinery/schema/decode.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import type { StructType } from '../../apimachinery/schema/model.js'
import { badRequest, plainError } from '../../apimachinery/status/status.js'
import { isObject, type JsonObject } from '../../util/json.js'
import { timestamp } from '../../util/time.js'
import type { Steps } from '../../util/turns.js'
import type { AnyObject } from '../kind.js'
import type { Operation } from './operation.js'
import { resetFields } from './reset-fields.js'
import type { Draft } from './steps/value.js'
import { becomeDocument } from './unread.js'

/**
 * Applies a configuration. Returns the new object with its managedFields. `current` is the present object in the version of the cache,
 * `live` the same in the operation's version; `current` is undefined when there is none. `check` sees the new object in the operation's
 * version, and may refuse it. A large object is applied in steps.
 */
export function* appliedTo(
  operation: Operation,
  live: AnyObject,
  given: JsonObject,
  force: boolean,
  check: (object: AnyObject) => void,
  current: AnyObject | undefined
): Steps<Draft> {
  const { resource, version } = operation
  const type = resource.type(version)
  const isUnmanaged = live.metadata.uid !== undefined && !live.metadata.managedFields?.length
  const checkUnmanaged = () => {
    if (isUnmanaged)
      checkLive(type, live, 'failed to create manager for existing fields: failed to convert new object', ' to smd typed')
  }
  const checkTyped = () => checkLive(type, live, 'failed to create typed live object')
  if (type.decoder) checkUnmanaged()
  yield
  const apiVersion = resource.apiVersion(version)
  const fields = unlessLiveIsWrong(checkUnmanaged, () => checkedFields(type, apiVersion, resource.kind.kind, given))
  const config = given.apiVersion === apiVersion ? given : { ...given, apiVersion }
  if (type.decoder) checkTyped()
  const application: Application = {
    type,
    live,
    config,
    fields,
    manager: operation.manager,
    now: timestamp(operation.now),
    force,
    reset: resetFields(operation),
    views: other => resource.view(other, version)
  }
  yield
  let applied: Applied
  try {
    applied = yield* applying(application)
  } catch (error) {
    checkUnmanaged()
    checkTyped()
    throw error
  }
  yield
  const isSame = applied.object === undefined
  // an unchanged object is not converted back from another version, because a conversion might change it
  const kept = isSame && current !== undefined
  const object = decoded(type, kept ? current : live, config, applied)
  if (operation.manager.name === kubectl) updateAnnotation(object, config)
  // only a resourceVersion in the configuration is a precondition
  const { resourceVersion } = (config.metadata ?? {}) as { resourceVersion?: unknown }
  if (resourceVersion === undefined) delete object.metadata.resourceVersion
  else object.metadata.resourceVersion ??= ''
  check(object)
  return { object, version: kept ? undefined : version, isSame }
}

/**
 * kube-apiserver looks at the live object first. An object of a built-in kind nearly always fits its type (an item without its key
 * may not), so it is only examined when something else has failed.
 */
function unlessLiveIsWrong<T>(check: () => void, compute: () => T): T {
  try {
    return compute()
  } catch (error) {
    check()
    throw error
  }
}

/** Returns the fields of the configuration. Throws when it is not of the type. */
export function checkedFields(type: StructType, apiVersion: string, kind: string, config: JsonObject): FieldTree {
  // "/v1" is the version v1 of the core group
  const named = apiVersion.includes('/') ? config.apiVersion : String(config.apiVersion).replace(/^\//, '')
  const isSame = config.kind === kind && named === apiVersion
  if (!isSame) throw badRequest(`invalid object type: ${kindText(config.apiVersion, config.kind)}`)
  const metadata = (config.metadata ?? {}) as { managedFields?: unknown }
  if (areEntries(metadata.managedFields)) throw badRequest('metadata.managedFields must be nil')
  const { fields, problems } = fieldSet(placeOf(type), config)
  if (problems.length === 0) return fields
  throw plainError(`failed to create typed patch object (${objectText(config)}): ${problemText(problems)}`)
}

/** Go sees no entries where one of them cannot be read; the type's own errors follow. */
function areEntries(managedFields: unknown): boolean {
  if (!Array.isArray(managedFields)) return false
  const type = loadSchema().type('meta.v1.ManagedFieldsEntry')
  try {
    return managedFields.every(entry => isObject(entry) && converted(type, { ...entry, fieldsV1: null }))
  } catch (error) {
    if (error instanceof DecodeError) return false
    throw error
  }
}

/** An object that was stored in another version, or before its definition changed, may not fit the type. Items may repeat. */
function checkLive(type: StructType, live: JsonObject, failure: string, goal = ''): void {
  const problems = fieldSet(placeOf(type), withoutManagers(live)).problems.filter(
    text => !text.includes(': duplicate entries for ')
  )
  if (problems.length > 0) throw plainError(`${failure} (${objectText(live)})${goal}: ${problemText(problems)}`)
}

/** "ns/name; apps/v1, Kind=Deployment" */
export function objectText({ apiVersion, kind, metadata }: JsonObject): string {
  const { namespace, name } = (metadata ?? {}) as { name?: unknown; namespace?: unknown }
  const part = (value: unknown) => (typeof value === 'string' ? value : '')
  return `${part(namespace)}/${part(name)}; ${kindText(apiVersion, kind)}`
}

/** "apps/v1, Kind=Deployment", "/v1, Kind=Pod" */
function kindText(apiVersion: unknown, kind: unknown): string {
  const text = typeof apiVersion === 'string' ? apiVersion : ''
  // Go reads no kind of an object whose apiVersion it cannot read
  if (text.split('/', 3).length > 2) return '/, Kind='
  return `${text.includes('/') ? text : `/${text}`}, Kind=${typeof kind === 'string' ? kind : ''}`
}

export function unconvertible(config: JsonObject, why: string) {
  return plainError(`failed to convert new object (${objectText(config)}) to proper version: ${why}`)
}

/** Decodes the applied object, and sets its managedFields. */
export function decoded(type: StructType, live: AnyObject, config: JsonObject, { object, managedFields }: Applied): AnyObject {
  let out: AnyObject
  try {
    out = object === undefined ? cloneDecoded(live) : converted(type, object).object
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const { apiVersion, kind } = config
    if (!type.decoder)
      throw unconvertible(config, `unable to convert unstructured object to ${kindText(apiVersion, kind)}: ${error.message}`)
    out = asUnread(object!, live.metadata.uid === undefined)
  }
  if (managedFields.length > 0) out.metadata.managedFields = [...managedFields]
  else delete out.metadata.managedFields
  return out
}

/** kube-apiserver reads the metadata of a custom resource only in its validation, and a new object has lost the time of a deletion by then. */
function asUnread({ metadata, ...rest }: JsonObject, isNew: boolean): AnyObject {
  const { deletionTimestamp: _, ...ofNew } = metadata as JsonObject
  const out = {} as AnyObject
  becomeDocument(out, { ...rest, metadata: isNew ? ofNew : metadata })
  return out
}
