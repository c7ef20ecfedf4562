/** Reads DER step by step and strictly, as Go's cryptobyte does: shortest lengths and integers, no indefinite form. */
import { readElement, readOid, TAG } from './der.js'

export class DerError extends Error {}

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
  any(): { tag: number; content: Buffer; raw: Buffer } {
    let found: ReturnType<typeof readElement>
    try {
      found = readElement(this.#bytes.subarray(this.#at))
    } catch (error) {
      throw new DerError((error as Error).message)
    }
    const { content, raw } = found
    if (raw.length - content.length !== headerLength(content.length)) throw new DerError('length is not in its shortest form')
    this.#at += raw.length
    return found
  }

  /** Reads the content of an element that must have this tag. */
  take(tag: number): Buffer {
    if (!this.isNext(tag)) throw new DerError(`no element with tag ${tag}`)
    return this.any().content
  }

  /** Reads an element with tag and length. */
  whole(tag: number): Buffer {
    if (!this.isNext(tag)) throw new DerError(`no element with tag ${tag}`)
    return this.any().raw
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
    const bytes = this.integer()
    if (bytes[0]! >= 0x80 || bytes.length > 8) throw new DerError('integer is out of range')
    return BigInt(`0x${bytes.toString('hex')}`)
  }

  boolean(): boolean {
    const bytes = this.take(TAG.boolean)
    if (bytes.length !== 1 || (bytes[0] !== 0 && bytes[0] !== 0xff)) throw new DerError('malformed boolean')
    return bytes[0] === 0xff
  }

  oid(): string {
    const bytes = this.take(TAG.oid)
    if (!isOid(bytes)) throw new DerError('malformed object identifier')
    return readOid(bytes)
  }

  /** The bytes of a bit string. Unused bits at its end move the others to the right. */
  bitString(): Buffer {
    const content = this.take(TAG.bitString)
    const unused = content[0]
    const bits = content.subarray(1)
    if (unused === undefined || unused > 7 || (bits.length === 0 && unused > 0)) throw new DerError('malformed bit string')
    if (bits.length > 0 && (bits.at(-1)! & ((1 << unused) - 1)) !== 0) throw new DerError('bit string with unused bits set')
    return unused === 0 ? bits : shifted(bits, unused)
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

function shifted(bits: Buffer, by: number): Buffer {
  const result = Buffer.alloc(bits.length)
  for (let i = 0; i < bits.length; i++) result[i] = (((bits[i - 1] ?? 0) << 8) | bits[i]!) >> by
  return result
}

const headerLength = (length: number): number =>
  length < 0x80 ? 2 : length < 0x100 ? 3 : length < 0x10000 ? 4 : length < 0x1000000 ? 5 : 6

/** Numbers in their shortest form that fit into 31 bits. */
function isOid(bytes: Buffer): boolean {
  let value = 0
  let isStart = true
  for (const byte of bytes) {
    if ((isStart && byte === 0x80) || value >= 2 ** 24) return false
    value = value * 128 + (byte & 0x7f)
    isStart = (byte & 0x80) === 0
    if (isStart) value = 0
  }
  return bytes.length > 0 && isStart
}

/** UTCTime may lack seconds, and both forms may have an offset, though RFC 5280 forbids it. */
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
  const isDate = month >= 1 && month <= 12 && date.getUTCMonth() === month - 1 && day > 0
  if (!isDate || hour > 23 || minute > 59 || second > 59) return undefined
  const local = date.setUTCHours(hour, minute, second)
  if (zone === 'Z') return local
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  // Go would write an offset of nothing as Z
  if (minutes === 0 || Number(zone.slice(1, 3)) > 24 || Number(zone.slice(3)) > 59) return undefined
  return local - (zone[0] === '-' ? -minutes : minutes) * 60_000
}
