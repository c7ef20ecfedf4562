import type { TLSSocket } from 'node:tls'
import { ConnectionError, errorCode } from './errors.js'
import { frame, frameType } from './frames.js'
import { type Batch, batchBytes } from './outgoing.js'
import { defaultWindow, greatestWindow } from './settings.js'
import type { Stream } from './stream.js'

/** Bytes of frames without DATA that may wait for a client that does not read. */
const controlBytes = 64 * 1024

/**
 * The sending side of a connection: control frames first, then each stream in its turn, as the connection's window admits.
 * All that is to be sent in one turn of the event loop leaves in one write at its end, together with that of other connections (http1.ts says why).
 */
export class Sender {
  readonly #socket: TLSSocket
  readonly #patience: number
  readonly #answered: (stream: Stream) => void
  /** Bytes of DATA that the client takes on the connection. */
  #window = defaultWindow
  #control: Buffer[] = []
  #controlSize = 0
  /** Streams with something to send, in their turns. */
  #ready: Stream[] = []
  readonly #waitingForWindow = new Set<Stream>()
  #isScheduled = false
  /** Whether the socket's buffer is full. */
  #isBlocked = false
  #isClosed = false
  #stalled: NodeJS.Timeout | undefined

  /**
   * `patience`: milliseconds until a client is given up that takes nothing of what waits for it.
   * `answered` is called when the whole answer of a stream has been written.
   */
  constructor(socket: TLSSocket, patience: number, answered: (stream: Stream) => void) {
    this.#socket = socket
    this.#patience = patience
    this.#answered = answered
    socket.on('drain', () => this.#drained())
  }

  /** Sends a frame without DATA, before everything that streams have to send. */
  send(bytes: Buffer): void {
    if (this.#isClosed) return
    this.#control.push(bytes)
    this.#controlSize += bytes.length
    if (this.#isBlocked && this.#controlSize > controlBytes) this.#socket.destroy()
    else this.#schedule()
  }

  sendReset(id: number, code: number): void {
    this.send(frame(frameType.rstStream, 0, id, 4, (into, at) => into.writeUInt32BE(code, at)))
  }

  /** The stream has something to send. */
  ready(stream: Stream): void {
    this.#enqueue(stream)
    this.#schedule()
  }

  /** Sends nothing more of the stream. */
  forget(stream: Stream): void {
    this.#waitingForWindow.delete(stream)
    if (!stream.outgoing.isQueued) return
    stream.outgoing.isQueued = false
    // a client that takes nothing could make any number of streams, and give them up
    this.#ready.splice(this.#ready.indexOf(stream), 1)
  }

  #enqueue(stream: Stream): void {
    if (stream.outgoing.isQueued) return
    stream.outgoing.isQueued = true
    this.#ready.push(stream)
  }

  /** The client takes so many bytes more on the connection. */
  widen(bytes: number): void {
    this.#window += bytes
    if (this.#window > greatestWindow) throw new ConnectionError(errorCode.flowControl, 'a too large window')
    for (const stream of this.#waitingForWindow) this.#enqueue(stream)
    this.#waitingForWindow.clear()
    this.#schedule()
  }

  readonly flush = (): void => {
    this.#isScheduled = false
    while (!this.#isBlocked && !this.#isClosed) {
      const batch: Batch = { frames: this.#control, bytes: this.#controlSize, window: this.#window }
      this.#control = []
      this.#controlSize = 0
      const doneWith: (() => void)[] = []
      const sent: Stream[] = []
      const ended: Stream[] = []
      const ready = this.#ready
      this.#ready = []
      let next = 0
      while (next < ready.length && batch.bytes < batchBytes) {
        const stream = ready[next++]!
        stream.outgoing.isQueued = false
        const turn = stream.outgoing.fill(batch, doneWith)
        if (turn === 'again') this.#enqueue(stream)
        else if (turn === 'stream window') stream.waitsForWindow(this.#patience)
        else if (turn === 'connection window') {
          this.#waitingForWindow.add(stream)
          // a client that takes nothing at all loses the connection earlier
          stream.waitsForWindow(2 * this.#patience)
        }
        if (turn === 'ended') ended.push(stream)
        else sent.push(stream)
      }
      if (next < ready.length) this.#ready = [...ready.slice(next), ...this.#ready]
      this.#window = batch.window
      if (batch.bytes === 0) break
      const { frames, bytes } = batch
      this.#stalled?.refresh()
      this.#isBlocked = !this.#socket.write(frames.length === 1 ? frames[0]! : Buffer.concat(frames, bytes))
      for (const done of doneWith) done()
      for (const stream of ended) this.#answered(stream)
      for (const stream of sent) stream.sent()
    }
    this.#watchForStall()
  }

  /** Sends the control frames that wait, GOAWAY the last of them, although the client may not keep up; then nothing more. */
  finish(): void {
    this.flush()
    if (this.#control.length > 0) this.#socket.write(Buffer.concat(this.#control, this.#controlSize))
    this.close()
  }

  /** Sends nothing more. */
  close(): void {
    this.#control = []
    this.#isClosed = true
    clearTimeout(this.#stalled)
    this.#ready = []
    this.#waitingForWindow.clear()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isBlocked || this.#isClosed) return
    this.#isScheduled = true
    setImmediate(this.flush)
  }

  #drained(): void {
    this.#isBlocked = false
    this.#schedule()
  }

  /** Ends a connection whose client takes nothing of what waits for it. */
  #watchForStall(): void {
    const waits = this.#isBlocked || this.#waitingForWindow.size > 0
    if (waits && !this.#isClosed) this.#stalled ??= setTimeout(() => this.#socket.destroy(), this.#patience).unref()
    else if (this.#stalled) {
      clearTimeout(this.#stalled)
      this.#stalled = undefined
    }
  }
}
