/** Creates objects as k8s.io/apiserver's registry does: admission, strategy, validation, store. */
import { inTurns } from '../../apimachinery/cel/compile-turns.js'
import { emptyObject } from '../../apimachinery/fieldmanager/empty-object.js'
import { tracking } from '../../apimachinery/fieldmanager/managed-fields.js'
import { type VersionViews, ViewError, withViews } from '../../apimachinery/fieldmanager/version-view.js'
import { cloneDecoded } from '../../apimachinery/schema/decode.js'
import { alreadyExists, beingDeleted, forbidden, generatedNameTaken, plainError } from '../../apimachinery/status/status.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { invalidObject } from '../../apimachinery/validation/invalid.js'
import { validateGenericMeta, validateObjectMeta } from '../../apimachinery/validation/object-meta.js'
import { checkKind } from '../../apimachinery/validation/wrong-kind.js'
import { StoreUnavailableError } from '../../storage/contract.js'
import { timestamp } from '../../util/time.js'
import { atOnce, nextTurn, type Steps } from '../../util/turns.js'
import { usualCreateChecks } from '../checks.js'
import { dropGatedFields } from '../gated-fields.js'
import type { KindDefinition, KubeObject } from '../kind.js'
import { validateAccess } from './access.js'
import { checkAdmitted, dropDuplicateOwners } from './admitted-object.js'
import { commitObject } from './commit.js'
import type { Operation, Written } from './operation.js'
import { resetFields } from './reset-fields.js'
import { hasGeneration } from './update.js'
import { validateDeclared } from './validate-declared.js'

/** A longer generateName is cut to leave room for the suffix. */
const maxGenerateName = 58
/** How many names are generated before the server gives up because all were taken (KEP-4420). */
const generateNameTries = 8
/**
 * Stores a new object. `object` is decoded, has defaults and is in the storage version; it is changed. `tracked` means that it has
 * its managedFields already (apply). `permit` throws when the user may not create; it is called after validation.
 */
export async function create(operation: Operation, object: any, tracked = false, permit?: () => Promise<void>): Promise<Written> {
  const { resource } = operation
  let meta = object.metadata
  const why = resource.kind.strategy?.whyUncreatable?.()
  if (why !== undefined) throw forbidden(operation.groupResource, meta.name ?? '', why)
  wipeSystemFields(meta)
  if (!tracked) {
    dropDuplicateOwners(object, operation, false)
    const pending = track(operation, object)
    if (pending) await pending
    if (operation.isLarge) await nextTurn()
  }
  // a webhook that renames the object is still asked about the name that the client gave
  const requested = meta.name ?? ''
  await operation.admission.admit(operation.attributes('CREATE', requested, object, undefined))
  checkAdmitted(object, operation)
  // admission may have replaced the metadata
  meta = object.metadata
  const pending = resource.kind.strategy?.authorize?.(object, undefined, operation)
  if (pending) await pending
  const isGenerated = !meta.name && meta.generateName
  if (isGenerated) meta.name = generateName(operation, meta.generateName)
  // when another request has taken an address or port that the preparation chose, the next attempt starts from the draft
  const draft = object
  for (;;) {
    const written = await attempt(
      operation,
      resource.kind.strategy?.companionWrites ? cloneDecoded(draft) : draft,
      { requested, isGenerated: !!isGenerated },
      tracked,
      permit
    )
    if (written) return written
    operation.origin.throwIfAborted()
  }
}

/** Prepares, validates and stores an object. Returns undefined when another object got a value that the preparation chose. */
async function attempt(
  operation: Operation,
  object: any,
  { requested, isGenerated }: { readonly requested: string; readonly isGenerated: boolean },
  tracked: boolean,
  permit: (() => Promise<void>) | undefined
): Promise<Written | undefined> {
  const { resource } = operation
  const { kind } = resource
  await prepare(operation, object)
  const meta = object.metadata
  try {
    for (let names = 1; ; names++) {
      if (operation.isLarge) await nextTurn()
      const validating = inTurns(
        () => validate(operation, object),
        () => operation.origin.throwIfAborted()
      )
      if (validating) await validating
      if (operation.isLarge) await nextTurn()
      const access = validateAccess(operation, object, undefined)
      if (access) await access
      if (permit) await permit()
      await operation.admission.validate(operation.attributes('CREATE', requested || meta.name, object, undefined))
      if (!operation.dryRun && meta.resourceVersion && /^\d+$/.test(meta.resourceVersion) && Number(meta.resourceVersion) !== 0) {
        throw plainError('resourceVersion should not be set on objects to be created')
      }
      if (operation.isLarge) await nextTurn()
      kind.strategy?.defaultStored?.(object)
      if (tracked) kind.strategy?.dropUnread?.(object)
      const written = await commitObject(operation, object, 0, true)
      if (written) return written
      const current = resource.get(operation.namespace, meta.name)
      if (!current && kind.strategy?.companionWrites) break
      if (!isGenerated || names === generateNameTries) {
        const isReadable = current !== undefined && current.problem === undefined
        const deleting = isReadable && resource.parse(current).metadata.deletionTimestamp !== undefined
        if (meta.generateName) throw generatedNameTaken(operation.groupResource, meta.name, deleting)
        throw deleting ? beingDeleted(operation.groupResource, meta.name) : alreadyExists(operation.groupResource, meta.name)
      }
      meta.name = generateName(operation, meta.generateName)
    }
  } catch (error) {
    kind.strategy?.release?.(object, undefined, operation)
    throw error
  }
  kind.strategy?.release?.(object, undefined, operation)
  return undefined
}

