/** The base of all controllers: a queue of keys. Each key is reconciled by one worker at a time, and retried after a failure. */

import type { Resource } from '../registry/resource.js'
import type { WatchHandle } from '../storage/contract.js'
import { type FollowedChange, follow } from '../storage/follow.js'
import type { Clock } from '../util/clock.js'
import type { WorkQueues } from '../util/instruments/work-queues.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { ExponentialBackoff } from '../util/rate-limits.js'
import { WorkQueue } from '../util/work-queue.js'
import { workersOf } from '../util/workers.js'

export interface ControllerOptions {
  readonly name: string
  /**
   * A change of an object of these resources enqueues the object's key, and every object does so at the start. `keyOf` may skip
   * an object.
   */
  readonly watches: readonly { readonly resource: Resource; readonly keyOf: (key: string) => string | undefined }[]
  /** Reconciles one key. Runs again after the returned milliseconds, or after a growing delay when it rejects. */
  reconcile(key: string, signal: AbortSignal): Promise<number | undefined> | Promise<void>
  readonly clock: Clock
  readonly queues: WorkQueues
  /** The name of the queue in Kubernetes' metrics. Default: the controller's name. */
  readonly queue?: string
  readonly log: Logger
  /** The number of failures of a key from which on each one is logged. Default: only the fifth one is. */
  readonly logsFrom?: number
  /** The number of keys that are reconciled at the same time. */
  readonly workers?: number
}

const firstRetryMs = 50
const lastRetryMs = 30_000

export class Controller implements Part {
  readonly #options: ControllerOptions
  readonly #queue: WorkQueue
  readonly #handles: WatchHandle[] = []
  readonly #abort = new AbortController()

  constructor(options: ControllerOptions) {
    this.#options = options
    const counts = options.queues.add(options.queue ?? options.name, () => ({
      depth: this.#queue.length,
      began: this.#queue.began
    }))
    this.#queue = new WorkQueue({
      clock: options.clock,
      limiter: new ExponentialBackoff(firstRetryMs, lastRetryMs),
      counts,
      ready: workersOf(
        () => this.#queue,
        options.workers ?? 4,
        key => this.#work(key)
      )
    })
  }

  get name(): string {
    return this.#options.name
  }

  /** Whether keys wait or are at work. Those that wait for a time are not counted. */
  get isBusy(): boolean {
    return this.#queue.isBusy
  }

  async start(): Promise<void> {
    for (const { resource, keyOf } of this.#options.watches) {
      await resource.cache.load()
      const changed = ({ current, previous }: FollowedChange) => {
        const key = keyOf((current ?? previous)!.key)
        if (key !== undefined) this.enqueue(key)
      }
      this.#handles.push(follow(resource.cache, { changed }))
    }
  }

  enqueue(key: string): void {
    this.#queue.add(key)
  }

  /** Enqueues the key after a while, so that what happens until then is one reconcile; sooner where it already waits for a shorter time. */
  enqueueAfter(key: string, milliseconds: number): void {
    this.#queue.addAfter(key, milliseconds)
  }

  async #work(key: string): Promise<void> {
    const { name, reconcile, log, logsFrom } = this.#options
    try {
      const again = await reconcile(key, this.#abort.signal)
      this.#queue.forget(key)
      if (again !== undefined) this.#queue.addAfter(key, again)
    } catch (error) {
      this.#queue.addRateLimited(key)
      const failures = this.#queue.failures(key)
      if (logsFrom === undefined ? failures === 5 : failures >= logsFrom)
        log.error(`controller ${name}: ${key}: ${error instanceof Error ? error.stack : error}`)
    }
  }

  /** Resolves when the active reconciles have ended. */
  async stop(): Promise<void> {
    this.#abort.abort()
    for (const handle of this.#handles) handle.close()
    await this.#queue.close()
  }
}
