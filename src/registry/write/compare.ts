/** Compares the new object with the present one. */

import { respelled } from '../../apimachinery/schema/quantities.js'
import { withRawText } from '../../apimachinery/schema/raw-values.js'
import type { CachedObject } from '../../storage/cached-object.js'
import { equalWritten } from '../../util/json.js'
import type { AnyObject } from '../kind.js'
import type { Operation } from './operation.js'

/** Returns the old object with quantities and the like spelled as in the new one, for comparisons. */
export const sameSpelling = ({ resource }: Operation, object: AnyObject, old: AnyObject): AnyObject =>
  resource.kind.custom ? old : respelled(resource.type(resource.memoryVersion.name), old, object)

/** Returns an object for comparisons that see raw values as Go does. */
export const comparable = ({ resource }: Operation, object: AnyObject): AnyObject =>
  resource.kind.custom ? object : (withRawText(resource.type(resource.memoryVersion.name), object) as AnyObject)

/**
 * Whether an update changes nothing, whatever the order of keys outside of raw values, so that it need not be written. An object that is stored in
 * another version than it would be now is written all the same: so clients migrate objects to a new storage version.
 */
export function isUnchanged(
  operation: Operation,
  encoded: Buffer,
  object: AnyObject,
  old: AnyObject,
  current: CachedObject
): boolean {
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
export async function isStoredOtherwise(
  { resource, services }: Operation,
  { key }: CachedObject,
  object: AnyObject
): Promise<boolean> {
  const { store, prefix, kind } = resource
  if (await store.isStale?.(prefix + key)) return true
  return kind.strategy?.isStoredLess?.(object, services.features) === true && (await store.get(prefix + key))?.version === 1
}

/** Returns the parts of an object that count as changes: the times of managedFields do not. */
function withoutTimes({ kind: _, apiVersion: __, metadata, ...rest }: AnyObject): object {
  const { managedFields, resourceVersion: ___, ...others } = metadata
  return { metadata: { ...others, managedFields: managedFields?.map(({ time: _, ...entry }) => entry) }, ...rest }
}
