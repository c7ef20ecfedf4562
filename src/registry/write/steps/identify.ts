/** Checks which object the client means, and drops what only the server may set. */
import type { ObjectMeta } from '../../../apimachinery/api/generated/meta-v1.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import { dropDuplicateOwners } from '../admitted-object.js'
import { versionDigits, wrongUid } from '../preconditions.js'
import type { Drafted, Found, Identified, Missing } from './value.js'

/** A POST. */
export function identifyNew(write: Drafted<Missing>): Identified<Missing> {
  const identified = begin(write)
  dropDuplicateOwners(write.object, write.operation, false)
  return identified
}

/** A PUT of an object that does not exist yet. */
export function identifyNewByUpdate(write: Drafted<Missing>): Identified<Missing> {
  const { operation, name, object } = write
  const { uid, resourceVersion } = object.metadata
  versionDigits(resourceVersion)
  if (uid) throw wrongUid(operation, name, uid, undefined)
  dropVersion(write)
  return identifyNew(write)
}

/** An apply of an object that does not exist yet. */
export function identifyNewByApply(write: Drafted<Missing>): Identified<Missing> {
  versionDigits(write.object.metadata.resourceVersion)
  dropVersion(write)
  return begin(write)
}

function begin(write: Drafted<Missing>): Identified<Missing> {
  const { operation, object } = write
  const why = operation.resource.kind.strategy?.whyUncreatable?.()
  if (why !== undefined) throw forbidden(operation.groupResource, object.metadata.name ?? '', why)
  wipeSystemFields(object.metadata)
  return Object.assign(write, { given: undefined, mayLackVersion: false })
}

function dropVersion({ operation, object }: Drafted<Missing>): void {
  if (!operation.dryRun) delete object.metadata.resourceVersion
}

/** Removes the metadata that only the server may set. */
export function wipeSystemFields(meta: ObjectMeta): void {
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'] as const)
    delete meta[field]
}

/** A PUT: another uid is a failed precondition. */
export function identifyUpdated(write: Drafted<Found>): Identified<Found> {
  const { operation, name, object, old } = write
  const { uid } = object.metadata
  if (uid && uid !== old.metadata.uid) throw wrongUid(operation, name, uid, old.metadata.uid)
  dropDuplicateOwners(object, operation, false)
  return identifyPatched(write)
}

/** A patch: another uid is a change of an immutable field. */
export const identifyPatched = (write: Drafted<Found>): Identified<Found> =>
  Object.assign(write, { given: write.object.metadata.resourceVersion, mayLackVersion: false })

/** An apply, which need not say a version. One that is null or empty takes the present one away, as it takes any other value. */
export function identifyApplied(write: Drafted<Found>): Identified<Found> {
  const meta = write.object.metadata
  const given = meta.resourceVersion
  if (given === '') delete meta.resourceVersion
  else meta.resourceVersion = String(write.current.revision)
  return Object.assign(write, { given, mayLackVersion: given === undefined })
}
