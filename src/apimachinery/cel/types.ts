/** CEL's types, and their text in error messages. */

export type Kind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'duration'
  | 'timestamp'
  | 'dyn'
  | 'error'
  | 'list'
  | 'map'
  | 'type'
  | 'opaque'
  | 'object'
  | 'param'

export interface Type {
  readonly kind: Kind
  /** The name that `type(x)` shows. */
  readonly name: string
  /** The parameters of the type: a list's element, a map's key and value, the type that a type value denotes … */
  readonly params: readonly Type[]
  /** The fields of an object type; undefined for types that have only methods. */
  readonly fields?: ReadonlyMap<string, Type>
}

const simple = (kind: Kind, name: string = kind): Type => ({ kind, name, params: [] })

export const boolType = simple('bool')
export const intType = simple('int')
export const uintType = simple('uint')
export const doubleType = simple('double')
export const stringType = simple('string')
export const bytesType = simple('bytes')
export const nullType = simple('null', 'null_type')
export const durationType = simple('duration', 'google.protobuf.Duration')
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp')
export const dynType = simple('dyn')
/** A value of any type, as dyn; in messages it is called any. */
export const anyType: Type = { ...dynType, name: 'any' }
export const errorType = simple('error', '*error*')

export const listType = (element: Type): Type => ({ kind: 'list', name: 'list', params: [element] })
export const mapType = (key: Type, value: Type): Type => ({ kind: 'map', name: 'map', params: [key, value] })
export const typeType = (named?: Type): Type => ({ kind: 'type', name: 'type', params: named ? [named] : [] })
export const opaqueType = (name: string, ...params: readonly Type[]): Type => ({ kind: 'opaque', name, params })
export const objectType = (name: string, fields?: ReadonlyMap<string, Type>): Type =>
  fields ? { kind: 'object', name, params: [], fields } : { kind: 'object', name, params: [] }
export const typeParam = (name: string): Type => ({ kind: 'param', name, params: [] })

const optionalName = 'optional_type'
export const optionalType = (value: Type): Type => opaqueType(optionalName, value)
export const isOptional = (type: Type): boolean => type.kind === 'opaque' && type.name === optionalName

const shortNames: Partial<Record<Kind, string>> = { null: 'null', duration: 'duration', timestamp: 'timestamp', error: '!error!' }

/** Formats a type as in the checker's messages: "map(string, list(int))". */
export function formatType(type: Type): string {
  return shortNames[type.kind] ?? withParams(type, formatType)
}

/** Formats a type with full names, as in Kubernetes' messages about results: "list(google.protobuf.Duration)". */
export function fullTypeName(type: Type): string {
  return withParams(type, fullTypeName)
}

const withParams = ({ name, params }: Type, format: (type: Type) => string) =>
  params.length === 0 ? name : `${name}(${params.map(format).join(', ')})`

/** Formats a signature: "(int, string)", or with a receiver "int.(string)". */
export function formatSignature(types: readonly Type[], hasReceiver: boolean): string {
  const [receiver, ...args] = types
  return hasReceiver ? `${formatType(receiver!)}.(${args.map(formatType).join(', ')})` : `(${types.map(formatType).join(', ')})`
}

export function sameType(a: Type, b: Type): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.params.length === b.params.length &&
      a.params.every((p, i) => sameType(p, b.params[i]!)))
  )
}
