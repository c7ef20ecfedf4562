/** Brings the object into the form in which it is stored. */
import { decode, settle } from '../../../apimachinery/schema/decode.js'
import type { AnyObject, KindDefinition } from '../../kind.js'
import { isUnread } from '../unread.js'
import type { Encoded, Found, Missing, Prepared } from './value.js'

export function encodeNew(write: Prepared<Missing>): Encoded<Missing> {
  readAgain(write)
  write.operation.resource.kind.strategy?.defaultStored?.(write.object)
  return settled(write)
}

export function encodeNewApplied(write: Prepared<Missing>): Encoded<Missing> {
  readAgain(write)
  const { strategy } = write.operation.resource.kind
  strategy?.defaultStored?.(write.object)
  strategy?.dropUnread?.(write.object)
  return settled(write)
}

function settled(write: Prepared<Missing>): Encoded<Missing> {
  const { resource } = write.operation
  settle(resource.type(resource.memoryVersion.name), write.object)
  return Object.assign(write, { encoded: undefined, isFinished: false })
}

export function encodeChanges(write: Prepared<Found>): Encoded<Found> {
  readAgain(write)
  const { operation } = write
  const { resource } = operation
  const type = resource.type(resource.memoryVersion.name)
  // a Scale sets replicas even where the schema of a custom resource has none: they are gone when the object is read again
  const object: AnyObject = operation.subresource === 'scale' && type.decoder ? decode(type, write.object).object : write.object
  const isFinished = isDeleted(resource.kind, object)
  // what is removed is not read from the store again
  if (!isFinished) settle(type, object)
  return Object.assign(write, { object, encoded: resource.form.encode(object), isFinished })
}

export function encodeApplied(write: Prepared<Found>): Encoded<Found> {
  write.operation.resource.kind.strategy?.dropUnread?.(write.object)
  return encodeChanges(write)
}

/** Reads what admission has made of a custom resource as its kind, as it comes back from the store. */
function readAgain(write: Prepared<Found | Missing>): void {
  const { operation, object } = write
  if (isUnread(object)) Object.assign(write, { object: operation.resource.kind.strategy!.readAgain!(object) })
}

/** Whether an object that is being deleted can be removed: it has no finalizer left, and its grace period is over. */
function isDeleted(kind: KindDefinition, object: AnyObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata
  return !!deletionTimestamp && !finalizers?.length && !deletionGracePeriodSeconds && !kind.deletion?.isHeld?.(object)
}
