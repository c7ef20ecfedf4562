/** Reads parts of parsed JSON as Go's encoding/json reads them into types, with its messages. */
import { describeJson } from '../../../apimachinery/schema/scalars.js'
import { goQuote } from '../../../util/go-format.js'
import type { JsonObject } from '../../../util/json.js'
import { TokenError } from '../authenticator.js'

/** The place of a value as messages name it: `Go value` or `Go struct field idToken.sub`. */
const anywhere = 'Go value'

const wrongType = (value: unknown, place: string, go: string) =>
  new TokenError(`json: cannot unmarshal ${describeJson(value)} into ${place} of type ${go}`)

/** Reads a string. As in Go, null leaves it empty. */
export function goText(value: unknown, place = anywhere): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') throw wrongType(value, place, 'string')
  return value
}

export function goBool(value: unknown, place = anywhere): boolean {
  if (value === null) return false
  if (typeof value !== 'boolean') throw wrongType(value, place, 'bool')
  return value
}

export function goTexts(value: unknown, place = anywhere): string[] {
  if (value === null) return []
  if (!Array.isArray(value)) throw wrongType(value, place, '[]string')
  return value.map(item => goText(item, place))
}

export function goObject(value: unknown, place: string, go: string): JsonObject {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongType(value, place, go)
  return value as JsonObject
}

/** Reads seconds, which may stand in a string. Beyond the range of int64 the result is -Infinity or Infinity. */
export function goSeconds(value: unknown, place: string): number {
  if (value === null) throw new TokenError('strconv.ParseFloat: parsing "": invalid syntax')
  if (typeof value === 'string' && !/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value))
    throw new TokenError(`json: invalid number literal, trying to unmarshal ${goQuote(goQuote(value))} into Number`)
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'string')
    throw wrongType(value, place, 'json.Number')
  const seconds = Number(value)
  if (!Number.isFinite(seconds)) throw new TokenError(`strconv.ParseFloat: parsing "${value}": value out of range`)
  return Math.abs(seconds) < 2 ** 63 ? Math.trunc(seconds) : Math.sign(seconds) * Number.POSITIVE_INFINITY
}

/** Folds a key to the name of the struct's field: Go ignores the case, including that of the letter "long s". */
export const foldedName = (key: string): string => key.toLowerCase().replaceAll('\u017f', 's')

/** Returns a field of a struct; of several spellings, the last one counts. */
export function goField(object: JsonObject, name: string): unknown {
  let found: unknown
  for (const key of Object.keys(object)) if (key === name || foldedName(key) === name) found = object[key]
  return found
}
