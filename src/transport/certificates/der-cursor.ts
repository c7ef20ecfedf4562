/** Reads DER step by step and strictly, as Go's cryptobyte does: shortest lengths and integers, no indefinite form. */
import { TAG } from './der.js'

export class DerError extends Error {}

export interface DerElement {
  readonly tag: number
  readonly content: Buffer
  /** Tag, length and content. */
  readonly raw: Buffer
}

export class DerCursor {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length
  }

  isNext(tag: number): boolean {
    return this.#bytes[this.#at] === tag
  }

  /** Reads an element with any tag. */
  any(): DerElement {
    const found = elementAt(this.#bytes, this.#at)
    this.#at += found.raw.length
    return found
  }

  /** Reads an element that must have this tag. */
  whole(tag: number): DerElement {
    if (!this.isNext(tag)) throw new DerError(`no element with tag ${tag}`)
    return this.any()
  }

  /** Reads the content of an element that must have this tag. */
  take(tag: number): Buffer {
    return this.whole(tag).content
  }

  in(tag: number): DerCursor {
    return new DerCursor(this.take(tag))
  }

  optional(tag: number): Buffer | undefined {
    return this.isNext(tag) ? this.take(tag) : undefined
  }

  /** The big-endian bytes of an integer in two's complement. */
  integer(): Buffer {
    const bytes = this.take(TAG.integer)
    const [first, second = 0] = bytes
    const isPadded = bytes.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
    if (first === undefined || isPadded) throw new DerError('integer is not in its shortest form')
    return bytes
  }

  /** An integer from 0 to 2^63 - 1. */
  natural(): bigint {
    const number = int64Of(this.integer())
    if (number < 0n) throw new DerError('integer is out of range')
    return number
  }

  boolean(): boolean {
    const bytes = this.take(TAG.boolean)
    if (bytes.length !== 1 || (bytes[0] !== 0 && bytes[0] !== 0xff)) throw new DerError('malformed boolean')
    return bytes[0] === 0xff
  }

  oid(): string {
    return oidOf(this.take(TAG.oid))
  }

  /** Returns the bytes of a bit string as they are: the last byte may be used in part only. */
  bits(): Buffer {
    return this.#bitString().bits
  }

  /** Returns a bit string as a number, such as a key or a signature: unused bits at its end shift the others to the right. */
  bitString(): Buffer {
    const { bits, unused } = this.#bitString()
    return shifted(bits, unused)
  }

  #bitString(): { bits: Buffer; unused: number } {
    const content = this.take(TAG.bitString)
    const unused = content[0]
    const bits = content.subarray(1)
    if (unused === undefined || unused > 7 || (bits.length === 0 && unused > 0)) throw new DerError('malformed bit string')
    // when there are no bits, `unused` is 0 at this point
    if ((bits.at(-1)! & ((1 << unused) - 1)) !== 0) throw new DerError('bit string with unused bits set')
    return { bits, unused }
  }

  /** A time in milliseconds since 1970. */
  time(): number {
    const { tag, content } = this.any()
    if (tag !== TAG.utcTime && tag !== TAG.generalizedTime) throw new DerError('unsupported time format')
    const time = timeOf(content.toString('latin1'), tag === TAG.utcTime)
    if (time === undefined) throw new DerError('malformed time')
    return time
  }
}

function elementAt(bytes: Buffer, at: number): DerElement {
  const tag = bytes[at]
  let length = bytes[at + 1]
  // no certificate has a tag of several bytes
  if (tag === undefined || length === undefined || (tag & 0x1f) === 0x1f) throw new DerError('malformed DER')
  let start = at + 2
  if (length >= 0x80) {
    const digits = length & 0x7f
    if (digits === 0 || digits > 4 || bytes.length < start + digits) throw new DerError('malformed length')
    length = bytes.readUIntBE(start, digits)
    if (length < 0x80 || length < 256 ** (digits - 1)) throw new DerError('length is not in its shortest form')
    start += digits
  }
  const end = start + length
  if (bytes.length < end) throw new DerError('truncated DER')
  return { tag, content: bytes.subarray(start, end), raw: bytes.subarray(at, end) }
}

function shifted(bits: Buffer, by: number): Buffer {
  const result = Buffer.alloc(bits.length)
  for (let i = 0; i < bits.length; i++) result[i] = (((bits[i - 1] ?? 0) << 8) | bits[i]!) >> by
  return result
}

/** Reads an object identifier: numbers in their shortest form that fit into 31 bits. */
function oidOf(bytes: Buffer): string {
  const numbers: number[] = []
  let value = 0
  let isStart = true
  for (const byte of bytes) {
    if ((isStart && byte === 0x80) || value >= 2 ** 24) throw new DerError('malformed object identifier')
    value = value * 128 + (byte & 0x7f)
    isStart = (byte & 0x80) === 0
    if (!isStart) continue
    numbers.push(value)
    value = 0
  }
  const first = numbers.shift()
  if (first === undefined || !isStart) throw new DerError('malformed object identifier')
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...numbers].join('.')
}

/** An integer in two's complement of at most 64 bits. */
export function int64Of(bytes: Buffer): bigint {
  if (bytes.length === 0 || bytes.length > 8) throw new DerError('integer is out of range')
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`))
}

export const isAscii = (bytes: Buffer): boolean => bytes.every(byte => byte < 0x80)

/** Matches a UTCTime. It may lack seconds, and both forms may have an offset, though RFC 5280 forbids that. */
const utcPattern = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/
const generalizedPattern = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/

function timeOf(text: string, isUtc: boolean): number | undefined {
  const match = (isUtc ? utcPattern : generalizedPattern).exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const zone = match[7]!
  const date = new Date(0)
  date.setUTCFullYear(isUtc ? (year < 50 ? 2000 : 1900) + year : year, month - 1, day)
  // a day that does not exist falls into another month
  const isDate = date.getUTCMonth() === month - 1
  if (!isDate || hour > 23 || minute > 59 || second > 59) return undefined
  const local = date.setUTCHours(hour, minute, second)
  if (zone === 'Z') return local
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  // Go would write an offset of zero as Z
  if (minutes === 0 || Number(zone.slice(1, 3)) > 24 || Number(zone.slice(3)) > 59) return undefined
  return local - (zone[0] === '-' ? -minutes : minutes) * 60_000
}
