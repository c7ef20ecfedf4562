/**
 * Decodes parsed JSON into the object that kube-apiserver would hold after decoding it into Go structs and writing it out again.
 * Unknown fields are dropped, zero values are dropped or written as the type demands, and quantities, times and base64 become
 * canonical. Custom resources have a decoder of their own (StructType.decoder).
 *
 * The common case, an object without mistakes, takes one pass that does not track paths. When something is wrong, `decodingError`
 * walks the document again, in order, to find the place.
 */
import { sortedKeys } from '../../util/go-format.js'
import { cloneJson, type JsonObject, setKey } from '../../util/json.js'
import { roundedToMilli } from '../../util/quantity.js'
import { cloneGiven, forgetEmpties, keepEmpty } from './given.js'
import { loadSchema } from './load.js'
import type { Field, MapType, Scalar, ScalarType, StructType, Type } from './model.js'
import { noteRead } from './read-quantities.js'
import { isQuantity, noteSpelling } from './respelled.js'
import { decodeScalar, decodesItself, describeJson, ScalarError, TypeMismatch, zeroScalar } from './scalars.js'

export interface Decoded {
  readonly object: any
  /** True when the document has fields that the type lacks. apimachinery/formats/strict-fields.ts finds their paths. */
  readonly hasUnknown: boolean
  /** The paths of the unknown fields, for types that have a decoder of their own. */
  readonly unknown?: readonly string[]
}

/** The body cannot be decoded into the type. The message is Go's: "json: cannot unmarshal string into Go struct field …". */
export class DecodeError extends Error {}

/**
 * Decodes a document into its type. Throws DecodeError. Does not change `input`; the result shares only values that are kept
 * verbatim.
 */
export function decode(type: StructType, input: unknown): Decoded {
  if (type.decoder) {
    const { object, unknown } = type.decoder(input as JsonObject)
    return { object, hasUnknown: unknown.length > 0, unknown }
  }
  try {
    return decodeChecked(type, input)
  } catch (error) {
    if (error instanceof TypeMismatch || error instanceof ScalarError) throw new DecodeError(error.message)
    throw error
  }
}

function decodeChecked(type: StructType, input: unknown): Decoded {
  const state: State = { unknown: false, unsettled: false }
  try {
    const object = decoderOf(type)(input, state) as object
    if (state.unsettled) (object as MaybeUnsettled)[unsettled] = true
    return { object, hasUnknown: state.unknown }
  } catch (error) {
    if (error instanceof TypeMismatch || error instanceof ScalarError) throw decodingError(type, input) ?? error
    throw error
  }
}

interface State {
  unknown: boolean
  unsettled: boolean
}

/** Marks decoded objects that contain values that storage would change. */
const unsettled: unique symbol = Symbol('unsettled')

interface MaybeUnsettled {
  [unsettled]?: boolean
}

/**
 * Makes the changes to an object that storing it would make. From storage (Protobuf), an empty list or map that is always written comes
 * back as null, and null bytes in a map come back as empty. An empty field that is omitted on writing disappears. Until then the empty
 * values exist, and the client that sent them owns the fields. Changes the object.
 */
export function settle(type: StructType, object: object): void {
  if (isSettled(object)) return
  delete (object as MaybeUnsettled)[unsettled]
  settleIn(type, object)
}

export const isSettled = (object: MaybeUnsettled): boolean => !object[unsettled]

/** Returns the object as it would be once settled. Does not change the object. */
export function asSettled<T extends object>(type: StructType, object: T): T {
  if (isSettled(object)) return object
  const copy = cloneJson(object)
  settleIn(type, copy)
  return copy
}

/** Copies a decoded object so that the copy settles as the original would. */
export function cloneDecoded<T extends object>(object: T): T {
  return isSettled(object) ? cloneJson(object) : madeFrom(object, cloneGiven(object))
}

/** Marks an object that was made from a decoded one, so that it settles as the decoded object would. */
export function madeFrom<T extends object>(decoded: object, made: T): T {
  if (!isSettled(decoded)) (made as MaybeUnsettled)[unsettled] = true
  return made
}

