/** Frames watch events for Protobuf streams: the length, then a WatchEvent without envelope that contains an enveloped object. */

import { wireBytes } from '../../../util/protobuf/reader.js'
import { ReverseWriter } from '../../../util/protobuf/writer.js'
import { tagOf } from './layout.js'

const lengthBytes = 4

export function watchFrame(type: string, object: Buffer): Buffer {
  const writer = new ReverseWriter(object.length + 64)
  // the RawExtension that contains the object
  writer.bytes(object)
  writer.varint(object.length)
  writer.varint(tagOf(1, wireBytes))
  writer.lengthSince(0)
  writer.varint(tagOf(2, wireBytes))
  const before = writer.written
  writer.string(type)
  writer.lengthSince(before)
  writer.varint(tagOf(1, wireBytes))
  const length = Buffer.allocUnsafe(lengthBytes)
  length.writeUInt32BE(writer.written)
  writer.bytes(length)
  return writer.take()
}
