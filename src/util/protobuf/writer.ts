/**
 * Writes a Protobuf message from back to front, as gogo-protobuf does: the length of a part is known when its prefix is written,
 * so nothing is measured in advance or copied afterwards.
 */
const firstSize = 16 * 1024
/** A buffer that outgrew this size for one large list is not kept. */
const largestKept = 1024 * 1024
/** Up to this length, copying an ASCII string here is faster than calling into Node. */
const shortString = 64

export class ReverseWriter {
  #buffer: Buffer
  /** The offset of the first written byte. */
  #at: number

  constructor(size = firstSize) {
    this.#buffer = Buffer.allocUnsafeSlow(size)
    this.#at = size
  }

  /** Bytes written since the last `take`. */
  get written(): number {
    return this.#buffer.length - this.#at
  }

  /** Returns the written bytes in a buffer of their own, and empties the writer. */
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

  /** Makes room for `length` bytes and returns their offset. */
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

  /** Writes a non-negative safe integer. */
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

  /**
   * Writes a signed 64-bit integer; negative ones take ten bytes. A value that JSON rounded up beyond the maximum becomes the
   * maximum.
   */
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

  /** Writes the number of bytes written since `written` was `before`. */
  lengthSince(before: number): void {
    this.varint(this.written - before)
  }
}
