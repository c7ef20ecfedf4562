/** Deletes objects as k8s.io/apiserver's registry does: preconditions, grace period, finalizers and propagation. */
import type { ObjectMeta } from '../../apimachinery/api/generated/meta-v1.js'
import { emptyObject } from '../../apimachinery/fieldmanager/empty-object.js'
import { cloneDecoded } from '../../apimachinery/schema/decode.js'
import { conflict, forbidden, notFound, type StatusError } from '../../apimachinery/status/status.js'
import type { CachedObject } from '../../storage/cached-object.js'
import { exactJson } from '../../util/exact-json.js'
import { addSeconds, timestamp } from '../../util/time.js'
import { commitDelete, commitObject } from './commit.js'
import { compareAndSwap } from './compare-and-swap.js'
import type { DeleteOptions } from './delete-options.js'
import type { Operation } from './operation.js'
import { preconditionFailed } from './preconditions.js'

export interface Deleted {
  /** The object's last state, or its present state when it stays for now. In the storage version. */
  readonly object: any
  /** The cached bytes of the present state, if known. */
  readonly bytes: Buffer | undefined
  /** Whether the object was removed from the store. */
  readonly gone: boolean
  /** Whether a dry run has come as far as an update before the deletion, whose result kube-apiserver answers with. */
  readonly isUpdated?: boolean
}

/** `admitted` is told when admission has had its last word. A lost race asks it again. */
export function deleteObject(
  operation: Operation,
  name: string,
  options: DeleteOptions,
  admitted: () => void = () => {}
): Promise<Deleted> {
  const attempt = (current: CachedObject | undefined) => {
    if (!current) throw notFound(operation.groupResource, name)
    return tryDelete(operation, current, options, admitted)
  }
  return compareAndSwap(operation, name, attempt, true)
}

async function tryDelete(
  operation: Operation,
  current: CachedObject,
  options: DeleteOptions,
  admitted: () => void
): Promise<Deleted | undefined> {
  const { resource } = operation
  const object = resource.parse(current)
  const { name } = current
  // kube-apiserver's deletecollection skips this check
  const why = operation.request?.verb === 'deletecollection' ? undefined : resource.kind.deletion?.whyUndeletable?.(object)
  if (why) throw forbidden(operation.groupResource, name, why)
  checkPreconditions(operation, object.metadata, options)
  const unchanged: Deleted = { object, bytes: current.bytes, gone: false }
  const isHeld = resource.kind.deletion?.isHeld
  if (isHeld && object.metadata.deletionTimestamp && isHeld(object)) return unchanged
  if (isPending(operation, object.metadata, options)) return unchanged
  decideOptions(operation, object, options)
  await admit(operation, name, object)
  if (isHeld && !object.metadata.deletionTimestamp) return beginDeletion(operation, current, object, options)
  // a deletion can only leave an object unchanged that is being deleted already
  const before = object.metadata.deletionTimestamp ? exactJson(object) : undefined
  const grace = decideGrace(operation, object, options)
  const present: readonly string[] = object.metadata.finalizers ?? []
  const finalizers = operation.services.collectsGarbage
    ? finalizersFor(object.metadata, propagation(operation, present, options))
    : present
  const held = finalizers.length > 0
  if (grace === 'none' && !held) {
    // kube-apiserver finds out in an update that there is nothing to write, and has an object without fields by then
    if (present.length > 0) {
      if (operation.dryRun) return { object: unwritten(operation), bytes: undefined, gone: true, isUpdated: true }
      const { resourceVersion } = object.metadata
      // the version of an object that it has not written yet is empty
      if (options.preconditions?.resourceVersion !== undefined)
        throw preconditionFailed(
          operation,
          name,
          `ResourceVersion in precondition: , ResourceVersion in object meta: ${resourceVersion}`
        )
      await admit(operation, name, object)
    }
    admitted()
    const revision = await commitDelete(operation, name, current.revision)
    if (revision === undefined) return undefined
    return removed(operation, object, revision)
  }
  setFinalizers(object.metadata, finalizers)
  if (grace === 'none') markAsDeleting(object.metadata, operation.now)
  if (before !== undefined && exactJson(object) === before) return unchanged
  const isFinal = grace === 0 && !held
  // a set writes each key once: its watchers do not see the last state
  if (operation.services.committer && isFinal) {
    await admit(operation, name, object)
    const revision = await commitDelete(operation, name, current.revision)
    if (revision === undefined) return undefined
    return removed(operation, object, revision)
  }
  if (!isFinal) admitted()
  const written = await commitObject(operation, object, current.revision, false)
  if (!written) return undefined
  if (!isFinal) return { object: written.object, bytes: written.bytes, gone: false }
  if (operation.dryRun) return { ...removed(operation, written.object, undefined), isUpdated: true }
  // without a grace period the object is removed at once, after its last state was written for watchers
  await admit(operation, name, written.object)
  admitted()
  const last = resource.get(operation.namespace, name)
  const revision = last && (await commitDelete(operation, name, last.revision))
  if (last && revision === undefined) return undefined
  return removed(operation, written.object, revision)
}

