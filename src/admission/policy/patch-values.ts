/** Converts the values of mutation expressions to JSON. */
import { DeclaredObject } from '../../apimachinery/cel/evaluate/declared-object.js'
import { formatDuration, formatTimestamp } from '../../apimachinery/cel/values/text.js'
import {
  ArrayList,
  ConcatenatedList,
  Duration,
  EntryMap,
  ListValue,
  MapValue,
  ObjectValue,
  Optional,
  Timestamp,
  TypeValue,
  UInt,
  type Value
} from '../../apimachinery/cel/values/value.js'
import { fitted } from '../../util/exact-json.js'
import { formatDuration as formatGoDuration } from '../../util/go-duration.js'
import { ForeignValue, goQuote, goQuoteRune, goValue } from '../../util/go-format.js'
import { type JsonObject, setKey } from '../../util/json.js'

/** A value that JSON cannot express. */
export class UnfitValue extends Error {}

/** Bounds the JSON of a value: with variables, a short expression can make a value that holds another one many times over. */
const maxValues = 100_000
/** Bounds the texts in it: each part may be the same long text. No larger object can be stored. */
const maxCharacters = 3 * 1024 * 1024

/** What the values of one mutation may have together: parts, and characters of text. */
export class Budget {
  #left = maxValues
  #characters = maxCharacters

