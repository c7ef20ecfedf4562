/** Writes the object, on condition that nobody else has done so meanwhile, or says with which step to begin again. */
import { alreadyExists, beingDeleted, generatedNameTaken } from '../../../apimachinery/status/status.js'
import { commitDelete, commitObject } from '../commit.js'
import { isStoredOtherwise, isUnchanged } from '../compare.js'
import { generateName } from './prepare.js'
import type { Encoded, Found, Missing, Outcome } from './value.js'

export async function insert(write: Encoded<Missing>): Promise<Outcome> {
  const { operation, object } = write
  const { resource, groupResource } = operation
  const written = await commitObject(operation, object, 0, true)
  if (written) return written
  if (lostToCompanion(write)) return 'prepare'
  const { name = '', generateName: base } = object.metadata
  if (write.names && --write.names.left > 0) {
    object.metadata.name = generateName(operation, base)
    return 'validate'
  }
  const current = resource.get(operation.namespace, name)
  const isReadable = current !== undefined && current.problem === undefined
  const deleting = isReadable && resource.parse(current).metadata.deletionTimestamp !== undefined
  if (base) throw generatedNameTaken(groupResource, name, deleting)
  throw deleting ? beingDeleted(groupResource, name) : alreadyExists(groupResource, name)
}

/** If another request has created the object meanwhile, the configuration is applied to that object. */
export async function insertOrApply(write: Encoded<Missing>): Promise<Outcome> {
  const { operation, object } = write
  const written = await commitObject(operation, object, 0, true)
  if (written) return written
  return lostToCompanion(write) ? 'prepare' : 'present'
}

/** Whether another object has got an address or port that this one chose, and not its name. */
function lostToCompanion({ operation, object }: Encoded<Missing>): boolean {
  const { resource, namespace } = operation
  return resource.kind.strategy?.companionWrites !== undefined && !resource.get(namespace, object.metadata.name!)
}

export async function replace(write: Encoded<Found>): Promise<Outcome> {
  const { operation, object, shown, current, encoded, isFinished } = write
  if (
    encoded &&
    !isFinished &&
    isUnchanged(operation, encoded, object, shown, current) &&
    !(await isStoredOtherwise(operation, current, shown))
  )
    return { object: shown, bytes: current.bytes, created: false }
  if (!isFinished) return (await commitObject(operation, object, current.revision, false, encoded)) ?? 'present'
  const { resource } = operation
  if ((await commitDelete(operation, current.name, current.revision)) === undefined) return 'present'
  resource.kind.deletion?.after?.(object, operation)
  return { object, bytes: undefined, created: false }
}
