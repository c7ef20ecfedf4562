/**
 * The queue of events between a watch and its client. Events are encoded no faster than the client reads them: until then they
 * are references to shared objects.
 */
import type { Sink } from '../../../apimachinery/request/message.js'
import { CachedObject } from '../../../storage/cached-object.js'
import { startSlice, type TurnQueue } from '../../../util/turns.js'
import { toStatusError } from '../status-of-error.js'
import type { Frames, WatchEvent, WatchFrames } from './frames.js'
import type { WatchCounts } from './watch-metrics.js'

/** Approximate bytes per write. */
const pieceBytes = 128 * 1024
/** Bound on the bytes of waiting events. A client that reads too slowly is disconnected, as by kube-apiserver. */
export const maxWaitingBytes = 32 * 1024 * 1024
/** Estimated bytes of an event besides its object. */
export const eventBytes = 128

const bytesOf = ({ object }: WatchEvent): number => (object instanceof CachedObject ? object.length + eventBytes : eventBytes)

export interface WatchOutputOptions {
  readonly sink: Sink
  readonly frames: Frames
  /** The frames that the server's watchers share. */
  readonly shared: WatchFrames
  /** The turns in which it writes; those of `shared` when left out. */
  readonly turns?: TurnQueue | undefined
  readonly counts: WatchCounts
  /** Called when the output has ended, for whatever reason. */
  onEnd(): void
}

export class WatchOutput {
  readonly #sink: Sink
  readonly #frames: Frames
  readonly #shared: WatchFrames
  readonly #turns: TurnQueue
  readonly #counts: WatchCounts
  readonly #onEnd: () => void
  /** Events to send before the live ones. */
  readonly #past: Iterator<WatchEvent | undefined>[] = []
  #live: WatchEvent[] = []
  #liveBytes = 0
  #flowing = true
  #scheduled = false
  #finishing = false
  #ended = false
  #taken: { readonly promise: Promise<void>; resolve(): void } | undefined

  constructor({ sink, frames, shared, turns = shared.turns, counts, onEnd }: WatchOutputOptions) {
    this.#sink = sink
    this.#frames = frames
    this.#shared = shared
    this.#turns = turns
    this.#counts = counts
    this.#onEnd = onEnd
    sink.onClose(() => this.end())
    sink.onDrain(() => {
      this.#flowing = true
      this.#pump()
    })
  }

  /**
   * Sends events before all live ones. Draws them from the iterable only as fast as the client reads. It yields undefined where it wants
   * to go on in a later turn.
   */
  sendPast(events: Iterable<WatchEvent | undefined>): void {
    if (this.#ended) return
    this.#past.push(events[Symbol.iterator]())
    this.#schedule()
  }

  /** Resolves when the client has read everything. Returns undefined when it already has. */
  whenTaken(): Promise<void> | undefined {
    if (this.#ended || (this.#flowing && !this.#waits)) return undefined
    if (!this.#taken) {
      let resolve = () => {}
      const promise = new Promise<void>(done => {
        resolve = done
      })
      this.#taken = { promise, resolve }
    }
    return this.#taken.promise
  }

  get #waits(): boolean {
    return this.#past.length > 0 || this.#live.length > 0
  }

  send(event: WatchEvent): void {
    if (this.#ended) return
    this.#live.push(event)
    this.#liveBytes += bytesOf(event)
    if (this.#liveBytes > maxWaitingBytes) this.#relieve()
    this.#schedule()
  }

  /** Writes before dropping the client: one turn may bring more than the bound, which is not the client's fault. */
  #relieve(): void {
    this.#pump()
    if (!this.#flowing && this.#liveBytes > maxWaitingBytes) this.#drop()
  }

  /** Defers the write, so that the events of one turn of the event loop leave together. */
  #schedule(): void {
    if (this.#scheduled || this.#ended || !this.#flowing) return
    this.#scheduled = true
    this.#turns.add(() => {
      this.#scheduled = false
      this.#pump()
    })
  }

  #pump(): void {
    if (this.#ended || !this.#flowing) return
    this.#writePiece()
    if (!this.#flowing) return
    if (this.#waits) return this.#schedule()
    this.#taken?.resolve()
    this.#taken = undefined
    if (this.#finishing) this.end()
  }

  #writePiece(): void {
    try {
      if (this.#past.length > 0) {
        const past = this.#takePast()
        if (past.length > 0) return this.#write(past, true)
        if (this.#past.length > 0) return
      }
      if (this.#live.length > 0) this.#write(this.#takeLive(), false)
    } catch (error) {
      this.#breakOff(error)
    }
  }

  /** Ends only this watch, after an object that cannot be encoded. */
  #breakOff(error: unknown): void {
    this.#past.length = 0
    this.#live = []
    this.#write([{ type: 'ERROR', object: toStatusError(error).status }], false)
    this.end()
  }

  #takePast(): WatchEvent[] {
    const events: WatchEvent[] = []
    const sliceIsOver = startSlice()
    for (let bytes = 0; this.#past.length > 0 && bytes < pieceBytes && !sliceIsOver(); ) {
      const { done, value } = this.#past[0]!.next()
      if (done) {
        this.#past.shift()
        continue
      }
      if (!value) break
      events.push(value)
      bytes += bytesOf(value)
    }
    return events
  }

  #takeLive(): WatchEvent[] {
    const live = this.#live
    let bytes = 0
    let count = 0
    while (count < live.length && bytes < pieceBytes) bytes += bytesOf(live[count++]!)
    this.#liveBytes -= bytes
    if (count === live.length) {
      this.#live = []
      return live
    }
    return live.splice(0, count)
  }

  #write(events: readonly WatchEvent[], past: boolean): void {
    const { one, joined } = this.#frames
    if (this.#sink.messages) for (const event of events) this.#flowing = this.#sink.write(this.#counted(one(event)))
    else if (events.length === 1) this.#flowing = this.#sink.write(this.#counted(one(events[0]!)))
    else if (past) this.#flowing = this.#sink.write(this.#countedAll(events, joined(events)))
    else this.#flowing = this.#sink.write(this.#shared.joined(events.map(event => this.#counted(one(event)))))
  }

  #counted(frame: Buffer): Buffer {
    this.#counts.events.value++
    this.#counts.sizes.observe(frame.length)
    return frame
  }

  /** Events that were joined as they were encoded have about the size of their objects. */
  #countedAll(events: readonly WatchEvent[], bytes: Buffer): Buffer {
    this.#counts.events.value += events.length
    for (const event of events) this.#counts.sizes.observe(bytesOf(event))
    return bytes
  }

  /** Ends once the client has read everything sent so far. */
  finish(): void {
    this.#finishing = true
    this.#schedule()
  }

  #drop(): void {
    this.#live = []
    this.end()
  }

  /** Ends now. Still sends the live events of this turn to a client that keeps up. */
  end(): void {
    if (this.#ended) return
    while (this.#flowing && this.#past.length === 0 && this.#live.length > 0) this.#writePiece()
    this.#ended = true
    this.#past.length = 0
    this.#live = []
    this.#taken?.resolve()
    this.#sink.end()
    this.#onEnd()
  }
}
