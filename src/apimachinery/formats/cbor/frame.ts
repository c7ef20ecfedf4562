/** Watch events in CBOR. They need no frames: each data item says where it ends. */
import { major } from './cursor.js'
import { CborWriter, selfDescribed } from './write.js'

/** Encodes an event. `object` is an encoded document. */
export function cborFrame(type: string, object: Buffer): Buffer {
  const writer = new CborWriter(false)
  writer.raw(selfDescribed)
  writer.head(major.map, 2)
  writer.string('type')
  writer.string(type)
  writer.string('object')
  writer.raw(object)
  return writer.finish()
}
