import type { Write } from './contract.js'

/** Longest key in bytes of UTF-8. Nearly all keys are below 500 bytes, but the names of RBAC objects may have any length. */
export const maxKeyBytes = 65_535

/** Most writes in one commit: 16 bits hold the index of a write within its commit. */
const maxWrites = 65_536

/**
 * Returns false for strings that no commit can have written. A lone surrogate has no UTF-8 form: two keys would become the same
 * bytes.
 */
export const isKey = (key: string): boolean => key !== '' && Buffer.byteLength(key) <= maxKeyBytes && key.isWellFormed()

/** Checks the rules that every engine enforces on a commit. Throws RangeError, because a violation is a bug of the caller. */
export const assertWrites = (writes: readonly Write[]): void => {
  if (!writes.every(write => isKey(write.key))) throw new RangeError(`a key is well-formed Unicode of 1 to ${maxKeyBytes} bytes`)
  if (writes.length > maxWrites) throw new RangeError(`a commit has at most ${maxWrites} writes`)
  if (writes.length > 1 && new Set(writes.map(write => write.key)).size < writes.length)
    throw new RangeError('the keys of one commit must be distinct')
}

const others = /[\ud800-\uffff]/
const eachOther = /[\ud800-\uffff]/g

/**
 * Returns a string that sorts, with `<`, as the key's UTF-8 bytes do. UTF-16 sorts U+E000 to U+FFFF after the surrogates that
 * stand for higher code points; UTF-8 does not.
 */
export const orderKey = (key: string): string =>
  // a test is a fraction of the price of a replacement that finds nothing
  others.test(key)
    ? key.replace(eachOther, unit =>
        String.fromCharCode(unit >= '\ue000' ? unit.charCodeAt(0) - 0x800 : unit.charCodeAt(0) + 0x2000)
      )
    : key

/** The first bytes after all keys that start with `prefix`; undefined when there is no upper bound. */
const prefixEnd = (prefix: Buffer): Buffer | undefined => {
  if (prefix.length === 0) return undefined
  const end = Buffer.from(prefix)
  // UTF-8 has no byte 0xff, so this cannot overflow.
  end.writeUInt8(end.readUInt8(end.length - 1) + 1, end.length - 1)
  return end
}

/**
 * Returns the range of bytes (`from` inclusive, `to` exclusive) of the keys of `prefix` from `start` on. `start` may have any
 * length: a start longer than any key is cut so that the same keys follow it.
 */
export const keyRange = (prefix: string, start = ''): { from: Buffer; to: Buffer | undefined } | undefined => {
  const first = Buffer.from(prefix)
  if (first.length > maxKeyBytes) return undefined
  const wanted = Buffer.from(start).subarray(0, maxKeyBytes + 1)
  const from = Buffer.compare(wanted, first) > 0 ? wanted : first
  const to = prefixEnd(first)
  if (to !== undefined && Buffer.compare(from, to) >= 0) return undefined
  return { from: from.length === 0 ? Buffer.from([0]) : from, to }
}
