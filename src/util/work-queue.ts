/**
 * The work queue of controllers, as client-go's is: an item is in it once, however often it is added, and at work once. What is added while it is at work comes again afterwards.
 * Items may wait for a time, after a failure for a growing one, and those of a higher priority come first.
 */
import type { Clock, Timer } from './clock.js'
import type { QueueCounts } from './instruments/work-queues.js'
import type { RateLimiter } from './rate-limits.js'

export interface WorkQueueOptions {
  readonly clock: Clock
  readonly limiter: RateLimiter
  readonly counts: QueueCounts
  /** Called when an item can be taken. */
  ready(): void
  /**
   * Whether an item that is added no longer waits for its time, as in controller-runtime's priority queue. In client-go's queues it is added again when its time comes.
   */
  readonly supersedes?: boolean | undefined
}

/** The items of one priority in their order, with the time since which each has waited. */
class Level {
  readonly priority: number
  readonly items = new Map<string, number>()
  /** One iterator for all reads: a new one would step over every item that was deleted from the front of the map. */
  #next = this.items.entries()

  constructor(priority: number) {
    this.priority = priority
  }

  take(): [item: string, since: number] | undefined {
    const { value, done } = this.#next.next()
    if (done) {
      this.#next = this.items.entries()
      return undefined
    }
    this.items.delete(value[0])
    return value
  }
}

interface Delayed {
  readonly at: number
  readonly timer: Timer
  readonly priority: number
}

export class WorkQueue {
  readonly #options: WorkQueueOptions
  /** The highest priority first. */
  #levels: Level[] = [new Level(0)]
  /** The priority of each item that waits for a worker. */
  readonly #waiting = new Map<string, Level>()
  /** The items at work, with the time at which the work began. */
  readonly #active = new Map<string, number>()
  /** Items that were added while they were at work, with their priority. */
  readonly #again = new Map<string, number>()
  readonly #delayed = new Map<string, Delayed>()
  #isClosed = false
  #idle: (() => void)[] = []

  constructor(options: WorkQueueOptions) {
    this.#options = options
  }

  /** How many items wait for a worker. */
  get length(): number {
    return this.#waiting.size
  }

  /** How many items of each priority wait. */
  get lengths(): ReadonlyMap<number, number> {
    return new Map(this.#levels.map(({ priority, items }) => [priority, items.size]))
  }

  /** The times at which the work for the items at work began. */
  get began(): Iterable<number> {
    return this.#active.values()
  }

  get activeCount(): number {
    return this.#active.size
  }

  /** Whether items wait or are at work. Those that wait for a time are not counted. */
  get isBusy(): boolean {
    return this.#waiting.size > 0 || this.#active.size > 0
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  add(item: string, priority = 0): void {
    if (this.#isClosed) return
    if (this.#options.supersedes) this.#cancel(item)
    if (this.#active.has(item)) this.#again.set(item, Math.max(priority, this.#again.get(item) ?? priority))
    else {
      this.#wait(item, priority)
      this.#options.ready()
    }
  }

  /** Adds the item after a while, so that what happens until then is one piece of work; sooner where it already waits for a shorter time. */
  addAfter(item: string, milliseconds: number, priority = 0): void {
    if (this.#isClosed) return
    if (milliseconds <= 0) return this.add(item, priority)
    const { clock } = this.#options
    const at = clock.now() + milliseconds
    const present = this.#delayed.get(item)
    if (present && present.at <= at) {
      if (present.priority < priority) this.#delayed.set(item, { ...present, priority })
      return
    }
    present?.timer.cancel()
    const timer = clock.setTimeout(() => {
      const priority = this.#delayed.get(item)!.priority
      this.#delayed.delete(item)
      this.add(item, priority)
    }, milliseconds)
    this.#delayed.set(item, { at, timer, priority: Math.max(priority, present?.priority ?? priority) })
  }

  /** Adds the item after the delay of its failures. */
  addRateLimited(item: string, priority = 0): void {
    if (this.#isClosed) return
    this.#options.counts.retries.value++
    this.addAfter(item, this.#options.limiter.when(item), priority)
  }

  /** Ends the failures of an item. */
  forget(item: string): void {
    this.#options.limiter.forget(item)
  }

  failures(item: string): number {
    return this.#options.limiter.failures(item)
  }

  /** Takes the next item, which is at work until `done` is called for it. */
  take(): { readonly item: string; readonly priority: number } | undefined {
    for (const level of this.#levels) {
      const taken = level.take()
      if (!taken) continue
      const [item, since] = taken
      this.#waiting.delete(item)
      const now = performance.now()
      this.#options.counts.waited.observe((now - since) / 1000)
      this.#active.set(item, now)
      return { item, priority: level.priority }
    }
    return undefined
  }

  done(item: string): void {
    const began = this.#active.get(item)
    if (began === undefined) return
    this.#options.counts.worked.observe((performance.now() - began) / 1000)
    this.#active.delete(item)
    const priority = this.#again.get(item)
    if (priority !== undefined) {
      this.#again.delete(item)
      this.#wait(item, priority)
      this.#options.ready()
    }
    this.#settle()
  }

  /**
   * Takes no more items, and forgets those that wait for a time. Resolves when none is at work. Those that wait for a worker are forgotten, unless `drains`: they are then still to be
   * taken, and the queue waits for them.
   */
  async close({ drains = false } = {}): Promise<void> {
    this.#isClosed = true
    for (const { timer } of this.#delayed.values()) timer.cancel()
    this.#delayed.clear()
    if (!drains) {
      this.#again.clear()
      this.#waiting.clear()
      this.#levels = [new Level(0)]
    }
    if (!this.#isSettled) await new Promise<void>(resolve => void this.#idle.push(resolve))
  }

  get #isSettled(): boolean {
    return this.#active.size === 0 && this.#waiting.size === 0
  }

  #settle(): void {
    if (this.#isSettled) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #wait(item: string, priority: number): void {
    const present = this.#waiting.get(item)
    if (present) {
      if (present.priority >= priority) return
      present.items.delete(item)
    } else this.#options.counts.adds.value++
    const level = this.#level(priority)
    level.items.set(item, performance.now())
    this.#waiting.set(item, level)
  }

  #level(priority: number): Level {
    const next = this.#levels.findIndex(level => level.priority <= priority)
    const found = this.#levels[next]
    if (found?.priority === priority) return found
    const level = new Level(priority)
    this.#levels.splice(next < 0 ? this.#levels.length : next, 0, level)
    return level
  }

  #cancel(item: string): void {
    const delayed = this.#delayed.get(item)
    delayed?.timer.cancel()
    this.#delayed.delete(item)
  }
}
