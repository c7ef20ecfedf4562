/**
 * Items of keyed lists that omit their key, which kube-apiserver demands nowhere in a few lists: a ServiceAccount's secrets, and the conditions of flow
 * control. It refuses to compare objects that have them, also where they have not changed.
 */

import { isObject } from '../../util/json.js'
import { holders } from '../schema/holders.js'
import { Place } from './place.js'

const holdsOptionalKeys = holders(field => field.listType === 'map' && !new Place(field.type, field).isAlwaysKeyed)

/** Whether a value has an item without a key in one of these lists. */
export function omitsKey(place: Place, value: unknown): boolean {
  if (place.granularity === 'items' && !place.isAlwaysKeyed && Array.isArray(value))
    if (value.some(item => place.stepTo(item) === undefined)) return true
  const { type } = place
  if (!holdsOptionalKeys(type)) return false
  if (Array.isArray(value)) return value.some(item => omitsKey(place.below, item))
  if (!isObject(value)) return false
  if (type.kind !== 'struct') return Object.values(value).some(item => omitsKey(place.below, item))
  return type.fields.some(({ name }) => omitsKey(place.at(name)!, value[name]))
}
