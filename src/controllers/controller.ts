/** The base of all controllers: a queue of keys. Each key is reconciled by one worker at a time, and retried after a failure. */

import type { Resource } from '../registry/resource.js'
import type { WatchHandle } from '../storage/contract.js'
import { type FollowedChange, follow } from '../storage/follow.js'
import type { Clock, Timer } from '../util/clock.js'
import type { QueueCounts, WorkQueues } from '../util/instruments/work-queues.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'

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
  /** The waiting keys in their order, with the time since which each has waited. */
  readonly #queue = new Map<string, number>()
  /** One iterator for all reads: a new one would step over every key that was deleted from the front of the map. */
  #next = this.#queue.entries()
  /** The keys at work, with the time at which the work began. */
  readonly #active = new Map<string, number>()
  /** Keys that were enqueued during their own reconcile. */
  readonly #again = new Set<string>()
  #woken = false
  readonly #failures = new Map<string, number>()
  readonly #retries = new Map<string, Timer>()
  readonly #delayed = new Map<string, { readonly at: number; readonly timer: Timer }>()
  readonly #handles: WatchHandle[] = []
  readonly #abort = new AbortController()
  #idle: (() => void)[] = []
  readonly #counts: QueueCounts

  constructor(options: ControllerOptions) {
    this.#options = options
    this.#counts = options.queues.add(options.queue ?? options.name, () => ({
      depth: this.#queue.size,
      began: this.#active.values()
    }))
  }

  get name(): string {
    return this.#options.name
  }

  /** Whether keys wait or are at work. Those that wait for a time are not counted. */
  get isBusy(): boolean {
    return this.#queue.size > 0 || this.#active.size > 0
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
    if (this.#abort.signal.aborted) return
    if (this.#active.has(key)) this.#again.add(key)
    else this.#wait(key)
    if (this.#woken) return
    this.#woken = true
    queueMicrotask(() => {
      this.#woken = false
      this.#run()
    })
  }

  /** Enqueues the key after a while, so that what happens until then is one reconcile; sooner where it already waits for a shorter time. */
  enqueueAfter(key: string, milliseconds: number): void {
    if (this.#abort.signal.aborted) return
    const { clock } = this.#options
    const at = clock.now() + milliseconds
    const present = this.#delayed.get(key)
    if (present && present.at <= at) return
    present?.timer.cancel()
    const timer = clock.setTimeout(() => {
      this.#delayed.delete(key)
      this.enqueue(key)
    }, milliseconds)
    this.#delayed.set(key, { at, timer })
  }

  #wait(key: string): void {
    if (this.#queue.has(key)) return
    this.#counts.adds.value++
    this.#queue.set(key, performance.now())
  }

  #run(): void {
    const workers = this.#options.workers ?? 4
    while (this.#active.size < workers && !this.#abort.signal.aborted) {
      const { value, done } = this.#next.next()
      if (done) {
        this.#next = this.#queue.entries()
        return
      }
      const [key, since] = value
      this.#queue.delete(key)
      const now = performance.now()
      this.#counts.waited.observe((now - since) / 1000)
      this.#active.set(key, now)
      void this.#work(key)
    }
  }

  async #work(key: string): Promise<void> {
    const { name, reconcile, log, logsFrom } = this.#options
    try {
      const again = await reconcile(key, this.#abort.signal)
      this.#failures.delete(key)
      if (again !== undefined) this.#later(key, again)
    } catch (error) {
      const failures = (this.#failures.get(key) ?? 0) + 1
      this.#failures.set(key, failures)
      this.#counts.retries.value++
      if (logsFrom === undefined ? failures === 5 : failures >= logsFrom)
        log.error(`controller ${name}: ${key}: ${error instanceof Error ? error.stack : error}`)
      this.#later(key, Math.min(lastRetryMs, firstRetryMs * 2 ** (failures - 1)))
    }
    this.#counts.worked.observe((performance.now() - this.#active.get(key)!) / 1000)
    this.#active.delete(key)
    if (this.#again.delete(key)) this.#wait(key)
    if (this.#active.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
    this.#run()
  }

  #later(key: string, milliseconds: number): void {
    if (this.#abort.signal.aborted) return
    this.#retries.get(key)?.cancel()
    this.#retries.set(
      key,
      this.#options.clock.setTimeout(() => {
        this.#retries.delete(key)
        this.enqueue(key)
      }, milliseconds)
    )
  }

  /** Resolves when the active reconciles have ended. */
  async stop(): Promise<void> {
    this.#abort.abort()
    for (const handle of this.#handles) handle.close()
    for (const timer of this.#retries.values()) timer.cancel()
    for (const { timer } of this.#delayed.values()) timer.cancel()
    this.#queue.clear()
    if (this.#active.size > 0) await new Promise<void>(resolve => void this.#idle.push(resolve))
  }
}
