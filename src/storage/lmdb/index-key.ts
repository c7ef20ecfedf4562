/**
 * Keys of the index. LMDB's are short; of a longer one it has the beginning and a digest, and the log has the whole. No UTF-8 has
 * the byte between the two, so that all long keys of one beginning lie together, right after the key that is this beginning.
 */
import { createHash } from 'node:crypto'

/** In bytes. LMDB takes 1978 with its smallest pages. */
const longest = 1900
const marker = 0xff
const groupEnd = Buffer.of(marker, marker)

export const isLong = (key: Buffer): boolean => key.length > longest

/** Of a key in the index: whether it stands for a long one. */
export const isDigest = (indexKey: Buffer): boolean => indexKey.length > longest && indexKey[longest] === marker

export function indexKey(key: Buffer): Buffer {
  if (!isLong(key)) return key
  return Buffer.concat([key.subarray(0, longest), Buffer.of(marker), createHash('sha256').update(key).digest()])
}

/** Where in the index keys from `from` on, below `to`, can be: with long ones the whole of their beginning. */
export function indexRange(from: Buffer, to: Buffer | undefined): { start: Buffer; end: Buffer | undefined } {
  const beginning = (key: Buffer) => key.subarray(0, longest)
  return {
    start: isLong(from) ? beginning(from) : from,
    end: to && isLong(to) ? Buffer.concat([beginning(to), groupEnd]) : to
  }
}

export const haveSameBeginning = (a: Buffer, b: Buffer): boolean => a.subarray(0, longest).equals(b.subarray(0, longest))