/** Asks admission, which is asked about each step of a deletion. */
async function admit(operation: Operation, name: string, object: any): Promise<void> {
  // admission sees no name in a deletecollection
  const named = operation.request.verb === 'deletecollection' ? '' : name
  const attributes = operation.attributes('DELETE', named, undefined, object)
  await operation.admission.admit(attributes)
  await operation.admission.validate(attributes)
}

/** Decides the grace period that admission sees. In a deletecollection it sees the options of all objects, as they were sent. */
function decideOptions(operation: Operation, object: any, options: DeleteOptions): void {
  if (operation.request.verb === 'deletecollection') return
  const { deletion } = operation.resource.kind
  const requested = shortest(options.gracePeriodSeconds)
  const decided = object.metadata.deletionTimestamp ? requested : (deletion?.gracePeriod?.(object, requested) ?? requested)
  if (decided !== options.gracePeriodSeconds)
    operation.deleteOptions = { ...operation.deleteOptions, gracePeriodSeconds: decided }
}

/** The object of a kind without any field. */
function unwritten({ resource }: Operation): any {
  const { apiVersion, kind } = { apiVersion: resource.apiVersion(resource.memoryVersion.name), kind: resource.kind.kind }
  const object = { ...cloneDecoded(emptyObject(resource.type(resource.memoryVersion.name))), apiVersion, kind }
  resource.kind.empty?.(object)
  return object
}

/** The object as it was last, under the revision of its deletion. A dry run has none of its own. */
function removed(operation: Operation, object: any, revision: number | undefined): Deleted {
  operation.resource.kind.deletion?.after?.(object, operation)
  if (revision !== undefined && !operation.dryRun) object.metadata.resourceVersion = String(revision)
  return { object, bytes: undefined, gone: true }
}

/** Begins the deletion of a held object (a namespace). A controller removes the hold, and then the object. */
async function beginDeletion(
  operation: Operation,
  current: CachedObject,
  object: any,
  options: DeleteOptions
): Promise<Deleted | undefined> {
  const { orphanDependents } = options
  const present: readonly string[] = object.metadata.finalizers ?? []
  // kube-apiserver takes false for Foreground here
  const policy = orphanDependents === false ? 'Foreground' : propagation(operation, present, options)
  if (!operation.resource.kind.deletion?.heldWithoutDependents) {
    const wanted = finalizersFor(object.metadata, policy)
    // those that change are a set here
    if (wanted !== present) setFinalizers(object.metadata, [...new Set(wanted)])
  }
  object.metadata.deletionTimestamp = timestamp(operation.now)
  operation.resource.kind.deletion?.prepare?.(object, operation)
  const written = await commitObject(operation, object, current.revision, false)
  return written && { object: written.object, bytes: written.bytes, gone: false }
}

