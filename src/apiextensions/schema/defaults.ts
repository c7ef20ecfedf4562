import { cloneJson, isObject, type JsonObject, setKey } from '../../util/json.js'
import type { StructuralSchema } from './structural.js'

/** Undefined where the schema has neither a default to give nor a null to take away. */
type Fill = ((value: unknown) => void) | undefined

/**
 * Fills in defaults, in place and with copies of their own. A null that the schema does not allow counts as missing: it
 * becomes the default, or goes. Only in a list it stays where there is no default.
 */
export function defaulter(schema: StructuralSchema): (object: JsonObject) => void {
  return compile(schema) ?? (() => {})
}

interface Child {
  readonly schema: StructuralSchema
  readonly fill: Fill
}

function compile(schema: StructuralSchema): Fill {
  const child = (s: StructuralSchema): Child => ({ schema: s, fill: compile(s) })
  const fields = new Map([...(schema.properties ?? [])].map(([name, s]) => [name, child(s)]))
  const values = typeof schema.additionalProperties === 'object' ? child(schema.additionalProperties) : undefined
  const items = schema.items && child(schema.items)
  const defaults = [...fields].flatMap(([name, { schema: s }]) => (s.default === undefined ? [] : [{ name, value: s.default }]))
  if (fields.size === 0 && !values && !items) return undefined

  return value => {
    if (Array.isArray(value)) {
      if (!items) return
      for (let i = 0; i < value.length; i++) {
        if (value[i] === null && isMissing(items.schema)) value[i] = cloneJson(items.schema.default)
        items.fill?.(value[i])
      }
    } else if (isObject(value)) {
      for (const { name, value: given } of defaults) if (!Object.hasOwn(value, name)) setKey(value, name, cloneJson(given))
      for (const key of Object.keys(value)) {
        const field = fields.get(key) ?? values
        if (!field) continue
        if (value[key] !== null) field.fill?.(value[key])
        else if (isMissing(field.schema)) {
          setKey(value, key, cloneJson(field.schema.default))
          field.fill?.(value[key])
        } else if (!field.schema.nullable) delete value[key]
      }
    }
  }
}

/** A null under this schema is to become the default. */
function isMissing(schema: StructuralSchema): boolean {
  return !schema.nullable && schema.default !== undefined
}