function generateName(operation: Operation, base: string): string {
  if (operation.resource.kind.strategy?.takesGenerateName) return base
  return base.slice(0, maxGenerateName) + operation.services.random.suffix()
}

/**
 * Tracks managedFields in the version that the client sent. Returns a promise for large objects, and where the client has sent entries, too,
 * which may be of versions that are converted elsewhere.
 */
export function track(operation: Operation, object: any): Promise<void> | undefined {
  const { managedFields } = object.metadata
  if (managedFields?.length > 0 || operation.isLarge) return trackInSteps(operation, object, managedFields)
  try {
    atOnce(trackAll(operation, object))
  } catch (error) {
    untrack(object, error)
  }
  return undefined
}

async function trackInSteps(operation: Operation, object: any, managedFields: unknown): Promise<void> {
  try {
    await withViews(() => {
      if (managedFields !== undefined) object.metadata.managedFields = managedFields
      return trackAll(operation, object)
    }, operation.isLarge)
  } catch (error) {
    untrack(object, error)
  }
}

/** Whether an object does not fit the version of an entry, or the webhook fails that converts it. */
export const isViewFailure = (error: unknown): boolean => error instanceof ViewError || error instanceof StoreUnavailableError

/** An object that cannot be seen in the version of an entry has no entries. */
function untrack(object: any, error: unknown): void {
  if (!isViewFailure(error)) throw error
  delete object.metadata.managedFields
}

function* trackAll(operation: Operation, object: any): Steps<void> {
  const { resource, version } = operation
  const type = resource.type(version)
  const now = timestamp(operation.now)
  // of entries that the client has sent
  const views: VersionViews = other => resource.view(other, version)
  const trackIn = (seen: any) => tracking(type, emptyObject(type), seen, operation.manager, now, resetFields(operation), views)
  if (version === resource.memoryVersion.name) return yield* trackIn(object)
  const seen = resource.inVersion(object, version)
  yield* trackIn(seen)
  if (seen.metadata.managedFields) object.metadata.managedFields = seen.metadata.managedFields
  else delete object.metadata.managedFields
}

/** Removes the metadata that only the server may set. */
export function wipeSystemFields(meta: KubeObject['metadata']): void {
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'] as const)
    delete meta[field]
}

async function prepare(operation: Operation, object: any): Promise<void> {
  const { kind } = operation.resource
  const meta = object.metadata
  meta.uid = operation.services.random.uuid()
  meta.creationTimestamp = timestamp(operation.now)
  if (operation.resource.namespaced) meta.namespace = operation.namespace
  else delete meta.namespace
  if (hasGeneration(operation)) meta.generation = 1
  dropGatedFields(kind, operation.services.features, object)
  const pending = kind.strategy?.prepareForCreate?.(object, operation)
  if (pending) await pending
}

function validateMeta(kind: KindDefinition, object: any, errors: FieldErrors): void {
  if (kind.custom) errors.distinct(once => validateObjectMeta(kind, object, once))
  else validateObjectMeta(kind, object, errors)
}

function validate(operation: Operation, object: any): void {
  const { kind } = operation.resource
  const { strategy } = kind
  const errors = new FieldErrors(operation.services.features, operation.services.allowPrivileged)
  const other = checkKind(kind, object, errors)
  const usual = strategy?.createChecks ?? usualCreateChecks
  const checks = other ? usual.filter(check => check !== 'objectMeta') : usual
  errors.collect(() => {
    for (const check of checks) {
      if (check === 'objectMeta') validateMeta(kind, object, errors)
      else if (check === 'validate') strategy?.validate?.(object, errors, operation)
      else strategy?.validateCreate?.(object, errors, operation)
    }
    // an object whose metadata is valid for its kind is valid for all kinds, except for its generateName
    const isUnchecked = object.metadata.generateName || !checks.includes('objectMeta')
    if (isUnchecked && !errors.any) validateGenericMeta(object.metadata, errors)
    validateDeclared(operation, object, undefined, errors)
  })
  if (errors.any) throw invalidObject(other ?? operation.groupKind, object.metadata.name ?? '', errors)
  for (const warning of strategy?.warnings?.(object, undefined, operation) ?? []) operation.warn(warning)
}
