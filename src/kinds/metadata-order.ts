import type { ObjectMeta } from '../apimachinery/api/generated/meta-v1.js'
import { inFieldOrder } from '../apimachinery/schema/field-order.js'
import { loadSchema } from '../apimachinery/schema/load.js'

/** Returns metadata with its fields in the order in which Go prints them, without those that have no value. */
export function inGoOrder(metadata: ObjectMeta): Partial<ObjectMeta> {
  const ordered = inFieldOrder(loadSchema().type('meta.v1.ObjectMeta'), metadata) as ObjectMeta
  return Object.fromEntries(Object.entries(ordered).filter(([, value]) => (value ?? undefined) !== undefined))
}
