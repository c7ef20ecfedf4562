/**
 * Keeps this process up to date with etcd: one watch over all keys, which feeds the hub that all watchers of this process use.
 *
 * It watches all keys, not only Binnacle's own, because each revision of etcd then has an event: once the newest revision has
 * arrived, so have all earlier ones. This makes progress notifications unnecessary, which etcd sends too early before 3.4.31 and
 * 3.5.13.
 */
import type { Logger } from '../../util/logger.js'
import { CompactedError, type StoreEvent } from '../contract.js'
import type { WatchHub } from '../watch-hub.js'
import type { EtcdClient } from './client.js'
import type { EtcdEvent } from './messages.js'
import { type OpenWatch, openWatch } from './watch-stream.js'

const firstRetryMs = 50
const lastRetryMs = 1000
/** When a revision that etcd has does not arrive for so long, the watch is opened again through another member. */
const patienceMs = 1000

export interface FollowerOptions {
  readonly client: EtcdClient
  readonly hub: WatchHub
  readonly log: Logger
  /** Asks etcd for its newest revision. */
  newestRevision(): Promise<number>
  toEvent(event: EtcdEvent): StoreEvent
}

export class Follower {
  readonly #options: FollowerOptions
  #revision = 0
  #watch: OpenWatch | undefined
  #patience: NodeJS.Timeout | undefined
  readonly #waiting = new Set<{ readonly revision: number; resolve(reached: boolean): void }>()
  #closed = false

  constructor(options: FollowerOptions) {
    this.#options = options
  }

  /** The newest revision whose events all watchers of this process have received. */
  get revision(): number {
    return this.#revision
  }

  /** Resolves once the watch is open. */
  async start(): Promise<void> {
    this.#revision = await this.#options.newestRevision()
    await this.#open()
  }

  /** Resolves with true as soon as `revision` has arrived, or with false after `ms` milliseconds. */
  reached(revision: number, ms: number): Promise<boolean> {
    if (this.#revision >= revision) return Promise.resolve(true)
    if (this.#closed) return Promise.resolve(false)
    return new Promise(resolve => {
      const entry = {
        revision,
        resolve: (reached: boolean) => {
          clearTimeout(timer)
          this.#waiting.delete(entry)
          resolve(reached)
        }
      }
      const timer = setTimeout(() => entry.resolve(false), ms)
      this.#waiting.add(entry)
      this.#patience ??= this.#expect()
    })
  }

  /**
   * Waits for events while somebody waits for a revision. A member that has stalled, or is cut off from the others, does not end its
   * streams; gRPC notices only the former, and late.
   */
  #expect(): NodeJS.Timeout {
    const before = this.#revision
    return setTimeout(() => {
      this.#patience = undefined
      if (this.#waiting.size === 0) return
      if (this.#revision === before) this.#watch?.giveUp('events do not arrive')
      this.#patience = this.#expect()
    }, patienceMs)
  }

  async #open(): Promise<void> {
    const watch = await openWatch(this.#options.client, this.#revision + 1, {
      onEvents: events => this.#receive(events),
      onEnd: error => void this.#again(error)
    })
    if (this.#closed) watch.close()
    else this.#watch = watch
  }

  #receive(events: readonly EtcdEvent[]): void {
    const { hub, toEvent } = this.#options
    this.#revision = events.at(-1)!.current.modRevision
    hub.dispatch(events.map(toEvent), this.#revision)
    for (const entry of this.#waiting) if (entry.revision <= this.#revision) entry.resolve(true)
  }

  /** Resumes where the watch ended, on any server that answers. No event is lost unless it has been compacted meanwhile. */
  async #again(error: Error): Promise<void> {
    const { hub, log } = this.#options
    this.#watch = undefined
    for (let [reason, wait] = [error, firstRetryMs]; !this.#closed; wait = Math.min(lastRetryMs, wait * 2)) {
      if (wait === firstRetryMs * 2) log.error(`etcd: the watch ended and is being retried: ${reason.message}`)
      try {
        if (reason instanceof CompactedError) {
          this.#revision = await this.#options.newestRevision()
          hub.endAll(reason)
        }
        return await this.#open()
      } catch (failure) {
        reason = failure as Error
      }
      await new Promise(resolve => setTimeout(resolve, wait).unref())
    }
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#patience)
    this.#watch?.close()
    for (const entry of this.#waiting) entry.resolve(false)
  }
}
