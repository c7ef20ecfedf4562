import { defaultFrameBytes, flag, frame, frameType, headerBytes, writeFrameHeader } from './frames.js'

/** Frames that leave together, in one write to the connection. */
export interface Batch {
  readonly frames: Buffer[]
  bytes: number
  /** Bytes of DATA that the connection's window still admits. */
  window: number
}

/** Bytes after which a batch is full. Each stream may add as many in its turn. */
export const batchBytes = 64 * 1024

interface Chunk {
  readonly bytes: Buffer
  readonly done: (() => void) | undefined
}

/** What comes after a stream's turn: nothing more, its next turn, or waiting for a window or for more to send. */
export type Turn = 'ended' | 'again' | 'stream window' | 'connection window' | 'idle'

/** What a stream has to send: its headers, then the body, as the windows admit it (RFC 9113, section 5.2). */
export class Outgoing {
  readonly #id: number
  /** Bytes of DATA that the client takes on this stream. Below 0 after it has made its windows smaller. */
  window: number
  /** Bytes of the body that have not been sent. */
  bytes = 0
  /** Whether the sender has the stream among those with something to send. */
  isQueued = false
  #head: Buffer | undefined
  #chunks: Chunk[] = []
  /** Bytes of the first chunk that have been sent. */
  #sent = 0
  #isEnding = false
  /** Whether a frame with END_STREAM has been made. */
  #hasEnded = false

  constructor(id: number, window: number) {
    this.#id = id
    this.window = window
  }

  /** `block`: a header block with one character for each byte. */
  head(block: string, isEnd: boolean): void {
    this.#isEnding = this.#hasEnded = isEnd
    let flags = isEnd ? flag.endStream : 0
    if (block.length <= defaultFrameBytes) {
      flags |= flag.endHeaders
      this.#head = frame(frameType.headers, flags, this.#id, block.length, (into, at) => into.write(block, at, 'latin1'))
      return
    }
    const frames: Buffer[] = []
    for (let at = 0; at < block.length; at += defaultFrameBytes) {
      const part = block.slice(at, at + defaultFrameBytes)
      const type = at === 0 ? frameType.headers : frameType.continuation
      if (at > 0) flags = 0
      if (at + defaultFrameBytes >= block.length) flags |= flag.endHeaders
      frames.push(frame(type, flags, this.#id, part.length, (into, offset) => into.write(part, offset, 'latin1')))
    }
    this.#head = Buffer.concat(frames)
  }

  /** `done` is called when the bytes have been sent or never will be. */
  add(bytes: Buffer, done?: () => void): void {
    if (bytes.length === 0) return done?.()
    this.#chunks.push({ bytes, done })
    this.bytes += bytes.length
  }

  end(): void {
    this.#isEnding = true
  }

  /**
   * Adds frames to the batch, and to `doneWith` what is to be called for chunks that are sent to their end. Chunks may change after
   * that call, so the caller copies the batch before.
   */
  fill(batch: Batch, doneWith: (() => void)[]): Turn {
    if (this.#head) {
      batch.frames.push(this.#head)
      batch.bytes += this.#head.length
      this.#head = undefined
    }
    const full = batch.bytes + batchBytes
    while (this.bytes > 0) {
      if (batch.window <= 0) return 'connection window'
      if (this.window <= 0) return 'stream window'
      if (batch.bytes >= full) return 'again'
      this.#addFrame(batch, Math.min(this.bytes, this.window, batch.window, defaultFrameBytes), doneWith)
    }
    if (!this.#isEnding) return 'idle'
    if (!this.#hasEnded) {
      // the last bytes had left before the end was known
      const end = frame(frameType.data, flag.endStream, this.#id, 0)
      batch.frames.push(end)
      batch.bytes += end.length
      this.#hasEnded = true
    }
    return 'ended'
  }

  /** Nothing more will be sent. */
  abandon(): void {
    const chunks = this.#chunks
    this.#chunks = []
    this.#head = undefined
    this.bytes = 0
    for (const { done } of chunks) done?.()
  }

  #addFrame(batch: Batch, length: number, doneWith: (() => void)[]): void {
    const head = Buffer.allocUnsafe(headerBytes)
    batch.frames.push(head)
    for (let missing = length; missing > 0; ) {
      const { bytes, done } = this.#chunks[0]!
      const part = Math.min(missing, bytes.length - this.#sent)
      batch.frames.push(part === bytes.length ? bytes : bytes.subarray(this.#sent, this.#sent + part))
      missing -= part
      this.#sent += part
      if (this.#sent < bytes.length) continue
      this.#chunks.shift()
      this.#sent = 0
      if (done) doneWith.push(done)
    }
    this.bytes -= length
    this.window -= length
    batch.window -= length
    batch.bytes += headerBytes + length
    const isLast = this.#isEnding && this.bytes === 0
    if (isLast) this.#hasEnded = true
    writeFrameHeader(head, 0, frameType.data, isLast ? flag.endStream : 0, this.#id, length)
  }
}
