/** Finalizers: an object stays until all of them are gone. */
import type { KubeObject } from '../../apimachinery/api/kube-object.js'

/**
 * Whether the object has a finalizer.
 *
 * @example
 * if (hasFinalizer(course, 'school.example.com/rooms')) await freeRooms(course)
 */
export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.finalizers?.includes(finalizer) ?? false

/**
 * Adds a finalizer to the object, and returns whether that changed it. The object is not written.
 *
 * @example
 * if (addFinalizer(course, 'school.example.com/rooms')) await client.of(kind).update(course)
 */
export function addFinalizer(object: KubeObject, finalizer: string): boolean {
  if (hasFinalizer(object, finalizer)) return false
  object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer]
  return true
}

/**
 * Removes a finalizer from the object, and returns whether that changed it. The object is not written.
 *
 * @example
 * if (removeFinalizer(course, 'school.example.com/rooms')) await client.of(kind).update(course)
 */
export function removeFinalizer(object: KubeObject, finalizer: string): boolean {
  if (!hasFinalizer(object, finalizer)) return false
  object.metadata.finalizers = object.metadata.finalizers!.filter(each => each !== finalizer)
  return true
}
