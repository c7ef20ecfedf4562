/** Reads the heads of CBOR data items (RFC 8949, section 3). Errors have the texts of the Go package that kube-apiserver uses. */

/** The bytes are no CBOR, or are CBOR that cannot be decoded. The message is Go's. */
export class CborError extends Error {}

export const major = { unsigned: 0, negative: 1, bytes: 2, text: 3, list: 4, map: 5, tag: 6, simple: 7 } as const

/** The names of major types in errors. */
export const typeNames = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives'
] as const

export const breakByte = 0xff
/** The additional information of items whose length is not said in advance. */
export const indefinite = 31

/**
 * A place in well-formed CBOR. Reading a head sets the fields below, so that nothing is allocated for it. Only `checkWellFormed`
 * uses it on bytes of which nothing is known yet.
 */
export class Cursor {
  readonly bytes: Buffer
  at = 0
  /** The major type in the head that was read last. */
  type = 0
  /** Its additional information: the low five bits. */
  info = 0
  /** Its argument: a bigint only beyond 2^53. Of floats, unused. */
  argument: number | bigint = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** The major type of the next item. */
  get nextType(): number {
    return this.bytes[this.at]! >> 5
  }

  get isNullNext(): boolean {
    const next = this.bytes[this.at]
    return next === 0xf6 || next === 0xf7
  }

  readHead(): void {
    const { bytes } = this
    const first = bytes[this.at++]!
    this.type = first >> 5
    const info = (this.info = first & 0x1f)
    if (info < 24 || info > 27) {
      this.argument = info
      return
    }
    const at = this.at
    const size = 1 << (info - 24)
    this.at += size
    if (size === 1) this.argument = bytes[at]!
    else if (size === 2) this.argument = bytes.readUInt16BE(at)
    else if (size === 4) this.argument = bytes.readUInt32BE(at)
    else {
      const high = bytes.readUInt32BE(at)
      this.argument = high < 0x200000 ? high * 2 ** 32 + bytes.readUInt32BE(at + 4) : bytes.readBigUInt64BE(at)
    }
  }

  /** Whether the item whose head was read last has items up to a break. */
  get isIndefinite(): boolean {
    return this.info === indefinite
  }

  /** Skips the break that ends an item of indefinite length, if it is next. */
  takeBreak(): boolean {
    if (this.bytes[this.at] !== breakByte) return false
    this.at++
    return true
  }

  /** Skips the next item, with all that it contains. */
  skip(): void {
    // items still to be skipped in each open container; -1 in those that a break ends
    const open: number[] = []
    let left = 1
    for (;;) {
      if (left === 0 || (left < 0 && this.takeBreak())) {
        const outer = open.pop()
        if (outer === undefined) return
        left = outer
        continue
      }
      if (left > 0) left--
      this.readHead()
      const { type } = this
      const within = this.isIndefinite && type !== major.simple ? -1 : itemsWithin(type, Number(this.argument))
      if (within === 0) {
        if (type === major.bytes || type === major.text) this.at += Number(this.argument)
      } else {
        open.push(left)
        left = within
      }
    }
  }

  /** The float whose head was read last. */
  float(): number {
    const { bytes, at, info } = this
    if (info === 25) return halfFloat(bytes.readUInt16BE(at - 2))
    return info === 26 ? bytes.readFloatBE(at - 4) : bytes.readDoubleBE(at - 8)
  }
}

function itemsWithin(type: number, argument: number): number {
  if (type === major.list) return argument
  return type === major.map ? argument * 2 : type === major.tag ? 1 : 0
}

/** Decodes a float of 16 bits (IEEE 754 binary16). */
export function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1024 + fraction) * 2 ** (exponent - 25)
}