function settleIn(type: Type, value: unknown): void {
  if (value === null || typeof value !== 'object') return
  if (type.kind === 'list') for (const item of value as unknown[]) settleIn(type.items, item)
  else if (type.kind === 'map' && isBytes(type.values)) {
    for (const [key, item] of Object.entries(value)) if (item === null) setKey(value as JsonObject, key, '')
  } else if (type.kind === 'map') for (const item of Object.values(value)) settleIn(type.values, item)
  else if (type.kind === 'struct') {
    forgetEmpties(value)
    for (const field of type.fields) {
      const child = (value as Record<string, unknown>)[field.name]
      if (!isEmptyContainer(field, child)) settleIn(field.type, child)
      else if (field.presence === 'always' && !field.pointer) (value as Record<string, unknown>)[field.name] = null
      else if (field.presence === 'never') delete (value as Record<string, unknown>)[field.name]
    }
  }
}

const isBytes = (type: Type) => type.kind === 'scalar' && type.scalar === 'bytes'

type Decoder = (value: unknown, state: State) => unknown

const decoders = new WeakMap<Type, Decoder>()

function decoderOf(type: Type): Decoder {
  let decoder = decoders.get(type)
  if (!decoder) decoders.set(type, (decoder = compile(type)))
  return decoder
}

function compile(type: Type): Decoder {
  switch (type.kind) {
    case 'scalar':
      if (isSchemaChoice(type.scalar)) return value => decodeSchemaChoice(type.scalar, value)
      return type.scalar === 'string'
        ? value => (typeof value === 'string' ? value : decodeScalar(type, value))
        : value => decodeScalar(type, value)
    case 'list': {
      const item = lazily(type.items)
      return (value, state) => {
        if (!Array.isArray(value)) throw new TypeMismatch(describeJson(value), type.go)
        const out: unknown[] = new Array(value.length)
        for (let i = 0; i < value.length; i++) out[i] = value[i] === null ? zero(type.items) : item(value[i], state)
        return out
      }
    }
    case 'map': {
      // Null bytes are an empty string here, whereas a field of bytes would be null. Amounts of resources are rounded to
      // thousandths.
      const item: Decoder =
        type.go === 'v1.ResourceList'
          ? value => roundedToMilli(decodeScalar(type.values as ScalarType, value) as string)
          : lazily(type.values)
      return compileMap(type, item, type.go === 'v1.ResourceList')
    }
    case 'struct':
      return compileStruct(type)
  }
}

function compileMap(type: MapType, item: Decoder, rounded = false): Decoder {
  const hasQuantities = isQuantity(type.values)
  return (value, state) => {
    if (typeof value !== 'object' || Array.isArray(value)) throw new TypeMismatch(describeJson(value), type.go)
    const out: Record<string, unknown> = {}
    // as Go writes maps
    for (const key of sortedKeys(value as object)) {
      const v = (value as Record<string, unknown>)[key]
      if (v === null && isBytes(type.values)) state.unsettled = true
      const decoded = v === null ? zero(type.values) : item(v, state)
      if (hasQuantities && v !== null) {
        noteSpelling(out, v, decoded)
        if (noteRead(out, key, v, decoded, rounded)) state.unsettled = true
      }
      setKey(out, key, decoded)
    }
    return out
  }
}

/** Amounts are rounded with the defaults of a kind, and RuntimeClasses have none. */
const isExact = (struct: StructType) => struct.name === 'node.v1.Overhead'

const isSchemaChoice = (scalar: Scalar) =>
  scalar === 'schemaOrArray' || scalar === 'schemaOrBool' || scalar === 'schemaOrStringArray'

/**
 * Decodes a JSON schema, or the value that may stand in its place. Go uses another decoder here, which reports neither paths nor
 * unknown fields.
 */
