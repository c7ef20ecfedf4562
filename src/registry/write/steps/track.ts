/** Tracks who owns which fields (metadata.managedFields), in the version that the client sent. */
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { emptyObject } from '../../../apimachinery/fieldmanager/empty-object.js'
import { tracking } from '../../../apimachinery/fieldmanager/managed-fields.js'
import { type VersionViews, ViewError, withViews } from '../../../apimachinery/fieldmanager/version-view.js'
import { StoreUnavailableError } from '../../../storage/contract.js'
import { timestamp } from '../../../util/time.js'
import { atOnce, type Steps } from '../../../util/turns.js'
import type { Operation } from '../operation.js'
import { resetFields } from '../reset-fields.js'
import type { Found, Identified, Missing } from './value.js'

type ManagedFields = KubeObject['metadata']['managedFields']

/**
 * Returns a promise for large objects, and where the client has sent entries, too, which may be of versions that are converted
 * elsewhere.
 */
export const trackNew = ({ operation, object }: Identified<Missing>): Promise<void> | undefined => trackObject(operation, object)

export function trackObject(operation: Operation, object: KubeObject): Promise<void> | undefined {
  const sent = object.metadata.managedFields
  if ((sent && sent.length > 0) || operation.isLarge) return trackInSteps(operation, object, sent)
  try {
    atOnce(trackAll(operation, object))
  } catch (error) {
    untrack(object, error, undefined)
  }
  return undefined
}

async function trackInSteps(operation: Operation, object: KubeObject, sent: ManagedFields): Promise<void> {
  try {
    await withViews(() => {
      if (sent !== undefined) object.metadata.managedFields = sent
      return trackAll(operation, object)
    }, operation.isLarge)
  } catch (error) {
    // an object that cannot be seen in the version of an entry has no entries
    untrack(object, error, undefined)
  }
}

/** Leaves the entries as they were when one has a version that was removed, or into which the object does not fit. */
export async function trackChanges({ operation, object, old, isLarge }: Identified<Found>): Promise<void> {
  const sent = object.metadata.managedFields
  try {
    await withViews(() => {
      if (sent !== undefined) object.metadata.managedFields = sent
      return trackChanged(operation, old, object)
    }, isLarge)
  } catch (error) {
    untrack(object, error, old.metadata.managedFields)
  }
}

/** Throws an error again, unless it is that an object does not fit the version of an entry, or that the webhook fails that converts it. */
function untrack({ metadata }: KubeObject, error: unknown, before: ManagedFields): void {
  if (!(error instanceof ViewError || error instanceof StoreUnavailableError)) throw error
  if (before) metadata.managedFields = before
  else delete metadata.managedFields
}

function* trackAll(operation: Operation, object: KubeObject): Steps<void> {
  const { resource, version } = operation
  const type = resource.type(version)
  const now = timestamp(operation.now)
  // of entries that the client has sent
  const views: VersionViews = other => resource.view(other, version)
  yield* inVersion(operation, object, seen =>
    tracking(type, emptyObject(type), seen, operation.manager, now, resetFields(operation), views)
  )
}

function* trackChanged(operation: Operation, old: KubeObject, object: KubeObject): Steps<void> {
  const { resource, version } = operation
  const type = resource.type(version)
  const now = timestamp(operation.now)
  const reset = resetFields(operation)
  const views: VersionViews = other => resource.view(other, version)
  const before = resource.inVersion(old, version)
  yield* inVersion(operation, object, seen =>
    tracking(type, before, seen, operation.manager, now, reset, views, operation.dryRun)
  )
}

/** Tracks the object as it is in the version of the operation. */
function* inVersion({ resource, version }: Operation, object: KubeObject, track: (seen: KubeObject) => Steps<void>): Steps<void> {
  if (version === resource.memoryVersion.name) return yield* track(object)
  const seen: KubeObject = resource.inVersion(object, version)
  yield* track(seen)
  if (seen.metadata.managedFields) object.metadata.managedFields = seen.metadata.managedFields
  else delete object.metadata.managedFields
}
