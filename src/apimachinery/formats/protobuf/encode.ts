/**
 * Encodes objects as Protobuf messages, byte for byte as gogo-protobuf writes Kubernetes' Go types: fields by ascending number,
 * values that are not pointers even when they are zero, map entries sorted by key. There is one closure per type, compiled on
 * first use.
 */

import { sortedKeys } from '../../../util/go-format.js'
import { wireBytes } from '../../../util/protobuf/reader.js'
import { ReverseWriter } from '../../../util/protobuf/writer.js'
import type { Field, ListType, MapType, ScalarType, StructType, Type } from '../../schema/model.js'
import { layoutOf, type Part, tagOf, wireTypeOf, wrappedList } from './layout.js'
import { wrappedScalar } from './wrapped-scalars.js'

const shared = new ReverseWriter()

/** Encodes an object of the type as a message without an envelope. Takes the result of schema/decode.ts. */
export function encodeMessage(type: StructType, object: object): Buffer {
  shared.clear()
  encoderOf(type)(shared, object as Fields)
  return shared.take()
}

type Fields = Readonly<Record<string, any>>
type Encoder = (writer: ReverseWriter, fields: Fields) => void
/** Writes a value with its length, if it has one, but without a tag. Writes zero for a missing value. */
type ValueWriter = (writer: ReverseWriter, value: any) => void

const encoders = new WeakMap<StructType, Encoder>()

function encoderOf(type: StructType): Encoder {
  let encoder = encoders.get(type)
  if (!encoder) encoders.set(type, (encoder = compile(layoutOf(type))))
  return encoder
}

function compile(parts: readonly Part[]): Encoder {
  const writers = parts
    .map(part => ('field' in part ? compileField(part.field, part.number) : compileInner(part.inner, part.number)))
    .reverse()
  return (writer, fields) => {
    for (const write of writers) write(writer, fields)
  }
}

function compileInner(parts: readonly Part[], number: number): Encoder {
  const write = compile(parts)
  const tag = tagOf(number, wireBytes)
  const list = wrappedList(parts)?.name
  return (writer, fields) => {
    if (list !== undefined && (fields[list] ?? null) === null) return
    const before = writer.written
    write(writer, fields)
    writer.lengthSince(before)
    writer.varint(tag)
  }
}

function compileField({ name, type, pointer }: Field, number: number): Encoder {
  if (type.kind === 'list') {
    const write = compileList(type, number)
    return (writer, fields) => write(writer, fields[name])
  }
  if (type.kind === 'map') {
    const write = compileMap(type, number)
    return (writer, fields) => write(writer, fields[name])
  }
  const write = valueWriter(type)
  const tag = tagOf(number, wireTypeOf(type))
  const optional = pointer || isBytes(type)
  return (writer, fields) => {
    const value = fields[name]
    if (optional && (value === undefined || value === null)) return
    write(writer, value)
    writer.varint(tag)
  }
}

function compileList({ items }: ListType, number: number): ValueWriter {
  const write = valueWriter(items)
  const tag = tagOf(number, wireTypeOf(items))
  return (writer, list: readonly unknown[] | null | undefined) => {
    if (!list) return
    for (let i = list.length - 1; i >= 0; i--) {
      write(writer, list[i])
      writer.varint(tag)
    }
  }
}

function compileMap({ values }: MapType, number: number): ValueWriter {
  const write = valueWriter(values)
  const valueTag = tagOf(2, wireTypeOf(values))
  const tag = tagOf(number, wireBytes)
  const optional = isBytes(values)
  return (writer, map: Readonly<Record<string, unknown>> | null | undefined) => {
    if (!map) return
    const keys = sortedKeys(map)
    for (let i = keys.length - 1; i >= 0; i--) {
      const before = writer.written
      const key = keys[i]!
      const value = map[key]
      if (!optional || value !== null) {
        write(writer, value)
        writer.varint(valueTag)
      }
      writeString(writer, key)
      writer.varint(keyTag)
      writer.lengthSince(before)
      writer.varint(tag)
    }
  }
}

/** Go's byte slices can be nil, and are then left out. */
const isBytes = (type: Type) => type.kind === 'scalar' && type.scalar === 'bytes'

const keyTag = tagOf(1, wireBytes)
function valueWriter(type: Type): ValueWriter {
  switch (type.kind) {
    case 'scalar':
      return scalarWriter(type)
    case 'struct': {
      // types refer to themselves, so encoders are compiled on first use
      let encoder: Encoder | undefined
      return delimited((writer, value) => (encoder ??= encoderOf(type))(writer, value ?? noFields))
    }
    case 'list':
      // a list is a message of its own only as the value of a map
      return delimited(compileList(type, 1))
    case 'map':
      throw new Error('Protobuf has no maps as values of maps or lists')
  }
}

const noFields: Fields = {}

function scalarWriter(type: ScalarType): ValueWriter {
  switch (type.scalar) {
    case 'string':
      return writeString
    case 'int32':
    case 'int64':
      return (writer, value) => writer.int64(value ?? 0)
    case 'bool':
      return (writer, value) => writer.byte(value ? 1 : 0)
    case 'double':
      return (writer, value) => writer.double(value ?? 0)
    case 'bytes':
      return delimited((writer, value) => writer.bytes(Buffer.from(value ?? '', 'base64')))
    default: {
      const { message, wrap } = wrappedScalar(type.scalar)!
      const encode = encoderOf(message)
      return delimited((writer, value) => {
        const fields = wrap(value)
        if (fields) encode(writer, fields)
      })
    }
  }
}

function writeString(writer: ReverseWriter, value: string | null | undefined): void {
  const before = writer.written
  writer.string(value ?? '')
  writer.lengthSince(before)
}

function delimited(write: ValueWriter): ValueWriter {
  return (writer, value) => {
    const before = writer.written
    write(writer, value)
    writer.lengthSince(before)
  }
}
