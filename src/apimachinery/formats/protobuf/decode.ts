/**
 * Decodes Protobuf messages into plain JSON values, which apimachinery/schema/decode.ts then normalizes. Unknown fields are skipped. There is
 * one closure per type, compiled on first use.
 */

import { setKey } from '../../../util/json.js'
import { ProtobufError, Reader, wireBytes } from '../../../util/protobuf/reader.js'
import type { Field, MapType, ScalarType, StructType, Type } from '../../schema/model.js'
import { tooManyValues } from '../../status/status.js'
import { maxKeys } from '../value-limit.js'
import { layoutOf, type Part, wireTypeOf } from './layout.js'
import { wrappedScalar } from './wrapped-scalars.js'

/** Decodes a message of the type into its JSON value. Throws ProtobufError. */
export function decodeMessage(type: StructType, bytes: Buffer): Record<string, unknown> {
  const fields: Fields = {}
  decoderOf(type)(new Reader(bytes), fields)
  return fields
}

/** As decodeMessage, for what a client has sent. Throws a StatusError 413 for a map with more keys than it may have. */
export function decodeBody(type: StructType, bytes: Buffer): Record<string, unknown> {
  const fields: Fields = {}
  decoderOf(type)(new BodyReader(bytes), fields)
  return fields
}

/** Counts the entries of each map. What is stored already may have more than a body. */
class BodyReader extends Reader {
  readonly #entries = new Map<Fields, number>()

  override enteredIn(map: Fields): void {
    const entries = (this.#entries.get(map) ?? 0) + 1
    if (entries > maxKeys) throw tooManyValues(maxKeys, 'keys in an object')
    this.#entries.set(map, entries)
  }
}

type Fields = Record<string, unknown>
/** Reads up to the end of the message into `fields`. */
type Decoder = (reader: Reader, fields: Fields) => void
/** Reads the value after a tag. `previous` is the field's value so far: repeated messages are merged. */
type ValueReader = (reader: Reader, previous?: unknown) => unknown

const decoders = new WeakMap<StructType, Decoder>()

function decoderOf(type: StructType): Decoder {
  let decoder = decoders.get(type)
  if (!decoder) decoders.set(type, (decoder = compile(layoutOf(type), shortName(type))))
  return decoder
}

const shortName = (type: StructType) => type.go.slice(type.go.lastIndexOf('.') + 1)

function compile(parts: readonly Part[], message: string): Decoder {
  const readers: Decoder[] = []
  for (const part of parts) readers[part.number] = 'field' in part ? compileField(part.field) : compileInner(part.inner, message)
  return (reader, fields) => {
    while (!reader.done) {
      const read = readers[reader.tag(message)]
      if (read) read(reader, fields)
      else reader.skip()
    }
  }
}

/** A struct that Go embeds is a separate message in Protobuf, but its fields belong to the outer type in JSON. */
function compileInner(parts: readonly Part[], message: string): Decoder {
  const decode = compile(parts, message)
  return (reader, fields) => {
    expectWire(reader, wireBytes, message)
    reader.message(() => decode(reader, fields))
  }
}

function expectWire(reader: Reader, wire: number, field: string): void {
  if (reader.wire !== wire) throw new ProtobufError(`proto: wrong wireType = ${reader.wire} for field ${field}`)
}

function compileField(field: Field): Decoder {
  const { name, type } = field
  // embedded structs have the name of their type
  const goName = name === 'metadata' && type.kind === 'struct' ? shortName(type) : field.goName
  if (type.kind === 'list') return compileList(name, goName, type.items)
  if (type.kind === 'map') return compileMap(name, goName, type)
  const wire = wireTypeOf(type)
  const read = valueReader(type)
  return (reader, fields) => {
    expectWire(reader, wire, goName)
    fields[name] = read(reader, fields[name])
  }
}

function compileList(name: string, goName: string, items: Type): Decoder {
  const wire = wireTypeOf(items)
  const read = valueReader(items)
  return (reader, fields) => {
    const list = (fields[name] ??= []) as unknown[]
    if (reader.wire === wireBytes && wire !== wireBytes) {
      // the packed form, which Kubernetes reads but never writes
      reader.message(() => {
        while (!reader.done) list.push(read(reader))
      })
      return
    }
    expectWire(reader, wire, goName)
    list.push(read(reader))
  }
}

function compileMap(name: string, goName: string, { values }: MapType): Decoder {
  const read = values.kind === 'list' ? listReader(values.items) : valueReader(values)
  const missing = values.kind === 'scalar' && values.scalar === 'bytes' ? '' : null
  return (reader, fields) => {
    expectWire(reader, wireBytes, goName)
    const map = (fields[name] ??= {}) as Fields
    reader.message(() => {
      let key = ''
      let value: unknown = missing
      while (!reader.done) {
        switch (reader.tag(goName)) {
          case 1:
            key = reader.string()
            break
          case 2:
            value = read(reader)
            break
          default:
            reader.skip()
        }
      }
      setKey(map, key, value)
      reader.enteredIn(map)
    })
  }
}

function valueReader(type: Type): ValueReader {
  if (type.kind === 'scalar') return scalarReader(type)
  if (type.kind !== 'struct') throw new Error('Protobuf has no lists or maps as values of lists')
  return structReader(type)
}

function structReader(type: StructType): ValueReader {
  // types refer to themselves, so decoders are compiled on first use
  let decoder: Decoder | undefined
  return (reader, previous) => {
    const decode = (decoder ??= decoderOf(type))
    const fields = (previous ?? {}) as Fields
    reader.message(() => decode(reader, fields))
    return fields
  }
}

/** A list as the value of a map is wrapped in a message. */
function listReader(items: Type): ValueReader {
  const decode = compileList('items', 'Items', items)
  return reader => {
    const fields: Fields = { items: [] }
    reader.message(() => {
      while (!reader.done) {
        if (reader.tag('Items') === 1) decode(reader, fields)
        else reader.skip()
      }
    })
    return fields.items
  }
}

function scalarReader(type: ScalarType): ValueReader {
  switch (type.scalar) {
    case 'string':
      return reader => reader.string()
    case 'int32':
      return reader => reader.int32()
    case 'int64':
      return reader => reader.exactInt64()
    case 'bool':
      return reader => reader.bool()
    case 'double':
      return reader => finite(reader.double())
    case 'bytes':
      return reader => reader.bytes().toString('base64')
    default: {
      const { message, unwrap } = wrappedScalar(type.scalar)!
      const read = structReader(message)
      return reader => unwrap(read(reader))
    }
  }
}

/** Refuses NaN and infinities, which JSON cannot express. */
function finite(value: number): number {
  if (!Number.isFinite(value))
    throw new ProtobufError(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`)
  return value
}
