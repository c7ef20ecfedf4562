/**
 * The Pods that wait for a Node: those to be tried next, those that back off, and those that fit nowhere until something happens.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/ tells of gates.
 */
import type { Clock } from '../../util/clock.js'
import { Heap } from './heap.js'
import type { ClusterEvent } from './plugin.js'
import type { PodInfo } from './pod-info.js'

export interface QueuedPod {
  readonly key: string
  info: PodInfo
  /** When it came into the queue, or failed last; and its rank among those of one time. */
  since: number
  rank: number
  /** How often it fitted nowhere, and how often in a row something else went wrong. */
  rejections: number
  errors: number
  /** The names of the plugins that have rejected it; empty after an error. */
  plugins: ReadonlySet<string>
}

export interface SchedulingQueueOptions {
  readonly clock: Clock
  /** Whether something keeps the Pod from being tried at all. */
  isGated(pod: PodInfo): boolean
  /** Whether a Pod that these plugins have rejected may fit after the event. */
  mayHelp(event: ClusterEvent, pod: PodInfo, plugins: ReadonlySet<string>): boolean
  /** There is something to be tried. */
  wake(): void
}

const firstBackoffMs = 1000
const lastBackoffMs = 10_000
/** Backoffs end with a second, so that Pods of a second are tried by their priority. */
const windowMs = 1000
/** After this time, a Pod is tried again, whatever has happened. */
const longestMs = 300_000

const byPriority = (a: QueuedPod, b: QueuedPod): boolean =>
  a.info.priority !== b.info.priority
    ? a.info.priority > b.info.priority
    : a.since !== b.since
      ? a.since < b.since
      : a.rank < b.rank

const windowOf = (time: number) => Math.floor(time / windowMs) * windowMs

/** When the Pod may be tried again. */
function backoffEnd({ since, rejections, errors }: QueuedPod): number {
  const count = errors > 0 ? errors : rejections
  return count === 0 ? Number.NEGATIVE_INFINITY : windowOf(since + Math.min(lastBackoffMs, firstBackoffMs * 2 ** (count - 1)))
}

function byBackoff(a: QueuedPod, b: QueuedPod): boolean {
  const [endA, endB] = [backoffEnd(a), backoffEnd(b)]
  return endA === endB ? byPriority(a, b) : endA < endB
}

export class SchedulingQueue {
  readonly #options: SchedulingQueueOptions
  readonly #active = new Heap<QueuedPod>(byPriority)
  readonly #backoff = new Heap<QueuedPod>(byBackoff)
  /** Pods that back off after an error: these really wait. */
  readonly #failed = new Heap<QueuedPod>(byBackoff)
  readonly #unschedulable = new Map<string, QueuedPod>()
  #rank = 0

  constructor(options: SchedulingQueueOptions) {
    this.#options = options
  }

  add(info: PodInfo): void {
    this.remove(info.uid)
    const since = this.#options.clock.now()
    const queued = { key: info.uid, info, since, rank: this.#rank++, rejections: 0, errors: 0, plugins: new Set<string>() }
    this.#activate(queued)
  }

  /** Takes over a change of the Pod. */
  update(info: PodInfo, event: ClusterEvent): void {
    const { uid } = info
    for (const heap of [this.#active, this.#backoff, this.#failed]) {
      const queued = heap.get(uid)
      if (!queued) continue
      heap.put({ ...queued, info })
      return
    }
    const queued = this.#unschedulable.get(uid)
    if (!queued) return this.add(info)
    const wasGated = this.#options.isGated(queued.info)
    queued.info = info
    if (wasGated ? !this.#options.isGated(info) : this.#options.mayHelp(event, info, queued.plugins)) this.#retry(queued)
  }

  remove(uid: string): void {
    for (const heap of [this.#active, this.#backoff, this.#failed]) heap.remove(uid)
    this.#unschedulable.delete(uid)
  }

  has(uid: string): boolean {
    return [this.#active, this.#backoff, this.#failed].some(heap => heap.get(uid)) || this.#unschedulable.has(uid)
  }

  /** Takes the Pod that is to be tried next. Where nothing else waits, those that back off are tried, too. */
  pop(): QueuedPod | undefined {
    const { clock } = this.#options
    for (const heap of [this.#backoff, this.#failed])
      for (let queued = heap.peek(); queued && backoffEnd(queued) < windowOf(clock.now()); queued = heap.peek()) {
        heap.pop()
        this.#active.put(queued)
      }
    return this.#active.pop() ?? this.#backoff.pop()
  }

  /** Puts back a Pod for which there is no Node, and names the plugins that have rejected it; none after an error. */
  putBack(queued: QueuedPod, plugins: ReadonlySet<string>): void {
    const hasFailed = plugins.size === 0
    const back: QueuedPod = {
      ...queued,
      plugins,
      since: this.#options.clock.now(),
      rank: this.#rank++,
      rejections: queued.rejections + (hasFailed ? 0 : 1),
      errors: hasFailed ? queued.errors + 1 : 0
    }
    if (hasFailed) this.#failed.put(back)
    else this.#unschedulable.set(back.key, back)
  }

  /** Tries Pods again that may fit after the event. */
  moveOn(event: ClusterEvent, concerns: (pod: PodInfo) => boolean = () => true): void {
    for (const queued of [...this.#unschedulable.values()]) {
      const { info, plugins } = queued
      if (!concerns(info) || this.#options.isGated(info)) continue
      // what no plugin has rejected was kept back by a gate, which is open now
      if (plugins.size === 0 || this.#options.mayHelp(event, info, plugins)) this.#retry(queued)
    }
  }

  /** Tries the Pod again, when its backoff is over. */
  retry(uid: string): void {
    const queued = this.#unschedulable.get(uid)
    if (queued) this.#retry(queued)
  }

  /** Tries the Pod again, at once. */
  activate(uid: string): void {
    const queued = this.#unschedulable.get(uid) ?? this.#backoff.remove(uid)
    if (queued) this.#activate(queued)
  }

  /** Tries Pods again that have waited for very long. Returns the milliseconds after which there will be something to do, if nothing happens. */
  flush(): number | undefined {
    const now = this.#options.clock.now()
    let next = Number.POSITIVE_INFINITY
    for (const queued of [...this.#unschedulable.values()]) {
      if (this.#options.isGated(queued.info)) continue
      if (queued.since + longestMs <= now) this.#retry(queued)
      else next = Math.min(next, queued.since + longestMs)
    }
    const failed = this.#failed.peek()
    if (failed) next = Math.min(next, backoffEnd(failed) + windowMs)
    return next === Number.POSITIVE_INFINITY ? undefined : Math.max(0, next - now)
  }

  #retry(queued: QueuedPod): void {
    if (backoffEnd(queued) < windowOf(this.#options.clock.now()) || this.#options.isGated(queued.info))
      return this.#activate(queued)
    this.#unschedulable.delete(queued.key)
    this.#backoff.put(queued)
    this.#options.wake()
  }

  #activate(queued: QueuedPod): void {
    if (this.#options.isGated(queued.info)) {
      this.#unschedulable.set(queued.key, queued)
      return
    }
    this.#unschedulable.delete(queued.key)
    this.#active.put(queued)
    this.#options.wake()
  }
}
