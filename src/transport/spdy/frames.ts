/** Frames of SPDY/3.1, as far as kubelets use them: https://www.chromium.org/spdy/spdy-protocol/spdy-protocol-draft3-1/ */

export const frameTypes = {
  ...{ synStream: 1, synReply: 2, rstStream: 3, settings: 4 },
  ...{ ping: 6, goAway: 7, headers: 8, windowUpdate: 9 }
} as const
export const finFlag = 1

const version = 3
const headerBytes = 8
/** Most bytes of a frame that is no data. */
const maxControlBytes = 64 * 1024

export function controlFrame(type: number, flags: number, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(headerBytes + payload.length)
  frame.writeUInt16BE(0x8000 | version, 0)
  frame.writeUInt16BE(type, 2)
  frame.writeUInt32BE(((flags << 24) | payload.length) >>> 0, 4)
  payload.copy(frame, headerBytes)
  return frame
}

export function dataHeader(stream: number, flags: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt32BE(stream, 0)
  header.writeUInt32BE(((flags << 24) | length) >>> 0, 4)
  return header
}

export function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(numbers.length * 4)
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number >>> 0, i * 4)
  return bytes
}

/**
 * Writes header blocks. SPDY compresses them as one zlib stream, which may as well hold blocks that are stored as they are: no
 * compressor has to keep state for a handful of short headers.
 */
export class HeaderBlocks {
  #begun = false

  write(headers: Readonly<Record<string, string>>): Buffer {
    const texts = Object.entries(headers).flatMap(pair => pair.map(text => Buffer.from(text)))
    const parts = [words(texts.length / 2), ...texts.flatMap(text => [words(text.length), text])]
    const block = Buffer.concat(parts)
    const begin = this.#begun ? [] : [streamBegin]
    this.#begun = true
    return Buffer.concat([...begin, storedHeader(block.length), block, storedHeader(0)])
  }
}

/** The begin of a zlib stream with SPDY's dictionary, by its checksum. */
const streamBegin = Buffer.from('7820e3c6a7c2', 'hex')

/** An empty stored block makes the reader hand out what stands before it. */
function storedHeader(length: number): Buffer {
  const header = Buffer.alloc(5)
  header.writeUInt16LE(length, 1)
  header.writeUInt16LE(~length & 0xffff, 3)
  return header
}

export interface FrameListener {
  /** A piece of the data of a stream. */
  data(stream: number, piece: Buffer): void
  /** A stream has no more data. */
  finished(stream: number): void
  control(type: number, flags: number, payload: Buffer): void
}

/** Reads frames from pieces as they come. Data is handed on at once; only other frames are collected, up to a limit. */
export class FrameReader {
  readonly #listener: FrameListener
  readonly #header = Buffer.alloc(headerBytes)
  #headerFilled = 0
  /** The payload of the control frame that has begun and has not come yet. */
  #payload: Buffer | undefined
  #payloadFilled = 0
  /** Bytes of the data frame that has begun and has not come yet. */
  #dataLeft = 0
  #stream = 0
  #type = 0
  #flags = 0

  constructor(listener: FrameListener) {
    this.#listener = listener
  }

  /** Throws for what is no SPDY. */
  push(piece: Buffer): void {
    for (let rest = piece; rest.length > 0; ) {
      if (this.#dataLeft > 0) rest = this.#takeData(rest)
      else if (this.#payload) rest = this.#takePayload(rest, this.#payload)
      else rest = this.#takeHeader(rest)
    }
  }

  #takeHeader(rest: Buffer): Buffer {
    const taken = rest.copy(this.#header, this.#headerFilled)
    this.#headerFilled += taken
    if (this.#headerFilled < headerBytes) return rest.subarray(taken)
    this.#headerFilled = 0
    const first = this.#header.readUInt32BE(0)
    const length = this.#header.readUInt32BE(4) & 0xffffff
    this.#flags = this.#header[4]!
    if ((first & 0x80000000) === 0) {
      if (first === 0) throw new Error('a SPDY frame belongs to no stream')
      this.#stream = first
      this.#dataLeft = length
      if (length === 0) this.#endOfData()
    } else {
      if (((first >>> 16) & 0x7fff) !== version) throw new Error('the other side speaks another version of SPDY')
      if (length > maxControlBytes) throw new Error(`a SPDY frame is longer than ${maxControlBytes} bytes`)
      this.#type = first & 0xffff
      this.#payloadFilled = 0
      this.#payload = Buffer.allocUnsafe(length)
      if (length === 0) this.#takePayload(rest, this.#payload)
    }
    return rest.subarray(taken)
  }

  #takePayload(rest: Buffer, payload: Buffer): Buffer {
    const taken = rest.copy(payload, this.#payloadFilled)
    this.#payloadFilled += taken
    if (this.#payloadFilled === payload.length) {
      this.#payload = undefined
      this.#listener.control(this.#type, this.#flags, payload)
    }
    return rest.subarray(taken)
  }

  #takeData(rest: Buffer): Buffer {
    const part = rest.subarray(0, this.#dataLeft)
    this.#dataLeft -= part.length
    this.#listener.data(this.#stream, part)
    if (this.#dataLeft === 0) this.#endOfData()
    return rest.subarray(part.length)
  }

  #endOfData(): void {
    if (this.#flags & finFlag) this.#listener.finished(this.#stream)
  }
}
