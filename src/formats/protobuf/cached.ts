/** Protobuf messages of the objects in the watch cache, encoded on first use and kept as long as the object. */
import type { BodyPieces } from '../../request/message.js'
import { loadSchema } from '../../schema/load.js'
import type { StructType } from '../../schema/model.js'
import { wireBytes } from '../../util/protobuf/reader.js'
import { type ItemWriter, joinedBody } from '../joined-body.js'
import { encodeMessage } from './encode.js'
import { envelope, wrap } from './envelope.js'
import { tagOf } from './layout.js'

/** The properties of a resource that its messages depend on. */
interface Encodable<O extends object> {
  readonly kind: { readonly kind: string }
  type(version: string): StructType
  apiVersion(version: string): string
  /** The parsed object. */
  parse(cached: O): any
  inVersion(object: any, version: string): any
}

/** By type, because each version of an object has its own message. */
const messages = new WeakMap<StructType, WeakMap<object, Buffer>>()

function messagesOf(type: StructType): WeakMap<object, Buffer> {
  let known = messages.get(type)
  if (!known) messages.set(type, (known = new WeakMap()))
  return known
}

function messageOf<O extends object>(resource: Encodable<O>, version: string, object: O): Buffer {
  const type = resource.type(version)
  const known = messagesOf(type)
  let message = known.get(object)
  if (!message) known.set(object, (message = encodeMessage(type, resource.inVersion(resource.parse(object), version))))
  return message
}

/** One object in its envelope. */
export const cachedObject = <O extends object>(resource: Encodable<O>, version: string, object: O): Buffer =>
  wrap(resource.apiVersion(version), resource.kind.kind, messageOf(resource, version, object))

/** Number of objects to encode before yielding the event loop. */
const turn = 200

/** A list in its envelope. The message consists of the list's metadata and the items' messages, each with tag and length. */
export async function cachedList<O extends object>(
  resource: Encodable<O>,
  version: string,
  objects: readonly O[],
  metadata: object
): Promise<BodyPieces> {
  const known = messagesOf(resource.type(version))
  const items: Buffer[] = []
  let length = 0
  let made = 0
  for (const object of objects) {
    if (!known.has(object) && ++made % turn === 0) await new Promise(setImmediate)
    const message = messageOf(resource, version, object)
    items.push(message)
    length += itemWriter.lengthOf(message)
  }
  const listMeta = encodeMessage(loadSchema().type('meta.v1.ListMeta'), metadata)
  const metaLength = partLength(listMeta)
  const { head, end } = envelope(resource.apiVersion(version), `${resource.kind.kind}List`, metaLength + length)
  const start = Buffer.allocUnsafe(head.length + metaLength)
  writePart(metadataTag, listMeta, start, head.copy(start))
  return joinedBody(start, items, itemWriter, { separator: Buffer.alloc(0), end })
}

const metadataTag = tagOf(1, wireBytes)
const itemsTag = tagOf(2, wireBytes)
const itemWriter: ItemWriter<Buffer> = {
  lengthOf: partLength,
  write: (message, target, offset) => writePart(itemsTag, message, target, offset)
}

/** Length of a message as a field of another one: tag, length, bytes. */
function partLength(message: Buffer): number {
  let length = 2 + message.length
  for (let rest = message.length; rest >= 0x80; rest >>>= 7) length++
  return length
}

function writePart(tag: number, message: Buffer, target: Buffer, offset: number): number {
  let at = offset
  target[at++] = tag
  let rest = message.length
  for (; rest >= 0x80; rest >>>= 7) target[at++] = (rest & 0x7f) | 0x80
  target[at++] = rest
  return at + message.copy(target, at)
}
