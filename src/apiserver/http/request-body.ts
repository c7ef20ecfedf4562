import { Readable } from 'node:stream'
import { tooLarge } from '../../apimachinery/status/status.js'
import { closedEarly, Gathered } from './body.js'

interface Taker {
  /** Returns false when the rest shall wait until the taker is given again. */
  data(chunk: Buffer): boolean
  end(): void
  fail(): void
}

/** The body of a request. What nobody has asked for waits here, and the client's window bounds it. */
export class RequestBody {
  /** Tells the connection how many bytes have been taken, so that the client may send as many more. */
  readonly #consumed: (bytes: number) => void
  readonly #waiting = new Gathered()
  #state: 'open' | 'ended' | 'failed' = 'open'
  #taker: Taker | undefined
  #isTaking = false

  constructor(consumed: (bytes: number) => void) {
    this.#consumed = consumed
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  add(chunk: Buffer): void {
    if (this.#isTaking) this.#pass(chunk)
    else this.#waiting.add(chunk)
  }

  end(): void {
    if (this.#state !== 'open') return
    this.#state = 'ended'
    if (this.#isTaking) this.#taker!.end()
  }

  /** The rest will never come. */
  fail(): void {
    if (this.#state !== 'open') return
    this.#state = 'failed'
    this.#taker?.fail()
  }

  /** The whole body. Rejects with a 413 as soon as the body exceeds the limit. */
  collect(contentLength: string | undefined, limit: number): Promise<Buffer> {
    if (contentLength !== undefined && Number(contentLength) > limit) return Promise.reject(tooLarge(limit))
    return new Promise((resolve, reject) => {
      const body = new Gathered()
      this.#give({
        data: chunk => {
          if (body.length + chunk.length <= limit) body.add(chunk)
          else reject(tooLarge(limit))
          return true
        },
        end: () => resolve(body.take()),
        fail: () => reject(closedEarly())
      })
    })
  }

  /** The body as it comes in. */
  open(): Readable {
    const readable = new Readable({ read: () => this.#give(taker) })
    const taker: Taker = {
      data: chunk => readable.push(chunk),
      end: () => readable.push(null),
      fail: () => readable.destroy(closedEarly())
    }
    return readable
  }

  #give(taker: Taker): void {
    if (this.#isTaking) return
    this.#taker = taker
    this.#isTaking = true
    if (this.#waiting.length > 0) this.#pass(this.#waiting.take())
    if (!this.#isTaking) return
    if (this.#state === 'ended') taker.end()
    else if (this.#state === 'failed') taker.fail()
  }

  #pass(chunk: Buffer): void {
    // before the taker has it: it may ask for more at once
    this.#isTaking = false
    const takesMore = this.#taker!.data(chunk)
    this.#isTaking ||= takesMore
    this.#consumed(chunk.length)
  }
}
