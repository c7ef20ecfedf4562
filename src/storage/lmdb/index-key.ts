/**
 * Keys of the index. LMDB limits their length, so the index holds the beginning and a digest of a longer key, and the log holds
 * the whole key. UTF-8 never contains the byte between beginning and digest, so all long keys with a common beginning are
 * adjacent, right after the key that equals this beginning.
 */
import { createHash } from 'node:crypto'

/** In bytes. LMDB allows 1978 with its smallest pages. */
const longest = 1900
const marker = 0xff
const groupEnd = Buffer.of(marker, marker)

export const isLong = (key: Buffer): boolean => key.length > longest

/** Whether a key of the index stands for a long key. */
export const isDigest = (indexKey: Buffer): boolean => indexKey.length > longest && indexKey[longest] === marker

export function indexKey(key: Buffer): Buffer {
  if (!isLong(key)) return key
  return Buffer.concat([key.subarray(0, longest), Buffer.of(marker), createHash('sha256').update(key).digest()])
}

/**
 * The part of the index that can hold the keys from `from` (inclusive) to `to` (exclusive). For a long key it includes every key
 * with the same beginning.
 */
export function indexRange(from: Buffer, to: Buffer | undefined): { start: Buffer; end: Buffer | undefined } {
  const beginning = (key: Buffer) => key.subarray(0, longest)
  return {
    start: isLong(from) ? beginning(from) : from,
    end: to && isLong(to) ? Buffer.concat([beginning(to), groupEnd]) : to
  }
}

export const haveSameBeginning = (a: Buffer, b: Buffer): boolean => a.subarray(0, longest).equals(b.subarray(0, longest))
