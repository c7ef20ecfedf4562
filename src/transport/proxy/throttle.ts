import { Transform, type TransformCallback } from 'node:stream'
import { type Clock, systemClock } from '../../util/clock.js'

/** Milliseconds between two steps in which bytes are passed on. */
const stepMs = 100

/** Passes bytes on at a limited rate; whoever writes has to wait. */
export class Throttle extends Transform {
  readonly #perStep: number
  readonly #clock: Clock
  /** How many bytes may still pass in this step. */
  #left: number
  #stepEnd = 0
  #timer: { cancel(): void } | undefined

  constructor(bytesPerSecond: number, clock: Clock = systemClock) {
    super()
    this.#perStep = Math.max(1, Math.floor((bytesPerSecond * stepMs) / 1000))
    this.#left = this.#perStep
    this.#clock = clock
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    const now = this.#clock.now()
    if (now >= this.#stepEnd) {
      this.#stepEnd = now + stepMs
      this.#left = this.#perStep
    }
    const piece = chunk.subarray(0, this.#left)
    this.#left -= piece.length
    if (piece.length > 0) this.push(piece)
    if (piece.length === chunk.length) return done()
    this.#timer = this.#clock.setTimeout(() => this._transform(chunk.subarray(piece.length), _, done), this.#stepEnd - now)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#timer?.cancel()
    done(error)
  }
}
