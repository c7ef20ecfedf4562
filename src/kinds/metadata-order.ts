import type { ObjectMeta } from '../api/generated/meta-v1.js'
import { inFieldOrder } from '../schema/field-order.js'
import { loadSchema } from '../schema/load.js'

/** Returns metadata with its fields in the order in which Go prints them, without those that have no value. */
export function inGoOrder(metadata: ObjectMeta): Partial<ObjectMeta> {
  const ordered = inFieldOrder(loadSchema().type('meta.v1.ObjectMeta'), metadata) as ObjectMeta
  return Object.fromEntries(Object.entries(ordered).filter(([, value]) => (value ?? undefined) !== undefined))
}
