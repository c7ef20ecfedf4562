/** Removes nulls that a schema does not allow. */
import { isObject, type JsonObject } from '../../util/json.js'
import type { StructuralSchema } from './structural.js'

/** Returns whether it removed a null. Undefined if the schema has no fields. */
type Drop = ((value: unknown) => boolean) | undefined

/**
 * Makes a function that removes nulls from an object that was converted to another version, in place, and returns whether there was one. A null that a
 * default could replace stays, and so does one in a list.
 */
export function nullDropper(schema: StructuralSchema): (object: JsonObject) => boolean {
  let drop: Drop | 'none'
  return object => {
    drop ??= compile(schema) ?? 'none'
    return drop !== 'none' && drop(object)
  }
}

function compile(schema: StructuralSchema): Drop {
  const fields = new Map([...(schema.properties ?? [])].map(([name, field]) => [name, child(field)]))
  const values = typeof schema.additionalProperties === 'object' ? child(schema.additionalProperties) : undefined
  const item = schema.items && child(schema.items)
  if (fields.size === 0 && !values && !item?.drop) return undefined
  return value => {
    let dropped = false
    if (Array.isArray(value)) for (const each of value) dropped = item?.drop?.(each) || dropped
    else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        const field = fields.get(key) ?? values
        if (!field) continue
        if (value[key] !== null) dropped = field.drop?.(value[key]) || dropped
        else if (field.isDroppable) {
          delete value[key]
          dropped = true
        }
      }
    }
    return dropped
  }
}

const child = (schema: StructuralSchema) => ({
  isDroppable: !schema.nullable && schema.default === undefined,
  drop: compile(schema)
})
