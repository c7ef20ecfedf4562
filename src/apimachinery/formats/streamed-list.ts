/**
 * Streams lists in forms that have to be encoded for each request. Items are encoded while the list is sent, as fast as the
 * client reads, and a few at a time, so that other requests get their turn. The total length is known only at the end.
 */

import { exactJson } from '../../util/exact-json.js'
import { sortedJson } from '../../util/sorted-json.js'
import { nextTurn, startSlice } from '../../util/turns.js'
import type { BodyPieces, Piece } from '../request/message.js'
import type { OutputForm } from './negotiate.js'
import { emitYaml } from './yaml-emit.js'

/** What stands before, between and after the items. */
export interface ListFrame {
  readonly head: string | Buffer
  readonly separator: string
  readonly end: string
}

const pieceBytes = 128 * 1024
/** Number of items to encode between looks at the clock. */
const itemsPerLook = 16
/** Milliseconds after which items are so large that no more of them are encoded at once. */
const longPiece = 20

/** Encodes a list. A list that fits into one piece is returned as a Buffer, so that its length is known. */
export function streamedList({ head, separator, end }: ListFrame, items: Iterable<string | Buffer>): Buffer | BodyPieces {
  const parts = items[Symbol.iterator]()
  const between = Buffer.from(separator)
  let begun = false
  let ended = false
  /** True when the last piece was cut short because its time slice was over. */
  let hurried = false
  const make = (): Buffer => {
    const piece: Buffer[] = begun ? [] : [Buffer.isBuffer(head) ? head : Buffer.from(head)]
    const sliceIsOver = startSlice()
    const longEnd = performance.now() + longPiece
    let bytes = 0
    let count = 0
    hurried = false
    while (bytes < pieceBytes && !hurried) {
      const { done, value } = parts.next()
      if (done) {
        piece.push(Buffer.from(end))
        ended = true
        break
      }
      const item = Buffer.isBuffer(value) ? value : Buffer.from(value)
      if (begun) piece.push(between)
      begun = true
      piece.push(item)
      bytes += item.length
      // a look at the clock only now and then lets a short list fit into one piece even on a busy machine
      hurried = ++count % itemsPerLook === 0 ? sliceIsOver() : performance.now() > longEnd
    }
    return Buffer.concat(piece)
  }
  let first: Buffer | undefined = make()
  if (ended) return first
  const next = (): Piece | undefined => (ended ? undefined : { bytes: make(), done() {} })
  return {
    length: undefined,
    next() {
      if (!first) return hurried ? nextTurn().then(next) : next()
      const piece: Piece = { bytes: first, done() {} }
      first = undefined
      return piece
    }
  }
}

/**
 * Encodes a list as JSON or YAML. `top` is the list without its items, whose field is `name`. The items are the last field in JSON,
 * except with sorted keys, which YAML always has.
 */
export function encodedList(
  { mediaType, pretty }: OutputForm,
  top: object,
  items: Iterable<unknown>,
  sorted = false,
  name = 'items'
): Buffer | BodyPieces {
  if (mediaType === 'application/yaml') {
    const [before, after] = aroundItems(top, name)
    const frame = { head: `${yamlFields(before)}${name}:\n`, separator: '', end: yamlFields(after) }
    return streamedList(
      frame,
      mapped(items, item => emitYaml([item]))
    )
  }
  const encode = sorted ? sortedJson : (value: unknown, pretty?: boolean) => exactJson(value, pretty ? 2 : undefined)
  if (!pretty) {
    const [before, after] = sorted ? aroundItems(top, name) : [top, {}]
    const end = Object.keys(after).length > 0 ? `],${encode(after).slice(1)}\n` : ']}\n'
    const frame = { head: `${encode(before).slice(0, -1)},"${name}":[`, separator: ',', end }
    return streamedList(
      frame,
      mapped(items, item => encode(item))
    )
  }
  const sample = encode({ ...top, [name]: [0] }, true)
  const at = sample.indexOf('0', sample.lastIndexOf(`\n  "${name}": [`))
  const frame = { head: sample.slice(0, at), separator: ',\n    ', end: sample.slice(at + 1) }
  return streamedList(
    frame,
    mapped(items, item => encode(item, true).replaceAll('\n', '\n    '))
  )
}

const yamlFields = (fields: object) => (Object.keys(fields).length > 0 ? emitYaml(fields) : '')

/** Splits the fields into those before and those after the items in sorted order. */
function aroundItems(top: object, name: string): [object, object] {
  const fields = Object.entries(top)
  const before = fields.filter(([key]) => key < name)
  return [Object.fromEntries(before), Object.fromEntries(fields.filter(([key]) => key > name))]
}

export function* mapped<From, To>(items: Iterable<From>, to: (item: From) => To): Generator<To> {
  for (const item of items) yield to(item)
}
