/** Reads Protobuf's wire format. Malformed bytes throw a ProtobufError with gogo-protobuf's message. */

/** The bytes are not a message of the type. */
export class ProtobufError extends Error {}

/**
 * Deepest nesting of messages. Each level takes a few stack frames, so the limit is lower than JSON's; real messages are far
 * below.
 */
const maxDepth = 500

/**
 * The most fields in a whole message (an entry of a map counts as three), so that a small message cannot be expensive to read.
 */
const maxTags = 300_000

export const wireVarint = 0
export const wireFixed64 = 1
export const wireBytes = 2
const wireStartGroup = 3
const wireEndGroup = 4
const wireFixed32 = 5

const unexpectedEnd = () => new ProtobufError('unexpected EOF')

export class Reader {
  readonly #bytes: Buffer
  #at = 0
  /** The offset at which the innermost message ends. */
  #end: number
  #depth = 0
  #tags = 0
  /** The halves of the last varint, because numbers are exact only up to 2^53. */
  #low = 0
  #high = 0
  /** The wire type of the last tag. */
  wire = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#end = bytes.length
  }

  get done(): boolean {
    return this.#at >= this.#end
  }

  /** Returns the number of the next field. `message` is the Go type that errors name. */
  tag(message: string): number {
    if (++this.#tags > maxTags) throw new ProtobufError(`proto: ${message}: more than ${maxTags} fields`)
    this.#varint()
    this.wire = this.#low & 7
    const number = (this.#low >>> 3) | (this.#high << 29)
    if (this.wire === wireEndGroup) throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`)
    if (number <= 0)
      throw new ProtobufError(`proto: ${message}: illegal tag ${number} (wire type ${unsigned(this.#low, this.#high)})`)
    return number
  }

  /** Called for each entry that a map of the message got. A kind of reader may bound them. */
  enteredIn(_map: object): void {}

  int32(): number {
    this.#varint()
    return this.#low
  }

  /** Returns a number, which is rounded beyond 2^53. */
  int64(): number {
    this.#varint()
    return this.#high * 2 ** 32 + (this.#low >>> 0)
  }

  /** Returns a bigint beyond 2^53. */
  exactInt64(): number | bigint {
    const rounded = this.int64()
    return Number.isSafeInteger(rounded) ? rounded : (BigInt(this.#high) << 32n) | BigInt(this.#low >>> 0)
  }

  bool(): boolean {
    this.#varint()
    return this.#low !== 0 || this.#high !== 0
  }

  double(): number {
    this.#need(8)
    const value = this.#bytes.readDoubleLE(this.#at)
    this.#at += 8
    return value
  }

  string(): string {
    const length = this.#length()
    return this.#bytes.toString('utf8', this.#at, (this.#at += length))
  }

  /** Returns a view, not a copy. */
  bytes(): Buffer {
    const length = this.#length()
    return this.#bytes.subarray(this.#at, (this.#at += length))
  }

  /** Calls `read` until the length-delimited part that begins here has been consumed. */
  message<T>(read: () => T): T {
    const length = this.#length()
    const end = this.#end
    this.#end = this.#at + length
    if (++this.#depth > maxDepth) throw new ProtobufError('exceeded max depth')
    const value = read()
    this.#depth--
    this.#end = end
    return value
  }

  /** Skips the value of the field whose tag was read last. Groups, which are obsolete, may nest. */
  skip(): void {
    let groups = 0
    for (let type = this.wire; ; type = this.#low & 7) {
      switch (type) {
        case wireVarint:
          this.#varint()
          break
        case wireFixed64:
          this.#advance(8)
          break
        case wireBytes:
          this.#advance(this.#length())
          break
        case wireStartGroup:
          groups++
          break
        case wireEndGroup:
          if (groups-- === 0) throw new ProtobufError('proto: unexpected end of group')
          break
        case wireFixed32:
          this.#advance(4)
          break
        default:
          throw new ProtobufError(`proto: illegal wireType ${type}`)
      }
      if (groups === 0) return
      this.#varint()
    }
  }

  #need(length: number): void {
    if (this.#end - this.#at < length) throw unexpectedEnd()
  }

  #advance(length: number): void {
    this.#need(length)
    this.#at += length
  }

  #length(): number {
    this.#varint()
    if (this.#high < 0) throw new ProtobufError('proto: negative length found during unmarshaling')
    if (this.#high > 0) throw unexpectedEnd()
    const length = this.#low >>> 0
    this.#need(length)
    return length
  }

  #varint(): void {
    let low = 0
    let high = 0
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new ProtobufError('proto: integer overflow')
      if (this.#at >= this.#end) throw unexpectedEnd()
      const byte = this.#bytes[this.#at++]!
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high |= bits >>> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) break
    }
    this.#low = low
    this.#high = high
  }
}

const unsigned = (low: number, high: number) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
