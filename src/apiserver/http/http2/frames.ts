/** Frames of HTTP/2 (RFC 9113, sections 4 and 6). */
import { ConnectionError, errorCode } from './errors.js'

export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9
} as const

export const flag = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const

/** Bytes before the payload. */
export const headerBytes = 9

/** Bytes that the payload of a frame may have, unless its receiver allows more. This server does not. */
export const defaultFrameBytes = 16384

/** A frame with the payload that `write` puts at `offset`. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  length: number,
  write?: (into: Buffer, offset: number) => void
): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + length)
  writeFrameHeader(bytes, 0, type, flags, stream, length)
  write?.(bytes, headerBytes)
  return bytes
}

export function writeFrameHeader(into: Buffer, at: number, type: number, flags: number, stream: number, length: number): void {
  into[at] = length >>> 16
  into[at + 1] = length >>> 8
  into[at + 2] = length
  into[at + 3] = type
  into[at + 4] = flags
  into.writeUInt32BE(stream, at + 5)
}

/** The payload of DATA or HEADERS without what pads it. Throws ConnectionError when the padding is longer than the payload. */
export function withoutPadding(flags: number, payload: Buffer): Buffer {
  if ((flags & flag.padded) === 0) return payload
  const padding = payload[0]
  if (padding === undefined) throw new ConnectionError(errorCode.frameSize, 'a frame without its padding')
  if (padding >= payload.length) throw new ConnectionError(errorCode.protocol, 'more padding than payload')
  return payload.subarray(1, payload.length - padding)
}

export type OnFrame = (type: number, flags: number, stream: number, payload: Buffer) => void

/** Chunks of an incomplete frame that are kept as they came. Bytes that come one by one would take hundreds of times their size. */
const maxParts = 64

/** Cuts what arrives into frames. */
export class FrameReader {
  /** What has arrived of an incomplete frame. */
  #parts: Buffer[] = []
  #have = 0
  /** Bytes without which the incomplete frame cannot go on. */
  #need = headerBytes

  /** Calls `onFrame` for each frame that is complete with `chunk`. Throws ConnectionError FRAME_SIZE_ERROR. */
  read(chunk: Buffer, onFrame: OnFrame): void {
    this.#have += chunk.length
    if (this.#have < this.#need) {
      this.#parts.push(chunk)
      if (this.#parts.length === maxParts) this.#parts = [Buffer.concat(this.#parts, this.#have)]
      return
    }
    const bytes = this.#parts.length === 0 ? chunk : Buffer.concat([...this.#parts, chunk], this.#have)
    let at = 0
    this.#need = headerBytes
    while (bytes.length - at >= headerBytes) {
      const length = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!
      if (length > defaultFrameBytes) throw new ConnectionError(errorCode.frameSize, `a frame of ${length} bytes`)
      const end = at + headerBytes + length
      if (end > bytes.length) {
        this.#need = headerBytes + length
        break
      }
      // the highest bit is reserved
      const stream = bytes.readUInt32BE(at + 5) & 0x7fffffff
      onFrame(bytes[at + 3]!, bytes[at + 4]!, stream, bytes.subarray(at + headerBytes, end))
      at = end
    }
    this.#parts = at === bytes.length ? [] : [bytes.subarray(at)]
    this.#have = bytes.length - at
  }
}
