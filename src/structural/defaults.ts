import { cloneJson, isObject, type JsonObject, setKey } from '../util/json.js'
import { embeddedCoercer } from './embedded.js'
import type { StructuralSchema } from './structural.js'

/** Undefined if the schema neither sets a default nor removes a null. */
type Fill = ((value: unknown, keepNulls: boolean) => void) | undefined

/**
 * Sets defaults, in place, each as a separate copy. A null that the schema does not allow counts as missing: it becomes the
 * default, or is removed. It stays in a list without a default, and with `keepNulls` wherever the schema has a type: an applied
 * object is not decoded again, so validation refuses its nulls.
 */
export function defaulter(schema: StructuralSchema): (object: JsonObject, keepNulls?: boolean) => void {
  const fill = compile(schema)
  return (object, keepNulls = false) => fill?.(object, keepNulls)
}

interface Child {
  readonly nullable: boolean
  /** Whether validation refuses null here. */
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

/** Whether a null must become the default. */
function isMissing(field: Child): boolean {
  return !field.nullable && field.default !== undefined
}
