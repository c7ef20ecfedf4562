/**
 * Writes a Protobuf message from its end to its beginning, as gogo-protobuf does: a part's length is known when its
 * prefix is written, so nothing is measured beforehand and nothing copied together afterwards.
 */
const firstSize = 16 * 1024
/** A buffer that one large list made grow is not kept. */
const largestKept = 1024 * 1024
/** Up to this length a string of ASCII is copied faster here than by a call into Node. */
const shortString = 64

export class ReverseWriter {
  #buffer: Buffer
  /** Where the first written byte is. */
  #at: number

  constructor(size = firstSize) {
    this.#buffer = Buffer.allocUnsafeSlow(size)
    this.#at = size
  }

  /** Bytes written since the last `take`. */
  get written(): number {
    return this.#buffer.length - this.#at
  }

  /** What was written, in a buffer of its own; the writer is empty afterwards. */
  take(): Buffer {
    const out = Buffer.allocUnsafeSlow(this.written)
    this.#buffer.copy(out, 0, this.#at)
    this.clear()
    return out
  }

  clear(): void {
    if (this.#buffer.length > largestKept) this.#buffer = Buffer.allocUnsafeSlow(firstSize)
    this.#at = this.#buffer.length
  }

  /** Makes room for `length` bytes and returns where they go. */
  #reserve(length: number): number {
    if (this.#at < length) {
      const { written } = this
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, written + length))
      this.#buffer.copy(larger, larger.length - written, this.#at)
      this.#buffer = larger
      this.#at = larger.length - written
    }
    return (this.#at -= length)
  }

  byte(value: number): void {
    const at = this.#reserve(1)
    this.#buffer[at] = value
  }

  /** A non-negative safe integer. */
  varint(value: number): void {
    if (value < 0x80) return this.byte(value)
    let length = 2
    for (let rest = Math.floor(value / 0x4000); rest > 0; rest = Math.floor(rest / 0x80)) length++
    let at = this.#reserve(length)
    let rest = value
    while (rest >= 0x80) {
      this.#buffer[at++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#buffer[at] = rest
  }

  /** A signed 64-bit integer; negative ones take ten bytes. What JSON rounded up beyond the largest is the largest. */
  int64(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return this.varint(value)
    let rest = value >= 2 ** 63 ? 2n ** 63n - 1n : BigInt.asUintN(64, BigInt(value))
    const bytes: number[] = []
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
    bytes.push(Number(rest))
    this.bytes(Uint8Array.from(bytes))
  }

  double(value: number): void {
    const at = this.#reserve(8)
    this.#buffer.writeDoubleLE(value, at)
  }

  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.length)
    this.#buffer.set(value, at)
  }

  string(text: string): void {
    const { length } = text
    if (length <= shortString) {
      const at = this.#reserve(length)
      let i = 0
      for (; i < length; i++) {
        const code = text.charCodeAt(i)
        if (code >= 0x80) break
        this.#buffer[at + i] = code
      }
      if (i === length) return
      this.#at += length
    }
    const bytes = Buffer.byteLength(text)
    const at = this.#reserve(bytes)
    this.#buffer.write(text, at, bytes)
  }

  /** The length of what was written since `written` was `before`. */
  lengthSince(before: number): void {
    this.varint(this.written - before)
  }
}