function decodeSchemaChoice(scalar: Scalar, value: unknown): unknown {
  // an empty list, and what is neither list nor map, count as missing
  if (scalar === 'schemaOrArray' && (typeof value !== 'object' || isEmptyList(value))) return undefined
  if (Array.isArray(value) && scalar === 'schemaOrArray') return value.map(decodeSchema)
  if (typeof value === 'object' && !Array.isArray(value)) return decodeSchema(value)
  if (scalar === 'schemaOrBool' && typeof value !== 'boolean') throw new ScalarError('boolean or JSON schema expected')
  return value
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

function decodeSchema(value: unknown): unknown {
  return decodeChecked(loadSchema().type('apiextensions.v1.JSONSchemaProps'), value ?? {}).object
}

/** Creates element decoders on first use, because types refer to themselves. */
function lazily(type: Type): Decoder {
  if (type.kind !== 'struct') return decoderOf(type)
  let decoder: Decoder | undefined
  return (value, state) => (decoder ??= decoderOf(type))(value, state)
}

function compileStruct(type: StructType): Decoder {
  const fields = type.fields.map(field => ({
    field,
    name: field.name,
    decoder: field.type.kind === 'map' && isExact(type) ? compileMap(field.type, lazily(field.type.values)) : lazily(field.type),
    always: field.presence === 'always',
    isAmount: isQuantity(field.type),
    droppable: field.presence === 'never'
  }))
  return (value, state) => {
    if (typeof value !== 'object' || Array.isArray(value)) throw new TypeMismatch(describeJson(value), type.go)
    const input = value as Record<string, unknown>
    const out: Record<string, unknown> = {}
    let known = 0
    for (const { field, name, decoder, always, isAmount, droppable } of fields) {
      const given = input[name]
      if (given === undefined || given === null) {
        if (given === null) known++
        if (always) out[name] = field.pointer ? null : zero(field.type)
        continue
      }
      known++
      const decoded = decoder(given, state)
      if (isAmount) noteSpelling(out, given, decoded)
      if (droppable ? !isEmpty(decoded) : !always && decoded !== undefined) out[name] = decoded
      else if (always) {
        out[name] = decoded
        if (isEmptyContainer(field, decoded)) state.unsettled = true
      } else if (isEmptyContainer(field, decoded)) {
        keepEmpty(out, name, decoded as object)
        state.unsettled = true
      }
    }
    if (!state.unknown && countKeys(input) !== known) state.unknown = true
    return out
  }
}

function countKeys(object: object): number {
  let n = 0
  for (const _ in object) n++
  return n
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.length === 0
  for (const _ in value) return false
  return true
}

function isEmptyContainer(field: Field, value: unknown): boolean {
  return (field.type.kind === 'list' || field.type.kind === 'map') && value !== null && isEmpty(value)
}

/** Returns the value of a type when the document gives none. */
function zero(type: Type): unknown {
  if (type.kind === 'struct') return decoderOf(type)({}, { unknown: false, unsettled: false })
  return type.kind === 'scalar' ? zeroScalar(type) : null
}

interface Place {
  /** The Go type of the struct that contains the last field. */
  readonly struct: string
  readonly fields: string
}

/** Returns Go's error for a document that does not match the type. */
function decodingError(type: Type, value: unknown): Error | undefined {
  const mistakes: Error[] = []
  return findMistakes(type, value, { struct: '', fields: '' }, mistakes) ?? mistakes[0]
}

/** Walks in the order of the document and collects mistakes. Returns the mistake that makes Go stop, if there is one. */
function findMistakes(type: Type, value: unknown, place: Place, mistakes: Error[]): Error | undefined {
  if (value === null || value === undefined) return undefined
  if (type.kind === 'scalar') {
    const error = scalarError(type, value, place)
    if (error && decodesItself.has(type.scalar)) return error
    if (error) mistakes.push(error)
    return undefined
  }
  if (type.kind === 'list' ? !Array.isArray(value) : typeof value !== 'object' || Array.isArray(value)) {
    mistakes.push(new TypeMismatch(describeJson(value), type.go, place.struct, place.fields))
    return undefined
  }
  for (const [key, child] of Object.entries(value as object)) {
    let stop: Error | undefined
    if (type.kind === 'struct') {
      const field = type.byName.get(key)
      if (field)
        stop = findMistakes(field.type, child, { struct: type.go.split('.').pop()!, fields: below(place, field) }, mistakes)
    } else stop = findMistakes(type.kind === 'list' ? type.items : type.values, child, place, mistakes)
    if (stop) return stop
  }
  return undefined
}

/** Extends the path by a field. Structs that Go embeds appear in the path, too. */
function below({ fields }: Place, { embeddedIn, name }: Field): string {
  return [...(fields === '' ? [] : [fields]), ...(embeddedIn ?? []), name].join('.')
}

function scalarError(type: ScalarType, value: unknown, { struct, fields }: Place): Error | undefined {
  try {
    if (isSchemaChoice(type.scalar)) decodeSchemaChoice(type.scalar, value)
    else decodeScalar(type, value)
    return undefined
  } catch (error) {
    if (!(error instanceof TypeMismatch)) return error as Error
    return new TypeMismatch(error.value, error.go, struct, error.field === '' ? fields : `${fields}.${error.field}`)
  }
}
