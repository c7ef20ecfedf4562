/**
 * Bodies that join many encoded items between a head and an end. Items are joined while the body is sent, so only a few pieces
 * exist at a time.
 */
import type { BodyPieces, Piece } from '../request/message.js'

const pieceBytes = 256 * 1024
/** Sent pieces that are kept for reuse. */
const maxFree = 8
const free: Buffer[] = []

/** The bytes between items and after the last one. */
export interface Joint {
  readonly separator: Buffer
  readonly end: Buffer
}

const jsonJoint: Joint = { separator: Buffer.from(','), end: Buffer.from(']}\n') }

/** Writes an item as bytes. */
export interface ItemWriter<Item> {
  lengthOf(item: Item): number
  /** Returns the offset after the item. */
  write(item: Item, target: Buffer, offset: number): number
}

const asTheyAre: ItemWriter<Buffer> = {
  lengthOf: item => item.length,
  write: (item, target, offset) => offset + item.copy(target, offset)
}

export interface JoinedBody extends BodyPieces {
  readonly length: number
  next(): Piece | undefined
}

/** `head` is the text before the items: in JSON, up to the opening bracket. */
export function joinedBody(head: string, items: readonly Buffer[]): JoinedBody
export function joinedBody<Item>(
  head: string | Buffer,
  items: readonly Item[],
  writer: ItemWriter<Item>,
  joint?: Joint
): JoinedBody
export function joinedBody(
  head: string | Buffer,
  items: readonly unknown[],
  writer: ItemWriter<any> = asTheyAre,
  { separator, end } = jsonJoint
): JoinedBody {
  const headBytes = Buffer.isBuffer(head) ? head : Buffer.from(head)
  let length = headBytes.length + end.length + Math.max(0, items.length - 1) * separator.length
  for (const item of items) length += writer.lengthOf(item)
  let next = 0
  let begun = false
  let ended = false
  return {
    length,
    next() {
      if (ended) return undefined
      const piece = takeBuffer(
        (begun ? 0 : headBytes.length) + (next < items.length ? writer.lengthOf(items[next]) + separator.length : 0) + end.length
      )
      let at = begun ? 0 : headBytes.copy(piece)
      begun = true
      for (; next < items.length; next++) {
        if (at + writer.lengthOf(items[next]) + separator.length + end.length > piece.length) break
        if (next > 0) at += separator.copy(piece, at)
        at = writer.write(items[next], piece, at)
      }
      if (next === items.length) {
        at += end.copy(piece, at)
        ended = true
      }
      return { bytes: piece.subarray(0, at), done: () => giveBack(piece) }
    }
  }
}

function takeBuffer(atLeast: number): Buffer {
  if (atLeast > pieceBytes) return Buffer.allocUnsafeSlow(atLeast)
  return free.pop() ?? Buffer.allocUnsafeSlow(pieceBytes)
}

function giveBack(buffer: Buffer): void {
  if (buffer.length === pieceBytes && free.length < maxFree) free.push(buffer)
}
