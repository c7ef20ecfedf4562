/** Updates objects: computes the new object, admits, prepares and validates it, and starts again if another write came first. */

import { tracking } from '../../apimachinery/fieldmanager/managed-fields.js'
import { type VersionViews, withViews } from '../../apimachinery/fieldmanager/version-view.js'
import { largeBodyBytes } from '../../apimachinery/formats/body.js'
import { asSettled, settle } from '../../apimachinery/schema/decode.js'
import { asGiven } from '../../apimachinery/schema/given.js'
import { respelled } from '../../apimachinery/schema/quantities.js'
import { withRawText } from '../../apimachinery/schema/raw-values.js'
import { conflict, invalid, notFound, plainError, StatusError, staleResourceVersion } from '../../apimachinery/status/status.js'
import type { CachedObject } from '../../storage/cached-object.js'
import { equalJson, equalWritten, own } from '../../util/json.js'
import { timestamp } from '../../util/time.js'
import { nextTurn, type Steps } from '../../util/turns.js'
import { dropGatedFields } from '../gated-fields.js'
import { keepChangeableMeta, keepField } from '../keep.js'
import type { KindDefinition, KubeObject } from '../kind.js'
import { validateAccess } from './access.js'
import { checkAdmitted, dropDuplicateOwners } from './admitted-object.js'
import { commitDelete, commitObject } from './commit.js'
import { compareAndSwap } from './compare-and-swap.js'
import { create, isViewFailure } from './create.js'
import type { Operation, Written } from './operation.js'
import { resetFields } from './reset-fields.js'
import { statusOf, validateUpdate } from './validate-update.js'

export interface UpdateRequest {
  readonly name: string
  /**
   * Computes the new object, in the storage version; called again after a lost race. Must not change its argument. `isLarge`: it should give others turns.
   */
  compute(current: any, isLarge: boolean): any
  /** Returns the object to create when none exists, for requests that may create. */
  create?: (() => any) | undefined
  /** Throws when the user may not create. */
  readonly permitCreate?: () => Promise<void>
  /** Whether a wrong uid is a failed precondition (PUT), and not a change of an immutable field (PATCH). */
  readonly uidIsPrecondition?: boolean
  /** Whether `compute` tracks managedFields itself (apply). */
  readonly tracksFields?: boolean
}

export function update(operation: Operation, request: UpdateRequest): Promise<Written> {
  const attempt = (current: CachedObject | undefined) =>
    current ? tryUpdate(operation, request, current) : createInstead(operation, request)
  // like kube-apiserver, which takes what its cache has wherever it finds out when it writes that this was too old
  return compareAndSwap(operation, request.name, attempt, operation.dryRun)
}

/** A PUT or an apply of an object that does not exist yet. */
async function createInstead(operation: Operation, request: UpdateRequest): Promise<Written | undefined> {
  if (!request.create) throw notFound(operation.groupResource, request.name)
  const object = await request.create()
  versionDigits(object.metadata.resourceVersion)
  const { uid } = object.metadata
  if (uid && request.uidIsPrecondition) throw wrongUid(operation, request.name, uid, undefined)
  if (!operation.dryRun) delete object.metadata.resourceVersion
  try {
    return await create(operation, object, request.tracksFields, request.permitCreate)
  } catch (error) {
    // if another request has created the object meanwhile, the configuration is applied to that object
    if (!request.tracksFields || !isAlreadyExists(error)) throw error
    return undefined
  }
}

const isAlreadyExists = (error: unknown) => error instanceof StatusError && error.status.reason === 'AlreadyExists'

