import type { ObjectMeta } from '../api/generated/meta-v1.js'
import { loadSchema } from '../schema/load.js'
import type { StructType } from '../schema/model.js'

/** Metadata with its fields in the order in which Go prints them, without those that have no value. */
export function inGoOrder(metadata: ObjectMeta): Partial<ObjectMeta> {
  const values = metadata as unknown as Record<string, unknown>
  const names = (loadSchema().type('meta.v1.ObjectMeta') as StructType).fields.map(field => field.name)
  return Object.fromEntries(names.filter(name => (values[name] ?? undefined) !== undefined).map(name => [name, values[name]]))
}
