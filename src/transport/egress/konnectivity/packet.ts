/**
 * The packets of konnectivity's gRPC service, in which a proxy carries a connection
 * (https://github.com/kubernetes-sigs/apiserver-network-proxy, KEP-1281).
 */
import { Reader, wireBytes, wireVarint } from '../../../util/protobuf/reader.js'
import { ReverseWriter } from '../../../util/protobuf/writer.js'

/** The proxy numbers connections, the client its attempts to dial. */
export type Id = number | bigint

export type Packet =
  | { readonly type: 'dial request'; readonly address: string; readonly dial: Id }
  | { readonly type: 'dial response'; readonly dial: Id; readonly connection: Id; readonly error: string }
  | { readonly type: 'close request'; readonly connection: Id }
  | { readonly type: 'close response'; readonly connection: Id; readonly error: string }
  | { readonly type: 'data'; readonly connection: Id; readonly data: Buffer }
  | { readonly type: 'dial close'; readonly dial: Id }

/** A packet's `type`, and the field with its content. */
const types = {
  'dial request': [0, 2],
  'dial response': [1, 3],
  'close request': [2, 5],
  'close response': [3, 6],
  data: [4, 4],
  'dial close': [5, 7]
} as const

const writer = new ReverseWriter()

/** Writes the packets that a client sends. */
export function encodePacket(packet: Exclude<Packet, { type: 'dial response' | 'close response' }>): Buffer {
  const [type, content] = types[packet.type]
  const before = writer.written
  if (packet.type === 'data') {
    field(3, () => writer.bytes(packet.data))
    number(1, packet.connection)
  } else if (packet.type === 'dial request') {
    number(3, packet.dial)
    field(2, () => writer.string(packet.address))
    field(1, () => writer.string('tcp'))
  } else number(1, packet.type === 'close request' ? packet.connection : packet.dial)
  writer.lengthSince(before)
  writer.varint(content * 8 + 2)
  number(1, type)
  return writer.take()
}

function number(tag: number, value: Id): void {
  writer.int64(value)
  writer.varint(tag * 8)
}

function field(tag: number, write: () => void): void {
  const before = writer.written
  write()
  writer.lengthSince(before)
  writer.varint(tag * 8 + 2)
}

/** The fields of a packet's content by their numbers; unknown ones are left out. */
type Fields = (Id | Buffer | undefined)[]

const lastField = 3

/** Reads the packets that a proxy sends; undefined for those of other sorts. Throws ProtobufError. */
export function decodePacket(bytes: Buffer): Packet | undefined {
  const reader = new Reader(bytes)
  const contents = new Map<number, Fields>()
  let type = 0
  while (!reader.done) {
    const tag = reader.tag('Packet')
    if (tag === 1) type = reader.int32()
    else if (reader.wire === wireBytes)
      contents.set(
        tag,
        reader.message(() => readFields(reader))
      )
    else reader.skip()
  }
  switch (type) {
    case 1: {
      const [, error, connection, dial] = contents.get(3) ?? []
      return { type: 'dial response', error: textOf(error), connection: idOf(connection), dial: idOf(dial) }
    }
    case 3: {
      const [, error, connection] = contents.get(6) ?? []
      return { type: 'close response', error: textOf(error), connection: idOf(connection) }
    }
    case 4: {
      const [, connection, , data] = contents.get(4) ?? []
      return { type: 'data', connection: idOf(connection), data: Buffer.isBuffer(data) ? data : Buffer.alloc(0) }
    }
    case 5: {
      const [, dial] = contents.get(7) ?? []
      return { type: 'dial close', dial: idOf(dial) }
    }
    default:
      return undefined
  }
}

function readFields(reader: Reader): Fields {
  const fields: Fields = []
  while (!reader.done) {
    const tag = reader.tag('Packet')
    if (tag > lastField) reader.skip()
    else if (reader.wire === wireVarint) fields[tag] = reader.exactInt64()
    else if (reader.wire === wireBytes) fields[tag] = reader.bytes()
    else reader.skip()
  }
  return fields
}

const idOf = (value: Fields[number]): Id => (typeof value === 'number' || typeof value === 'bigint' ? value : 0)
const textOf = (value: Fields[number]): string => (Buffer.isBuffer(value) ? value.toString() : '')
