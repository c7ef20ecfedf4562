/** How many reads and writes are under way, and how many wait. */
import type { RequestInfo } from '../../apimachinery/request/request-info.js'
import { ShareOverTime } from './share-over-time.js'

const shares = [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1]
/** Metrics show the most of the last whole second. */
const periodMs = 1000

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch'])
/** Whether a request counts as a read. */
export const isRead = ({ verb }: RequestInfo): boolean => reads.has(verb)

export class Crowd {
  readonly share: ShareOverTime
  count = 0
  #most = 0
  #published = 0
  #since: number

  /** `now` in milliseconds, here and below. */
  constructor(now: number) {
    this.share = new ShareOverTime(shares, now)
    this.#since = now
  }

  change(by: number, now: number): void {
    if (now - this.#since >= periodMs) this.#publish(now)
    this.count += by
    if (this.count > this.#most) this.#most = this.count
    this.share.set(this.count, now)
  }

  #publish(now: number): void {
    // nothing has changed in the seconds between
    this.#published = now - this.#since < 2 * periodMs ? this.#most : 0
    this.#most = 0
    this.#since = now - ((now - this.#since) % periodMs)
  }

  /** The most of the last whole second, as far as anything has changed in it. */
  highWatermark(now: number): number {
    if (now - this.#since >= periodMs) this.#publish(now)
    return this.#published
  }
}

export class UnderWay {
  readonly executing: { readonly reads: Crowd; readonly writes: Crowd }
  readonly waiting: { readonly reads: Crowd; readonly writes: Crowd }

  constructor(now: number) {
    const crowds = () => ({ reads: new Crowd(now), writes: new Crowd(now) })
    this.executing = crowds()
    this.waiting = crowds()
  }
}
