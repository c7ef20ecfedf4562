import { cloneJson, isObject, type JsonObject, setKey } from '../util/json.js'
import { embeddedCoercer } from './embedded.js'
import type { StructuralSchema } from './structural.js'

/** Undefined where the schema has neither a default to give nor a null to take away. */
type Fill = ((value: unknown, keepNulls: boolean) => void) | undefined

/**
 * Fills in defaults, in place and with copies of their own. A null that the schema does not allow counts as missing: it
 * becomes the default, or goes. Only in a list it stays where there is no default, and with `keepNulls` wherever the schema has a
 * type: what was applied is not read again as a document, and validation refuses its nulls.
 */
export function defaulter(schema: StructuralSchema): (object: JsonObject, keepNulls?: boolean) => void {
  const fill = compile(schema)
  return (object, keepNulls = false) => fill?.(object, keepNulls)
}

interface Child {
  readonly nullable: boolean
  /** Validation refuses null here. */
  readonly typed: boolean
  readonly default: unknown
  readonly fill: Fill
}

function compile(schema: StructuralSchema): Fill {
  const fields = new Map([...(schema.properties ?? [])].map(([name, field]) => [name, child(field)]))
  const values = typeof schema.additionalProperties === 'object' ? child(schema.additionalProperties) : undefined
  const item = schema.items && child(schema.items)
  const withDefault = [...fields].filter(([, field]) => field.default !== undefined)
  if (fields.size === 0 && !values && !item) return undefined

  return (value, keepNulls) => {
    if (Array.isArray(value)) {
      if (!item) return
      for (let i = 0; i < value.length; i++) {
        if (value[i] === null && isMissing(item)) value[i] = cloneJson(item.default)
        item.fill?.(value[i], keepNulls)
      }
    } else if (isObject(value)) {
      for (const [name, field] of withDefault) if (!Object.hasOwn(value, name)) setKey(value, name, cloneJson(field.default))
      for (const key of Object.keys(value)) {
        const field = fields.get(key) ?? values
        if (!field) continue
        if (value[key] === null && isMissing(field)) setKey(value, key, cloneJson(field.default))
        if (value[key] !== null) field.fill?.(value[key], keepNulls)
        else if (!field.nullable && !(keepNulls && field.typed)) delete value[key]
      }
    }
  }
}

function child(schema: StructuralSchema): Child {
  const value = cloneJson(schema.default)
  embeddedCoercer(schema)(value)
  return {
    nullable: schema.nullable,
    typed: schema.type !== undefined || schema.intOrString,
    default: value,
    fill: compile(schema)
  }
}

/** A null is to become the default. */
function isMissing(field: Child): boolean {
  return !field.nullable && field.default !== undefined
}