async function tryUpdate(operation: Operation, request: UpdateRequest, current: CachedObject): Promise<Written | undefined> {
  const { resource } = operation
  const { kind } = resource
  const shown = resource.parse(current)
  const old = kind.strategy?.withUnseen?.(shown) ?? shown
  // a small patch of a large object is as much work as a large body
  const isLarge = operation.isLarge || current.length > largeBodyBytes
  if (isLarge) await nextTurn()
  let object = await request.compute(old, isLarge)
  if (isLarge) await nextTurn()
  const meta = object.metadata
  if (meta.uid && meta.uid !== old.metadata.uid && request.uidIsPrecondition)
    throw wrongUid(operation, request.name, meta.uid, old.metadata.uid)
  const { resourceVersion } = meta
  if (request.tracksFields) meta.resourceVersion = String(current.revision)
  else {
    if (request.uidIsPrecondition) dropDuplicateOwners(object, operation, false)
    await track(operation, old, object, isLarge)
    if (isLarge) await nextTurn()
  }
  const sent = meta.resourceVersion
  await operation.admission.admit(operation.attributes('UPDATE', request.name, object, old))
  // admission may have changed the version
  const admitted = object.metadata.resourceVersion
  const given = admitted === sent ? resourceVersion : admitted
  const mayLackVersion = request.tracksFields === true && given === undefined
  checkResourceVersion(operation, request.name, given, String(current.revision), mayLackVersion)
  object.metadata.resourceVersion = String(current.revision)
  checkAdmitted(object, operation)
  const pending = kind.strategy?.authorize?.(object, old, operation)
  if (pending) await pending
  await prepare(operation, object, old)
  try {
    if (isLarge) await nextTurn()
    const validated = validateUpdate(operation, object, sameSpelling(operation, object, old))
    if (validated) await validated
    const access = validateAccess(operation, object, old)
    if (access) await access
    await operation.admission.validate(operation.attributes('UPDATE', request.name, object, old))
    if (isLarge) await nextTurn()
    const type = resource.type(resource.memoryVersion.name)
    // a Scale sets replicas even where the schema of a custom resource has none: they are gone when the object is read again
    if (operation.subresource === 'scale' && type.decoder) object = type.decoder(object).object
    if (request.tracksFields) kind.strategy?.dropUnread?.(object)
    const finished = isFinished(kind, object)
    // what is removed is not read from the store again
    if (!finished) settle(type, object)
    const encoded = resource.form.encode(object)
    if (isUnchanged(operation, encoded, object, shown, current) && !(await isStoredOtherwise(operation, current, shown)))
      return { object: shown, bytes: current.bytes, created: false }
    const written = finished
      ? await remove(operation, object, current)
      : await commitObject(operation, object, current.revision, false, encoded)
    if (written) return written
  } catch (error) {
    kind.strategy?.release?.(object, old, operation)
    throw error
  }
  kind.strategy?.release?.(object, old, operation)
  // the next attempt refuses the update if the client sent the resource version that is now stale
  return undefined
}

/**
 * Throws a 409 when the client's object has another resource version than the present one. `mayLackVersion`: an object without one is no
 * unconditional update.
 */
export function checkResourceVersion(
  operation: Operation,
  name: string,
  given: string | undefined,
  present: string,
  mayLackVersion: boolean
): void {
  if (given === present) return
  const digits = versionDigits(given)
  if (digits === present) return
  if (digits !== '') throw staleResourceVersion(operation.groupResource, name)
  const { allowUnconditionalUpdate: allowed = true } = operation.resource.kind.strategy ?? {}
  const isAllowed = typeof allowed === 'function' ? allowed(operation.version) : allowed
  if (isAllowed || (mayLackVersion && !given)) return
  const what = operation.groupResource
  const message = 'Invalid value: 0: must be specified for an update'
  throw invalid({ group: what.group, kind: what.resource }, name, `metadata.resourceVersion: ${message}`, [
    { reason: 'FieldValueInvalid', message, field: 'metadata.resourceVersion' }
  ])
}

/** Returns the digits of a version without leading zeros, so none for 0. Refuses what Go does not read as a uint64. */
function versionDigits(given = ''): string {
  if (given === '') return ''
  const digits = given.replace(/^0+/, '')
  const isTooLarge = () => digits.length > 20 || (digits.length > 19 && BigInt(digits) >= 2n ** 64n)
  const problem = !/^\d+$/.test(given) ? 'invalid syntax' : isTooLarge() ? 'value out of range' : ''
  if (problem) throw plainError(`strconv.ParseUint: parsing ${JSON.stringify(given)}: ${problem}`)
  return digits
}

