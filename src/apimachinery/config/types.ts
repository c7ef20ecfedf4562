/**
 * Declares the types of configuration files in a few lines, as types of the schema model.
 *
 * @example
 * const issuer = struct('v1.Issuer', { url: string, audiences: list(string), discoveryURL: pointer(string) })
 */
import type { Field, ListType, MapType, Scalar, ScalarType, StructType, Type } from '../schema/model.js'

const scalar = (name: Scalar, go: string = name): ScalarType => ({ kind: 'scalar', scalar: name, go })

export const string = scalar('string')
export const bool = scalar('bool')
export const int32 = scalar('int32')
export const int64 = scalar('int64')
export const bytes = scalar('bytes', '[]uint8')
/** metav1.Duration: the text of a Go duration, such as "1h30m". `readDuration` makes milliseconds of it. */
export const duration = scalar('duration', 'string')
/** runtime.RawExtension: any object, kept verbatim. */
export const raw = scalar('raw', 'runtime.RawExtension')

/** A string type of its own, which errors name: `named('v1.AnonymousAuthCondition')`. */
export const named = (go: string): ScalarType => scalar('string', go)

export const list = (items: Type): ListType => ({ kind: 'list', items, go: `[]${items.go}` })
export const map = (values: Type): MapType => ({ kind: 'map', values, go: `map[string]${values.go}` })

/** A field that distinguishes absent from empty: Go's pointers. Absent fields are undefined after decoding. */
export interface Pointer<T extends Type> {
  readonly pointer: T
}

export const pointer = <T extends Type>(type: T): Pointer<T> => ({ pointer: type })

/**
 * A struct. After decoding, a field that is a struct itself is there even when the file lacks it; other fields that are absent
 * or empty are undefined, and pointers are undefined when absent.
 */
export function struct(go: string, fields: Readonly<Record<string, Type | Pointer<Type>>>): StructType {
  const made = Object.entries(fields).map(([name, given]) => fieldOf(name, given))
  return { kind: 'struct', name: go, go, fields: made, byName: new Map(made.map(f => [f.name, f])), required: [], gvks: [] }
}

function fieldOf(name: string, given: Type | Pointer<Type>): Field {
  const isPointer = 'pointer' in given
  const type = isPointer ? given.pointer : given
  return {
    name,
    type,
    presence: isPointer ? 'present' : type.kind === 'struct' ? 'always' : 'never',
    pointer: isPointer,
    required: false,
    proto: [],
    goName: name.charAt(0).toUpperCase() + name.slice(1)
  }
}

/** The fields of every configuration. */
export const typeMeta = { kind: string, apiVersion: string }
