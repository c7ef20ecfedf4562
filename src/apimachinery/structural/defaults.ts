import { exactJson } from '../../util/exact-json.js'
import { cloneJson, isObject, type JsonObject, setKey } from '../../util/json.js'
import { tooManyDefaults } from '../status/status.js'
import { embeddedCoercer } from './embedded.js'
import type { StructuralSchema } from './structural.js'

/** Undefined if the schema neither sets a default nor removes a null. */
type Fill = ((value: unknown, keepNulls: boolean, added: Added) => void) | undefined

/**
 * Limits on the defaults of one object. A list of many empty items, each with large defaults, would become gigabytes. kube-apiserver has
 * no such limit; what it could write to etcd has at most 1.5 MiB.
 */
const limits = { bytes: 3 * 1024 * 1024, values: 100_000 }
/**
 * A stored object gets more: its definition may have larger defaults since it was written, and kube-apiserver serves it all the same. Without
 * any limit a definition could make gigabytes of each object.
 */
const storedTimes = 10

/** Counts the defaults that an object gets. */
class Added {
  readonly #times: number
  #bytes = 0
  #values = 0

  constructor(isStored: boolean) {
    this.#times = isStored ? storedTimes : 1
  }

  /** Returns a copy of the default. Throws a StatusError 413 when the object has got too many. */
  copy({ default: value, bytes, values }: Child): unknown {
    this.#bytes += bytes
    this.#values += values
    const [most, mostValues] = [limits.bytes * this.#times, limits.values * this.#times]
    if (this.#bytes > most || this.#values > mostValues) throw tooManyDefaults(most, mostValues)
    return cloneJson(value)
  }
}

export interface DefaultingOptions {
  readonly keepNulls?: boolean
  /** Whether the object was read from the store. */
  readonly isStored?: boolean
}

/**
 * Sets defaults, in place, each as a separate copy. A null that the schema does not allow counts as missing: it becomes the default, or
 * is removed. A null in a list without a default stays. `keepNulls` is for applied objects, which are not decoded again: each null
 * without a default stays, and validation refuses it where the schema has a type.
 */
export function defaulter(schema: StructuralSchema): (object: JsonObject, options?: DefaultingOptions) => void {
  const fill = compile(schema)
  return (object, { keepNulls = false, isStored = false } = {}) => fill?.(object, keepNulls, new Added(isStored))
}

interface Child {
  readonly nullable: boolean
  readonly default: unknown
  /** How many bytes a copy of the default takes as JSON. */
  readonly bytes: number
  readonly values: number
  readonly fill: Fill
}

function compile(schema: StructuralSchema): Fill {
  const fields = new Map([...(schema.properties ?? [])].map(([name, field]) => [name, child(field)]))
  const values = typeof schema.additionalProperties === 'object' ? child(schema.additionalProperties) : undefined
  const item = schema.items && child(schema.items)
  const withDefault = [...fields].filter(([, field]) => field.default !== undefined)
  if (fields.size === 0 && !values && !item) return undefined

  return (value, keepNulls, added) => {
    if (Array.isArray(value)) {
      if (!item) return
      for (let i = 0; i < value.length; i++) {
        if (value[i] === null && isMissing(item)) value[i] = added.copy(item)
        item.fill?.(value[i], keepNulls, added)
      }
    } else if (isObject(value)) {
      for (const [name, field] of withDefault) if (!Object.hasOwn(value, name)) setKey(value, name, added.copy(field))
      for (const key of Object.keys(value)) {
        const field = fields.get(key) ?? values
        if (!field) continue
        if (value[key] === null && isMissing(field)) setKey(value, key, added.copy(field))
        if (value[key] !== null) field.fill?.(value[key], keepNulls, added)
        else if (!field.nullable && !keepNulls) delete value[key]
      }
    }
  }
}

function child(schema: StructuralSchema): Child {
  const value = cloneJson(schema.default)
  embeddedCoercer(schema)(value)
  return {
    nullable: schema.nullable,
    default: value,
    bytes: value === undefined ? 0 : exactJson(value).length,
    values: value === undefined ? 0 : countValues(value),
    fill: compile(schema)
  }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const part of Object.values(value)) count += countValues(part)
  return count
}

/** Whether a null must become the default. */
function isMissing(field: Child): boolean {
  return !field.nullable && field.default !== undefined
}