export function checkPreconditions(operation: Operation, meta: ObjectMeta, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {}
  const otherUid = uid !== undefined && uid !== meta.uid
  const otherVersion = resourceVersion !== undefined && resourceVersion !== meta.resourceVersion
  if (!otherUid && !otherVersion) return
  const { deletion } = operation.resource.kind
  if (deletion?.isHeld) {
    const what = otherUid
      ? `UID in precondition: ${uid}, UID in object meta: ${meta.uid}`
      : `ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${meta.resourceVersion}`
    // for definitions in lower case
    const word = deletion.heldWithoutDependents ? 'precondition' : 'Precondition'
    throw conflict(operation.groupResource, meta.name ?? '', `${word} failed: ${what}`)
  }
  throw failed(
    operation,
    meta,
    otherUid
      ? `the UID in the precondition (${uid}) does not match the UID in record (${meta.uid}). The object might have been deleted and then recreated`
      : `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${meta.resourceVersion}). The object might have been modified`
  )
}

/** Makes the error of an unmet precondition, in which kube-apiserver names the kind in place of the resource. */
function failed({ groupKind: { group, kind } }: Operation, meta: ObjectMeta, why: string): StatusError {
  return conflict({ group, resource: kind }, meta.name ?? '', why)
}

/** A negative grace period means the shortest, one second. */
const shortest = (seconds: number | undefined) => (seconds !== undefined && seconds < 0 ? 1 : seconds)

/** Whether an object is being deleted already, and not later than requested. */
function isPending({ resource }: Operation, meta: ObjectMeta, options: DeleteOptions): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds: pending } = meta
  if (!resource.kind.deletion?.gracePeriod || !deletionTimestamp || !pending) return false
  const requested = shortest(options.gracePeriodSeconds)
  return requested === undefined || requested >= pending
}

/** Returns the grace period in seconds, and sets it in the object; 'none' when the object is removed at once. */
function decideGrace(operation: Operation, object: any, options: DeleteOptions): number | 'none' {
  const gracePeriod = operation.resource.kind.deletion?.gracePeriod
  if (!gracePeriod) return 'none'
  const meta: ObjectMeta = object.metadata
  const requested = shortest(options.gracePeriodSeconds)
  if (meta.deletionTimestamp) {
    const pending = meta.deletionGracePeriodSeconds
    if (!pending || requested === undefined) return 'none'
    const end = addSeconds(addSeconds(Date.parse(meta.deletionTimestamp), -pending), requested)
    const passed = end < operation.now
    const seconds = passed && requested !== 0 ? 1 : requested
    meta.deletionTimestamp = timestamp(passed ? operation.now : end)
    meta.deletionGracePeriodSeconds = seconds
    return seconds
  }
  const seconds = gracePeriod(object, requested)
  if (seconds === undefined) return 'none'
  meta.deletionTimestamp = timestamp(addSeconds(operation.now, seconds))
  meta.deletionGracePeriodSeconds = seconds
  if (meta.generation) meta.generation++
  return seconds
}

function markAsDeleting(meta: ObjectMeta, now: number): void {
  if (!meta.deletionTimestamp && meta.generation) meta.generation++
  if (!meta.deletionTimestamp || Date.parse(meta.deletionTimestamp) > now) meta.deletionTimestamp = timestamp(now)
  meta.deletionGracePeriodSeconds = 0
}

type Propagation = 'Orphan' | 'Background' | 'Foreground'

/** Returns the finalizers with those that tell the garbage collector what to do with dependents. */
function finalizersFor(meta: ObjectMeta, policy: Propagation): readonly string[] {
  const present = meta.finalizers ?? []
  const others = present.filter(f => f !== 'orphan' && f !== 'foregroundDeletion')
  const wanted = policy === 'Background' ? others : [...others, policy === 'Orphan' ? 'orphan' : 'foregroundDeletion']
  const before = new Set(present)
  const same = new Set(wanted).size === before.size && wanted.every(f => before.has(f))
  return same ? present : wanted
}

function setFinalizers(meta: ObjectMeta, finalizers: readonly string[]): void {
  if (finalizers.length > 0) meta.finalizers = [...finalizers]
  else delete meta.finalizers
}

function propagation(operation: Operation, present: readonly string[], options: DeleteOptions): Propagation {
  const usual = operation.resource.kind.deletion?.defaultPropagation?.(operation.version) ?? 'Background'
  if (usual === 'Unsupported') return 'Background'
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background'
  if (options.propagationPolicy) return options.propagationPolicy
  if (present.includes('orphan')) return 'Orphan'
  if (present.includes('foregroundDeletion')) return 'Foreground'
  return usual
}