export const wrongUid = (operation: Operation, name: string, given: string, uid: string | undefined) =>
  preconditionFailed(operation, name, `UID in precondition: ${given}, UID in object meta: ${uid ?? ''}`)

/** Makes the error of a precondition that kube-apiserver checks in its store. */
export function preconditionFailed(operation: Operation, name: string, what: string) {
  const { resource } = operation
  // a dry run does not reach the store, which adds its prefix to the key
  const prefix = operation.dryRun ? resource.prefix.slice(resource.store.root.length) : resource.prefix
  const key = prefix + resource.key(operation.namespace, name)
  return conflict(
    operation.groupResource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what}`
  )
}

/** Tracks managedFields. Leaves them as they were when an entry has a version that was removed, or into which the object does not fit. */
async function track(operation: Operation, old: any, object: any, isLarge: boolean): Promise<void> {
  const { managedFields } = object.metadata
  try {
    await withViews(() => {
      if (managedFields !== undefined) object.metadata.managedFields = managedFields
      return trackChanges(operation, old, object)
    }, isLarge)
  } catch (error) {
    if (!isViewFailure(error)) throw error
    const { managedFields: before } = old.metadata
    if (before) object.metadata.managedFields = before
    else delete object.metadata.managedFields
  }
}

function* trackChanges(operation: Operation, old: any, object: any): Steps<void> {
  const { resource, version } = operation
  const type = resource.type(version)
  const now = timestamp(operation.now)
  const reset = resetFields(operation)
  const views: VersionViews = other => resource.view(other, version)
  if (version === resource.memoryVersion.name)
    return yield* tracking(type, old, object, operation.manager, now, reset, views, operation.dryRun)
  const seen = resource.inVersion(object, version)
  yield* tracking(type, resource.inVersion(old, version), seen, operation.manager, now, reset, views, operation.dryRun)
  if (seen.metadata.managedFields) object.metadata.managedFields = seen.metadata.managedFields
  else delete object.metadata.managedFields
}

async function prepare(operation: Operation, object: any, old: any): Promise<void> {
  const { kind } = operation.resource
  const meta = object.metadata
  const before = old.metadata
  if (before.generation === undefined) delete meta.generation
  else meta.generation = before.generation
  // kube-apiserver drops it where it stores the object, which a dry run does not
  if (!operation.dryRun) delete meta.selfLink
  const early = typeof kind.generation === 'object' && kind.generation.beforeGates && generationChanged(operation, object, old)
  dropGatedFields(kind, operation.services.features, object, old)
  const subresource = own(kind.subresources?.others, operation.subresource)
  if (operation.subresource === 'status') prepareStatus(operation, object, old)
  else if (subresource?.prepareForUpdate) subresource.prepareForUpdate(object, old, operation)
  else {
    if (kind.subresources?.status) keepField(object, old, 'status')
    const pending = kind.strategy?.prepareForUpdate?.(object, old, operation)
    if (pending) await pending
    if (hasGeneration(operation) && (early || generationChanged(operation, object, old)))
      meta.generation = (before.generation ?? 0) + 1
  }
  // a kind's own preparation may replace the metadata
  const kept = object.metadata
  kept.uid ??= before.uid
  kept.creationTimestamp = before.creationTimestamp
  if (before.deletionTimestamp) kept.deletionTimestamp = before.deletionTimestamp
  if (before.deletionGracePeriodSeconds !== undefined) kept.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds
}

/** A status update changes the status and, as far as the kind allows it, metadata. */
function prepareStatus(operation: Operation, object: any, old: any): void {
  for (const field of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (field !== 'status' && field !== 'metadata' && field !== 'kind' && field !== 'apiVersion') keepField(object, old, field)
  }
  const definition = statusOf(operation)
  const { managedFields, resourceVersion } = object.metadata
  if (definition?.metadata === 'all but labels') keepField(object.metadata, old.metadata, 'labels')
  if (definition?.metadata === 'reset') keepChangeableMeta(object, old)
  if (definition?.metadata === 'none') {
    object.metadata = { ...old.metadata, resourceVersion }
    if (managedFields) object.metadata.managedFields = managedFields
    else delete object.metadata.managedFields
  }
  definition?.prepareForUpdate?.(object, old, operation)
}

const specOf = (object: any) => object.spec

/** Whether objects of the kind have a generation. */
export function hasGeneration({ resource: { kind }, services }: Operation): boolean {
  const { generation } = kind
  return typeof generation === 'object' && generation.gate ? services.features.enabled(generation.gate) : generation !== undefined
}

function generationChanged(operation: Operation, object: any, old: any): boolean {
  const { generation } = operation.resource.kind
  const { of: observed = specOf, emptyIsChange = false } = typeof generation === 'object' ? generation : {}
  const before = observed(comparable(operation, sameSpelling(operation, object, old)))
  return !equalJson(
    emptyIsChange ? asGiven(observed(object)) : observed(comparable(operation, settledForm(operation, object))),
    before
  )
}

const settledForm = ({ resource }: Operation, object: any) => asSettled(resource.type(resource.memoryVersion.name), object)

/** Returns the old object with quantities and the like spelled as in the new one, for comparisons. */
const sameSpelling = ({ resource }: Operation, object: any, old: any) =>
  resource.kind.custom ? old : respelled(resource.type(resource.memoryVersion.name), old, object)

/** Returns an object for comparisons that see raw values as Go does. */
const comparable = ({ resource }: Operation, object: any) =>
  resource.kind.custom ? object : withRawText(resource.type(resource.memoryVersion.name), object)

/**
 * Whether an update changes nothing, whatever the order of keys outside of raw values, so that it need not be written. An object that is stored in
 * another version than it would be now is written all the same: so clients migrate objects to a new storage version.
 */
function isUnchanged(operation: Operation, encoded: Buffer, object: KubeObject, old: KubeObject, current: CachedObject): boolean {
  const { resource, subresource } = operation
  if (current.stale) return false
  // objects of different length differ, which finds most changes cheaply; but a time may come to an entry that had none. Custom resources differ by what
  // they do not show, such as empty lists in metadata
  const isTimed = old.metadata.managedFields?.every(({ time }) => time !== undefined) ?? true
  const isExact = isTimed || (resource.kind.custom && subresource === '')
  if (isExact && resource.form.lengthAt(encoded, current.revision) !== current.length) return false
  return equalWritten(withoutTimes(comparable(operation, object)), withoutTimes(comparable(operation, old)))
}

/**
 * Whether kube-apiserver would store other bytes now: with other keys of encryption, which change without an event, or with defaults that a
 * new object lacks in its store.
 */
async function isStoredOtherwise({ resource, services }: Operation, { key }: CachedObject, object: KubeObject): Promise<boolean> {
  const { store, prefix, kind } = resource
  if (await store.isStale?.(prefix + key)) return true
  return kind.strategy?.isStoredLess?.(object, services.features) === true && (await store.get(prefix + key))?.version === 1
}

/** Returns the parts of an object that count as changes: the times of managedFields do not. */
function withoutTimes({ kind: _, apiVersion: __, metadata, ...rest }: any): object {
  const { managedFields, resourceVersion: ___, ...others } = metadata as KubeObject['metadata']
  return { metadata: { ...others, managedFields: managedFields?.map(({ time: _, ...entry }) => entry) }, ...rest }
}

/** Whether an object that is being deleted can be removed: it has no finalizer left, and its grace period is over. */
function isFinished(kind: KindDefinition, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata
  return !!deletionTimestamp && !finalizers?.length && !deletionGracePeriodSeconds && !kind.deletion?.isHeld?.(object)
}

async function remove(operation: Operation, object: any, current: CachedObject): Promise<Written | undefined> {
  if ((await commitDelete(operation, object.metadata.name, current.revision)) === undefined) return undefined
  operation.resource.kind.deletion?.after?.(object, operation)
  return { object, bytes: undefined, created: false }
}
