/** Converts the values of mutation expressions to JSON. */
import { DeclaredObject } from '../../cel/evaluate/declared-object.js'
import { formatDuration, formatTimestamp } from '../../cel/values/text.js'
import {
  ArrayList,
  Duration,
  EntryMap,
  ListValue,
  MapValue,
  ObjectValue,
  Optional,
  Timestamp,
  UInt,
  type Value
} from '../../cel/values/value.js'
import { fitted } from '../../util/exact-json.js'
import { type JsonObject, setKey } from '../../util/json.js'

/** A value that JSON cannot express. */
export class UnfitValue extends Error {}

/** Bounds the JSON of a value: with variables, a short expression can make a value that holds another one many times over. */
const maxValues = 100_000

class Budget {
  #left = maxValues

  spend(): void {
    if (--this.#left < 0) throw new UnfitValue(`value has more than ${maxValues} parts`)
  }
}

/** Converts the value of a JSON patch operation. Integers that JSON could round become strings. */
export function jsonOf(value: Value | undefined, budget = new Budget()): unknown {
  budget.spend()
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return value ?? null
  if (typeof value === 'bigint') return exact(value)
  if (typeof value === 'number') return value
  if (value instanceof UInt) return exact(value.value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatDuration(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof ListValue) return [...value].map(item => jsonOf(item, budget))
  if (value instanceof Optional) return jsonOf(value.value, budget)
  const out: JsonObject = {}
  if (value instanceof MapValue) {
    for (const key of value.keys()) {
      if (typeof key !== 'string') throw new UnfitValue(`map key "${String(key)}" is not a string`)
      setKey(out, key, jsonOf(value.get(key), budget))
    }
    return out
  }
  if (value instanceof DeclaredObject) {
    for (const [name, field] of value.fields) setKey(out, name, jsonOf(field, budget))
    return out
  }
  const type = value instanceof ObjectValue ? value.type.name.split('.').at(-1) : typeof value
  throw new UnfitValue(`type conversion error from '${type}' to '*structpb.Value'`)
}

const exact = (value: bigint) => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

/**
 * Converts the value of an apply configuration. As in kube-apiserver, a map or list literal inside another one is not converted,
 * and becomes a text that no such field takes.
 */
export function configurationOf(value: Value, budget = new Budget()): unknown {
  budget.spend()
  if (typeof value === 'bigint') return fitted(value)
  if (value instanceof UInt) return fitted(value.value)
  if (value instanceof ArrayList) return value.items.map(item => within(item, budget))
  if (value instanceof EntryMap) {
    const out: JsonObject = {}
    for (const key of value.keys()) {
      if (typeof key !== 'string') throw new UnfitValue(`map key "${String(key)}" is not a string`)
      setKey(out, key, within(value.get(key)!, budget))
    }
    return out
  }
  if (!(value instanceof DeclaredObject)) return jsonOf(value, budget)
  const out: JsonObject = {}
  for (const [name, field] of value.fields) setKey(out, name, configurationOf(field, budget))
  return out
}

const within = (value: Value, budget: Budget) =>
  value instanceof ArrayList || value instanceof EntryMap ? '[...]' : configurationOf(value, budget)

/** Checks that each object's type is named after its field: Object.spec in the field spec of Object. Returns a line per error. */
export function typeMismatch(value: Value): string | undefined {
  const problems: string[] = []
  if (value instanceof DeclaredObject) collect(value, value.type.name, problems, { left: maxValues })
  return problems.length === 0 ? undefined : `type mismatch: ${problems.join('\n')}`
}

/** Stops when the budget is spent: the conversion refuses a value of that size anyway. */
function collect(value: Value, expected: string, problems: string[], budget: { left: number }): void {
  if (budget.left-- <= 0) return
  if (value instanceof ListValue) for (const item of value) collect(item, expected, problems, budget)
  else if (value instanceof MapValue) for (const key of value.keys()) collect(value.get(key)!, expected, problems, budget)
  else if (value instanceof DeclaredObject) {
    const { name } = value.type
    if (name !== expected)
      problems.push(`unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`)
    for (const [field, child] of value.fields) collect(child, `${expected}.${field}`, problems, budget)
  }
}
