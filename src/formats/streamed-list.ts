/**
 * Lists in forms that have to be made for each request: their items are made while they are sent, as fast as the client takes
 * them, and a few at a time, so that others get their turn. How long they are shows at the end.
 */
import type { BodyPieces, Piece } from '../request/message.js'
import { exactJson } from '../util/exact-json.js'
import { sortedJson } from '../util/sorted-json.js'
import { nextTurn, startSlice } from '../util/turns.js'
import type { OutputForm } from './negotiate.js'
import { emitYaml } from './yaml-emit.js'

/** What stands before, between and after the items. */
export interface ListFrame {
  readonly head: string
  readonly separator: string
  readonly end: string
}

const pieceBytes = 128 * 1024
/** How many items are made between looks at the clock. */
const itemsPerLook = 16

/** One that fits into one piece is whole at once, and its length known. */
export function streamedList({ head, separator, end }: ListFrame, items: Iterable<string | Buffer>): Buffer | BodyPieces {
  const parts = items[Symbol.iterator]()
  const between = Buffer.from(separator)
  let begun = false
  let ended = false
  /** The last piece was cut short, because its time was over. */
  let hurried = false
  const make = (): Buffer => {
    const piece: Buffer[] = begun ? [] : [Buffer.from(head)]
    const sliceIsOver = startSlice()
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
      // so that a short list is whole at once however busy the machine is
      hurried = ++count % itemsPerLook === 0 && sliceIsOver()
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
 * A list as JSON or YAML. `top` is all of it but its items, which are its last field in JSON unless that has sorted keys, as YAML
 * always has.
 */
export function encodedList(
  { mediaType, pretty }: OutputForm,
  top: object,
  items: Iterable<unknown>,
  sorted = false
): Buffer | BodyPieces {
  if (mediaType === 'application/yaml') {
    const [before, after] = aroundItems(top)
    const frame = { head: `${emitYaml(before)}items:\n`, separator: '', end: emitYaml(after) }
    return streamedList(
      frame,
      mapped(items, item => emitYaml([item]))
    )
  }
  const encode = sorted ? sortedJson : (value: unknown, pretty?: boolean) => exactJson(value, pretty ? 2 : undefined)
  if (!pretty) {
    const [before, after] = sorted ? aroundItems(top) : [top, {}]
    const end = sorted ? `],${encode(after).slice(1)}\n` : ']}\n'
    const frame = { head: `${encode(before).slice(0, -1)},"items":[`, separator: ',', end }
    return streamedList(
      frame,
      mapped(items, item => encode(item))
    )
  }
  const sample = encode({ ...top, items: [0] }, true)
  const at = sample.indexOf('0', sample.indexOf('"items": ['))
  const frame = { head: sample.slice(0, at), separator: ',\n    ', end: sample.slice(at + 1) }
  return streamedList(
    frame,
    mapped(items, item => encode(item, true).replaceAll('\n', '\n    '))
  )
}

/** The fields before `items` and those after it, where keys are sorted. */
function aroundItems(top: object): [object, object] {
  const fields = Object.entries(top)
  const before = fields.filter(([key]) => key < 'items')
  return [Object.fromEntries(before), Object.fromEntries(fields.filter(([key]) => key > 'items'))]
}

export function* mapped<From, To>(items: Iterable<From>, to: (item: From) => To): Generator<To> {
  for (const item of items) yield to(item)
}
