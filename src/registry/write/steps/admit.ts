/** Asks mutating admission, and then whether the user may write what it has made of the object. */

import { checkAdmitted } from '../admitted-object.js'
import { checkResourceVersion, versionDigits } from '../preconditions.js'
import { checkScale } from '../scale-checks.js'
import type { Admitted, Found, Identified, Missing } from './value.js'

export async function admitNew(write: Identified<Missing>): Promise<Admitted<Missing>> {
  const { operation, object } = write
  // a webhook that renames the object is still asked about the name that the client gave
  const name = object.metadata.name ?? ''
  await operation.admission.admit(operation.attributes('CREATE', name, object, undefined))
  // an update that creates is still asked for the version that it expects
  if (write.permit) versionDigits(object.metadata.resourceVersion)
  checkAdmitted(object, operation)
  const pending = operation.resource.kind.strategy?.authorize?.(object, undefined, operation)
  if (pending) await pending
  return Object.assign(write, { name })
}

export async function admitChanges(write: Identified<Found>): Promise<Admitted<Found>> {
  const { operation, name, object, old, current, given, mayLackVersion } = write
  const sent = object.metadata.resourceVersion
  await operation.admission.admit(operation.attributes('UPDATE', name, object, old))
  // admission may have replaced the metadata, or changed the version
  const admitted = object.metadata.resourceVersion
  const required = admitted === sent ? given : admitted
  const present = String(current.revision)
  checkResourceVersion(operation, name, required, present, mayLackVersion && admitted === sent)
  object.metadata.resourceVersion = present
  checkAdmitted(object, operation)
  const pending = operation.resource.kind.strategy?.authorize?.(object, old, operation)
  if (pending) await pending
  return write
}

/** A Scale: it is checked as admission has left it. */
export async function admitScale(write: Identified<Found>): Promise<Admitted<Found>> {
  const admitted = await admitChanges(write)
  checkScale(write.operation, write.object, write.old)
  return admitted
}
