/** Lists in CBOR, whose items are encoded while the list is sent. */

import type { BodyPieces } from '../../request/message.js'
import type { Type } from '../../schema/model.js'
import { mapped, streamedList } from '../streamed-list.js'
import { major } from './cursor.js'
import { CborWriter, encodePart, selfDescribed } from './write.js'

/** Encodes a list. `top` is the list without its `count` items. `type` is that of an item, if it is built in. */
export function cborList(top: object, count: number, items: Iterable<unknown>, type?: Type): Buffer | BodyPieces {
  const fields = Object.entries(top).filter(([, value]) => value !== undefined)
  const writer = new CborWriter(false)
  writer.raw(selfDescribed)
  writer.head(major.map, fields.length + 1)
  for (const [name, value] of fields) {
    writer.string(name)
    writer.value(value)
  }
  writer.string('items')
  writer.head(major.list, count)
  return streamedList(
    { head: writer.finish(), separator: '', end: '' },
    mapped(items, item => encodePart(item, type))
  )
}
