import type { StructType } from '../schema/model.js'
import { fieldSet, problemText } from './field-set.js'
import { placeOf } from './place.js'
import { ViewError } from './version-view.js'

/** Returns an object that was converted to the version of a type. Throws a ViewError that begins with `failure` if it does not fit. */
export function fitting<T>(type: StructType, object: T, failure: string): T {
  const { problems } = fieldSet(placeOf(type), withoutManagers(object))
  if (problems.length > 0) throw new ViewError(failure + problemText(problems))
  return object
}

/** Removes managedFields, which no manager owns and which do not count as a change. */
export function withoutManagers(object: any): any {
  // pruning compares with objects that have lost all their metadata
  if (!object.metadata?.managedFields) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
