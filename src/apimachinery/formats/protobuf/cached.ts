/** Protobuf messages of the objects in the watch cache, encoded on first use and kept within a budget. */

import { wireBytes } from '../../../util/protobuf/reader.js'
import type { BodyPieces } from '../../request/message.js'
import { loadSchema } from '../../schema/load.js'
import type { StructType } from '../../schema/model.js'
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
  /** The messages that are kept of a version. */
  messages(version: string): Messages<O>
}

/** Messages that are kept, within a budget. */
export interface Messages<O> {
  get(object: O): Buffer | undefined
  set(object: O, message: Buffer, bytes: number): void
  hasRoomFor(bytes: number): boolean
}

function encoded<O extends object>(resource: Encodable<O>, version: string, object: O): Buffer {
  return encodeMessage(resource.type(version), resource.inVersion(resource.parse(object), version))
}

function messageOf<O extends object>(resource: Encodable<O>, version: string, object: O): Buffer {
  const messages = resource.messages(version)
  let message = messages.get(object)
  if (!message) messages.set(object, (message = encoded(resource, version, object)), message.length)
  return message
}

/** One object in its envelope. */
export const cachedObject = <O extends object>(resource: Encodable<O>, version: string, object: O): Buffer =>
  wrap(resource.apiVersion(version), resource.kind.kind, messageOf(resource, version, object))

/** Number of objects to encode before yielding the event loop. */
const turn = 200

/**
 * A list in its envelope. The message has the list's metadata and the items' messages, each with tag and length. The envelope begins
 * with the length of all, so every item is encoded before the first is sent. Items that there is no room to keep are encoded a second
 * time when the client takes them.
 */
export async function cachedList<O extends object>(
  resource: Encodable<O>,
  version: string,
  objects: readonly O[],
  metadata: object
): Promise<BodyPieces> {
  const messages = resource.messages(version)
  const items: Item<O>[] = []
  let length = 0
  let made = 0
  for (const object of objects) {
    let message = messages.get(object)
    if (!message) {
      if (++made % turn === 0) await new Promise(setImmediate)
      message = encoded(resource, version, object)
      if (messages.hasRoomFor(message.length)) messages.set(object, message, message.length)
    }
    const part = partLength(message)
    items.push({ object, length: part })
    length += part
  }
  const listMeta = encodeMessage(loadSchema().type('meta.v1.ListMeta'), metadata)
  const metaLength = partLength(listMeta)
  const { head, end } = envelope(resource.apiVersion(version), `${resource.kind.kind}List`, metaLength + length)
  const start = Buffer.allocUnsafe(head.length + metaLength)
  writePart(metadataTag, listMeta, start, head.copy(start))
  const writer: ItemWriter<Item<O>> = {
    lengthOf: item => item.length,
    write: ({ object }, target, offset) =>
      writePart(itemsTag, messages.get(object) ?? encoded(resource, version, object), target, offset)
  }
  return joinedBody(start, items, writer, { separator: Buffer.alloc(0), end })
}

interface Item<O> {
  readonly object: O
  /** With tag and length of the message. */
  readonly length: number
}

const metadataTag = tagOf(1, wireBytes)
const itemsTag = tagOf(2, wireBytes)

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
