/** The body of a list: the cached bytes of its items, joined while they are sent. Only a few pieces exist at a time. */
import type { ObjectForm } from '../registry/encode.js'
import type { BodyPieces } from '../server/context.js'
import type { CachedObject } from '../storage/watch-cache.js'

const pieceBytes = 256 * 1024
/** Pieces that were sent and wait to be filled again. */
const maxFree = 8
const free: Buffer[] = []

const end = ']}\n'

/** `head` is all that stands before the items, up to the opening bracket. */
export function listBody(form: ObjectForm, head: string, objects: readonly CachedObject[]): BodyPieces {
  let length = Buffer.byteLength(head) + end.length + Math.max(0, objects.length - 1)
  for (const object of objects) length += form.itemLength(object.bytes)
  let next = 0
  let lead: string | undefined = head
  let ended = false
  return {
    length,
    next() {
      if (ended) return undefined
      const first = lead === undefined ? undefined : Buffer.byteLength(lead)
      const piece = takeBuffer((first ?? 0) + (next < objects.length ? form.itemLength(objects[next]!.bytes) : 0) + end.length + 1)
      let at = lead === undefined ? 0 : piece.write(lead)
      lead = undefined
      for (; next < objects.length; next++) {
        const { bytes } = objects[next]!
        if (at + form.itemLength(bytes) + end.length + 1 > piece.length) break
        if (next > 0) piece[at++] = 0x2c
        at = form.writeItem(bytes, piece, at)
      }
      if (next === objects.length) {
        at += piece.write(end, at, 'latin1')
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
