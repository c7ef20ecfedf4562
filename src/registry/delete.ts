/** Deletion: preconditions, grace, finalizers and propagation as k8s.io/apiserver's registry applies them. */
import type { ObjectMeta } from '../api/generated/meta-v1.js'
import { conflict, forbidden, notFound, type StatusError } from '../server/status.js'
import type { CachedObject } from '../storage/cached-object.js'
import { exactJson } from '../util/exact-json.js'
import { addSeconds, timestamp } from '../util/time.js'
import { commitDelete, commitObject } from './commit.js'
import type { Operation } from './operation.js'

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined
  readonly orphanDependents?: boolean | undefined
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined
}

export interface Deleted {
  /** The object's last state, or its present one when it stays for now. In the storage version. */
  readonly object: any
  /** The cached bytes of a present state, where they are at hand. */
  readonly bytes: Buffer | undefined
  /** True when the object is gone. */
  readonly gone: boolean
}

const maxTries = 50

export async function deleteObject(operation: Operation, name: string, options: DeleteOptions): Promise<Deleted> {
  for (let tries = 1; ; tries++) {
    const current = operation.resource.get(operation.namespace, name)
    if (!current) throw notFound(operation.groupResource, name)
    const deleted = await tryDelete(operation, current, options)
    if (deleted) return deleted
    if (tries === maxTries) throw conflict(operation.groupResource, name, 'the object keeps changing; please try again')
  }
}

async function tryDelete(operation: Operation, current: CachedObject, options: DeleteOptions): Promise<Deleted | undefined> {
  const { resource } = operation
  const object = resource.parse(current)
  const { name } = current
  const why = resource.kind.whyUndeletable?.(object)
  if (why) throw forbidden(operation.groupResource, name, why)
  checkPreconditions(operation, object.metadata, options)
  const attributes = operation.attributes('DELETE', name, undefined, object)
  await operation.admission.admit(attributes)
  await operation.admission.validate(attributes)
  const unchanged: Deleted = { object, bytes: current.bytes, gone: false }
  // only an object that is being deleted already can stay as it is
  const before = object.metadata.deletionTimestamp ? exactJson(object) : undefined
  const grace = decideGrace(operation, object, options)
  if (grace === 'pending') return unchanged
  const finalizers = finalizersFor(operation, object.metadata, options)
  const finalizersChanged = finalizers.join() !== (object.metadata.finalizers ?? []).join()
  const held = finalizers.length > 0 || resource.kind.isHeld?.(object) === true
  if (grace === 'none' && !held) {
    if (!(await commitDelete(operation, name, current.revision))) return undefined
    resource.kind.afterDelete?.(object, operation)
    return { object, bytes: undefined, gone: true }
  }
  if (finalizers.length > 0) object.metadata.finalizers = finalizers
  else delete object.metadata.finalizers
  if (grace === 'none') markAsDeleting(object.metadata, operation.now, resource.kind.isHeld === undefined)
  resource.kind.prepareForDelete?.(object, operation)
  if (!finalizersChanged && before !== undefined && exactJson(object) === before) return unchanged
  const written = await commitObject(operation, object, current.revision, false)
  if (!written) return undefined
  if (grace === 'none' || held || grace > 0) return { object: written.object, bytes: written.bytes, gone: false }
  // without a grace period the object goes at once, after its last state was shown
  const last = operation.dryRun ? current : resource.get(operation.namespace, name)
  if (last && !(await commitDelete(operation, name, last.revision))) return undefined
  resource.kind.afterDelete?.(written.object, operation)
  return { object: written.object, bytes: written.bytes, gone: true }
}

function checkPreconditions(operation: Operation, meta: ObjectMeta, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {}
  const { isHeld } = operation.resource.kind
  // kinds with an end of their own (namespaces) leave this to the store
  if (isHeld && uid !== undefined && uid !== meta.uid)
    throw conflict(
      operation.groupResource,
      meta.name ?? '',
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${meta.uid}`
    )
  if (uid !== undefined && uid !== meta.uid) {
    throw failed(
      operation,
      meta,
      `the UID in the precondition (${uid}) does not match the UID in record (${meta.uid}). The object might have been deleted and then recreated`
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== meta.resourceVersion) {
    throw failed(
      operation,
      meta,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${meta.resourceVersion}). The object might have been modified`
    )
  }
}

/** Here kube-apiserver names the kind where the resource would stand. */
function failed({ groupKind: { group, kind } }: Operation, meta: ObjectMeta, why: string): StatusError {
  return conflict({ group, resource: kind }, meta.name ?? '', why)
}

/**
 * How long the object stays, and marks it: seconds; 'none' for kinds and objects that go at once; 'pending' when it is
 * going already and nothing changes.
 */
function decideGrace(operation: Operation, object: any, options: DeleteOptions): number | 'none' | 'pending' {
  const { kind } = operation.resource
  if (!kind.gracePeriod) return 'none'
  const meta: ObjectMeta = object.metadata
  const requested = options.gracePeriodSeconds
  if (meta.deletionTimestamp) {
    const pending = meta.deletionGracePeriodSeconds
    if (pending === undefined) return 'none'
    if (requested === undefined || requested >= pending)
      return pending === 0 && requested === 0 && !meta.finalizers?.length ? 0 : 'pending'
    const shorter = requested < 0 ? 1 : requested
    meta.deletionTimestamp = timestamp(addSeconds(addSeconds(Date.parse(meta.deletionTimestamp), shorter), -pending))
    meta.deletionGracePeriodSeconds = shorter
    return shorter
  }
  const seconds = kind.gracePeriod(object, requested)
  if (seconds === undefined) return 'none'
  meta.deletionTimestamp = timestamp(addSeconds(operation.now, seconds))
  meta.deletionGracePeriodSeconds = seconds
  if (meta.generation) meta.generation++
  return seconds
}

function markAsDeleting(meta: ObjectMeta, now: number, withGrace: boolean): void {
  if (!meta.deletionTimestamp) {
    meta.deletionTimestamp = timestamp(now)
    if (meta.generation && withGrace) meta.generation++
  }
  if (withGrace) meta.deletionGracePeriodSeconds = 0
}

/** The garbage collector's finalizers say what becomes of dependents. */
function finalizersFor(operation: Operation, meta: ObjectMeta, options: DeleteOptions): string[] {
  const present = meta.finalizers ?? []
  const others = present.filter(f => f !== 'orphan' && f !== 'foregroundDeletion')
  const policy = propagation(operation, present, options)
  if (policy === 'Orphan') return [...others, 'orphan']
  if (policy === 'Foreground') return [...others, 'foregroundDeletion']
  return others
}

function propagation(
  operation: Operation,
  present: readonly string[],
  options: DeleteOptions
): 'Orphan' | 'Background' | 'Foreground' {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background'
  if (options.propagationPolicy) return options.propagationPolicy
  if (present.includes('orphan')) return 'Orphan'
  if (present.includes('foregroundDeletion')) return 'Foreground'
  return operation.resource.kind.defaultPropagation?.(operation.version) ?? 'Background'
}