  spend(value: Value | undefined): void {
    if (--this.#left < 0) throw new UnfitValue(`value has more than ${maxValues} parts`)
    if (typeof value === 'string' || value instanceof Uint8Array) this.#characters -= value.length
    if (this.#characters < 0) throw new UnfitValue(`value has more than ${maxCharacters} characters`)
  }
}

/** Whether an expression has made the list, instead of finding it in the object. */
const isMade = (value: Value | undefined): value is ListValue => value instanceof ArrayList || value instanceof ConcatenatedList

/** Converts a list item by item, so that the budget can end it. */
function mapped(list: ListValue, convert: (item: Value) => unknown): unknown[] {
  const out: unknown[] = []
  for (const item of list) out.push(convert(item))
  return out
}

/** Converts the value of a JSON patch operation. Integers that JSON could round become strings. */
export function jsonOf(value: Value | undefined, budget = new Budget()): unknown {
  budget.spend(value)
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return value ?? null
  if (typeof value === 'bigint') return exact(value)
  if (typeof value === 'number') return value
  if (value instanceof UInt) return exact(value.value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatDuration(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof ListValue) return mapped(value, item => jsonOf(item, budget))
  if (value instanceof Optional) return jsonOf(value.value, budget)
  const out: JsonObject = {}
  if (value instanceof MapValue) {
    for (const key of value.keys()) {
      if (typeof key !== 'string') throw new UnfitValue(keyConversions[typeOfKey(key)])
      setKey(out, key, jsonOf(value.get(key), budget))
    }
    return out
  }
  if (value instanceof DeclaredObject) {
    const problem = keyProblem(value)
    if (problem !== undefined) throw new UnfitValue(problem)
    for (const [name, field] of value.fields) setKey(out, name, jsonOf(field, budget))
    return out
  }
  if (!(value instanceof ObjectValue)) throw new UnfitValue("type conversion not supported for 'type'")
  throw new UnfitValue(`type conversion error from '${value.type.name.split('.').at(-1)}' to '*structpb.Value'`)
}

const exact = (value: bigint) => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

const typeOfKey = (key: Value) => (typeof key === 'boolean' ? 'Bool' : key instanceof UInt ? 'Uint' : 'Int')
const keyConversions = {
  Int: "unsupported type conversion from 'int' to string",
  Uint: "unsupported type conversion from 'uint' to string",
  Bool: "type conversion error from bool to 'string'"
}

/** Finds a field whose value is a map literal with a key that is no string. */
function keyProblem({ fields }: DeclaredObject): string | undefined {
  for (const [name, field] of fields) {
    const key = field instanceof EntryMap ? [...field.keys()].find(key => typeof key !== 'string') : undefined
    if (key === undefined) continue
    const text =
      typeof key === 'boolean' ? `%!q(types.Bool=${key})` : goQuoteRune(key instanceof UInt ? key.value : (key as bigint))
    return `fail to convert field ${goQuote(name)}: map key ${text} is of type types.${typeOfKey(key)}, not string`
  }
  return undefined
}

/**
 * Converts the value of an apply configuration. A value that kube-apiserver holds in a type of Go that no field takes becomes a
 * ForeignValue: a CEL null, a duration, a map or list literal directly inside another one.
 */
export function configurationOf(value: Value | undefined, budget = new Budget()): unknown {
  budget.spend(undefined)
  if (typeof value === 'bigint') return fitted(value)
  if (value instanceof UInt) return fitted(value.value)
  if (value instanceof TypeValue) return value.type.name
  if (value instanceof Optional) return value.value === undefined ? null : configurationOf(value.value, budget)
  if (isMade(value)) return mapped(value, item => within(item, budget))
  const out: JsonObject = {}
  if (value instanceof EntryMap) {
    for (const key of value.keys()) setKey(out, key as string, within(value.get(key)!, budget))
    return out
  }
  if (value instanceof DeclaredObject) {
    const problem = keyProblem(value)
    if (problem !== undefined) return new ForeignValue(problem, problem, '*types.Err')
    for (const [name, field] of value.fields) setKey(out, name, configurationOf(field, budget))
    return out
  }
  return foreign(value) ?? jsonOf(value, budget)
}

function within(value: Value, budget: Budget): unknown {
  if (isMade(value) || value instanceof EntryMap) {
    const json = jsonOf(value, budget)
    const type = isMade(value) ? '[]ref.Val' : 'map[ref.Val]ref.Val'
    return new ForeignValue(goValue(json), `${type}{…}`, type)
  }
  return configurationOf(value, budget)
}

function foreign(value: Value | undefined): ForeignValue | undefined {
  if (value instanceof ObjectValue) return value.foreign
  if (value === null) return new ForeignValue('NULL_VALUE', '0', 'structpb.NullValue')
  if (value instanceof Duration)
    return new ForeignValue(formatGoDuration(Number(value.nanos) / 1e6), String(value.nanos), 'time.Duration')
  if (value instanceof Timestamp) return new ForeignValue(goTime(value), goTimeSyntax(value), 'time.Time')
  if (value instanceof Uint8Array) {
    const bytes = [...value]
    const syntax = bytes.map(byte => `0x${byte.toString(16)}`).join(', ')
    return new ForeignValue(`[${bytes.join(' ')}]`, `[]uint8{${syntax}}`, '[]uint8')
  }
  return undefined
}

/** Formats a time as Go's %v does: "2026-01-02 03:04:05.25 +0000 UTC". */
const goTime = (value: Timestamp) => `${formatTimestamp(inUtc(value)).replace('T', ' ').slice(0, -1)} +0000 UTC`

/** Formats a time as Go's %#v does: "time.Date(2026, time.January, 2, 3, 4, 5, 250000000, time.UTC)". */
function goTimeSyntax({ nanos }: Timestamp): string {
  const fraction = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const date = new Date(Number((nanos - fraction) / 1_000_000n))
  const month = date.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })
  const parts = [date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), fraction]
  return `time.Date(${date.getUTCFullYear()}, time.${month}, ${parts.join(', ')}, time.UTC)`
}

const inUtc = ({ nanos }: Timestamp) => new Timestamp(nanos)

/** Checks that each object's type is named after its field: Object.spec in the field spec of Object. Returns a line per error. */
export function typeMismatch(value: Value): string | undefined {
  const problems: string[] = []
  if (value instanceof DeclaredObject) collect(value, value.type.name, problems, { left: maxValues })
  return problems.length === 0 ? undefined : `type mismatch: ${problems.join('\n')}`
}

/** Collects the errors. Stops when the budget is used up, because the conversion refuses a value of that size anyway. */
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
