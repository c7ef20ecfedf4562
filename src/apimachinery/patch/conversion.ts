/**
 * Converts the result of a strategic merge or an apply into its type, or reports why it cannot. kube-apiserver does not decode
 * JSON there: it converts the merged map into the type field by field, with its own messages and order.
 */

import { compareText, goType } from '../../util/go-format.js'
import { isObject, type JsonObject, setKey } from '../../util/json.js'
import { type Decoded, DecodeError, decode } from '../schema/decode.js'
import type { StructType, Type } from '../schema/model.js'
import { withSortedRaw } from '../schema/raw-values.js'
import { decodeScalar } from '../schema/scalars.js'
import { goKind } from './patch-schema.js'

export interface ConversionProblems {
  /** The error about the first value that does not fit its type, for which the object is refused. */
  readonly error: string | undefined
  /** Messages such as `unknown field "spec.replica"`, in the order of their text. */
  readonly unknown: readonly string[]
}

class ConversionError extends Error {}

/** Finds the reasons why `object`, the result of a strategic merge patch, does not fit its type. */
export function conversionProblems(type: StructType, object: unknown): ConversionProblems {
  const unknown: string[] = []
  try {
    convert(type, object, '', unknown)
    return { error: undefined, unknown: unknown.sort(compareText) }
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return { error: error.message, unknown: [] }
  }
}

/** Converts `object` to its type. Throws DecodeError with the message of a conversion. */
export function converted(type: StructType, object: JsonObject): Decoded {
  try {
    return decode(type, type.decoder ? object : withSortedRaw(type, object))
  } catch (error) {
    if (type.decoder || !(error instanceof DecodeError)) throw error
    const problem = conversionProblems(type, object).error
    if (problem !== undefined) throw new DecodeError(problem)
    return decode(type, wrapped(type, object))
  }
}

/**
 * Prepares values that the conversion accepts and decoding would refuse: integers that are too large are truncated, and bytes may
 * be a list of numbers.
 */
function wrapped(type: Type, value: unknown): unknown {
  if (value === null || value === undefined) return value
  switch (type.kind) {
    case 'scalar':
      if (type.scalar === 'bytes' && Array.isArray(value)) return Buffer.from(value).toString('base64')
      return type.scalar === 'int32' ? Number(BigInt.asIntN(32, BigInt(value as number | bigint))) : value
    case 'list':
      return (value as unknown[]).map(item => wrapped(type.items, item))
    default: {
      const out: JsonObject = {}
      for (const [key, child] of Object.entries(value as JsonObject)) {
        const below = type.kind === 'map' ? type.values : type.byName.get(key)?.type
        setKey(out, key, below ? wrapped(below, child) : child)
      }
      return out
    }
  }
}

function convert(type: Type, value: unknown, path: string, unknown: string[]): void {
  if (value === null || value === undefined) return
  switch (type.kind) {
    case 'scalar':
      convertScalar(type, value)
      return
    case 'list':
      if (!Array.isArray(value)) throw new ConversionError(`cannot restore slice from ${kindOf(value)}`)
      for (const [i, item] of value.entries()) convert(type.items, item, `${path}[${i}]`, unknown)
      return
    case 'map':
      if (!isObject(value)) throw new ConversionError(`cannot restore map from ${kindOf(value)}`)
      // The key does not become part of the path.
      for (const item of Object.values(value)) convert(type.values, item, path, unknown)
      return
    case 'struct': {
      if (!isObject(value)) throw new ConversionError(`cannot restore struct from: ${kindOf(value)}`)
      const at = (key: string) => (path === '' ? key : `${path}.${key}`)
      for (const field of type.fields)
        if (Object.hasOwn(value, field.name)) convert(field.type, value[field.name], at(field.name), unknown)
      for (const key of Object.keys(value)) if (!type.byName.has(key)) unknown.push(`unknown field "${at(key)}"`)
    }
  }
}

function convertScalar(type: Extract<Type, { kind: 'scalar' }>, value: unknown): void {
  const kind = goKind(type)
  const given = kindOf(value)
  switch (type.scalar) {
    case 'string':
      if (given === 'string') return
      // Go can convert integers to strings, as characters, so this needs an explicit refusal.
      throw new ConversionError(given === 'int64' ? `cannot convert int64 to ${type.go}` : 'unrecognized type: string')
    case 'bool':
      if (given !== 'bool') throw new ConversionError('unrecognized type: bool')
      return
    case 'int32':
    case 'int64':
    case 'double':
      if (given === 'int64' || (given === 'float64' && (type.scalar === 'double' || Number.isInteger(value)))) return
      throw new ConversionError(given === 'float64' ? `cannot convert float64 to ${type.go}` : `unrecognized type: ${kind}`)
    case 'fieldsV1':
    case 'raw':
    case 'json':
      return
    default:
      if (type.scalar === 'bytes' && Array.isArray(value)) {
        if (value.some(byte => byte !== null && !Number.isInteger(byte))) throw new ConversionError('unrecognized type: uint8')
        return
      }
      // Types with their own decoder use it here as well.
      if (type.scalar === 'bytes' && given !== 'string') throw new ConversionError(`cannot restore slice from ${given}`)
      try {
        decodeScalar(type, value)
      } catch (error) {
        const { message } = error as Error
        throw new ConversionError(type.scalar === 'bytes' ? `error decoding from json: ${message}` : message)
      }
  }
}

/** Go's kind of a decoded JSON value. */
function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'slice' : isObject(value) ? 'map' : goType(value)
}
