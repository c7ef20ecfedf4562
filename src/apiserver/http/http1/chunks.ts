import { checkTrailers } from './head.js'
import { badRequest, headTooLarge, Refusal } from './refusal.js'

const carriageReturn = 0x0d
const lineFeed = 0x0a
const semicolon = 0x3b

/** No chunk needs more digits for its size. */
const mostDigits = 12
/** Bytes of extensions in one body, which mean nothing here. */
const extensionBytes = 16 * 1024

type State = 'size' | 'extension' | 'line feed' | 'data' | 'end of data' | 'end of data, line feed' | 'trailers' | 'done'

/** Takes a body out of its chunks (RFC 9112, section 7.1), as they come. Lines end with CR LF. */
export class Chunks {
  readonly #trailerBytes: number
  #state: State = 'size'
  #digits = 0
  /** Bytes of the chunk that have not come. */
  #missing = 0
  #extension = 0
  /** Begins with the end of the line before: without a field, the empty line comes at once. */
  #trailers = '\r\n'

  /** `trailerBytes`: how many bytes the fields after the last chunk may have. */
  constructor(trailerBytes: number) {
    this.#trailerBytes = trailerBytes
  }

  get isDone(): boolean {
    return this.#state === 'done'
  }

  /**
   * Reads bytes of the body from `at` on, and returns where they end: behind the next piece of the body, which `data` is called with,
   * or at the end of the body or of the bytes. Throws a Refusal.
   */
  read(bytes: Buffer, at: number, data: (piece: Buffer) => void): number {
    while (at < bytes.length && this.#state !== 'done') {
      if (this.#state === 'data') {
        const end = Math.min(bytes.length, at + this.#missing)
        this.#missing -= end - at
        if (this.#missing === 0) this.#state = 'end of data'
        data(bytes.subarray(at, end))
        return end
      }
      if (this.#state === 'trailers') at = this.#readTrailers(bytes, at)
      else this.#step(bytes[at++]!)
    }
    return at
  }

  #step(byte: number): void {
    switch (this.#state) {
      case 'size': {
        const digit = hexDigit(byte)
        if (digit >= 0 && this.#digits++ < mostDigits) this.#missing = this.#missing * 16 + digit
        else if (digit >= 0 || this.#digits === 0) throw badRequest()
        else if (byte === semicolon) this.#state = 'extension'
        else this.#expect(byte, carriageReturn, 'line feed')
        return
      }
      case 'extension':
        if (byte === carriageReturn) this.#state = 'line feed'
        else if (byte !== 0x09 && (byte < 0x20 || byte === 0x7f)) throw badRequest()
        else if (++this.#extension > extensionBytes) throw new Refusal('413 Payload Too Large')
        return
      case 'line feed':
        this.#digits = 0
        return this.#expect(byte, lineFeed, this.#missing > 0 ? 'data' : 'trailers')
      case 'end of data':
        return this.#expect(byte, carriageReturn, 'end of data, line feed')
      default:
        return this.#expect(byte, lineFeed, 'size')
    }
  }

  #expect(byte: number, expected: number, next: State): void {
    if (byte !== expected) throw badRequest()
    this.#state = next
  }

  #readTrailers(bytes: Buffer, at: number): number {
    const before = this.#trailers.length
    // the end may be spread over several reads
    this.#trailers += bytes.toString('latin1', at, at + this.#trailerBytes)
    const end = this.#trailers.indexOf('\r\n\r\n', Math.max(0, before - 3))
    if (end >= 0) {
      checkTrailers(this.#trailers.slice(2, end))
      this.#state = 'done'
      return at + end + 4 - before
    }
    if (this.#trailers.length > this.#trailerBytes) throw headTooLarge()
    return at + this.#trailers.length - before
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
