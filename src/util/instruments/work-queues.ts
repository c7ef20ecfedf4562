/** Metrics of the queues of controllers, under Kubernetes' names. */
import { exponentialBuckets, type Metrics } from './metrics.js'
import type { Count, Distribution } from './series.js'

/** What one controller reports about its queue. */
export interface QueueCounts {
  readonly adds: Count
  readonly retries: Count
  readonly waited: Distribution
  readonly worked: Distribution
}

/** The present state of a queue. */
export interface QueueState {
  readonly depth: number
  /** When each item under way was begun, as times of performance.now() in milliseconds. */
  readonly began: Iterable<number>
}

const seconds = exponentialBuckets(10e-9, 10, 10)
const labels = ['name']

export class WorkQueues {
  readonly #adds
  readonly #retries
  readonly #waited
  readonly #worked
  readonly #states = new Map<string, () => QueueState>()

  constructor(metrics: Metrics) {
    const family = { stage: 'BETA', labels } as const
    this.#adds = metrics.counter({ name: 'workqueue_adds_total', help: 'Keys that were added to a queue.', ...family })
    this.#retries = metrics.counter({ name: 'workqueue_retries_total', help: 'Keys whose work was tried again.', ...family })
    this.#waited = metrics.histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long keys waited in a queue.',
      ...family,
      buckets: seconds
    })
    this.#worked = metrics.histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long the work for keys took.',
      ...family,
      buckets: seconds
    })
    this.#gauge(metrics, 'depth', 'Keys that wait in a queue.', ({ depth }) => depth)
    const running = ({ began }: QueueState) => [...began].map(time => (performance.now() - time) / 1000)
    this.#gauge(metrics, 'unfinished_work_seconds', 'How long the work that is under way has taken so far, in all.', state =>
      running(state).reduce((sum, time) => sum + time, 0)
    )
    this.#gauge(metrics, 'longest_running_processor_seconds', 'How long the longest work under way has taken so far.', state =>
      Math.max(0, ...running(state))
    )
  }

  #gauge(metrics: Metrics, name: string, help: string, read: (state: QueueState) => number): void {
    const gauge = metrics.gauge({
      name: `workqueue_${name}`,
      help,
      stage: 'BETA',
      labels,
      collect: () => {
        for (const [queue, state] of this.#states) gauge.of(queue).set(read(state()))
      }
    })
  }

  /** Adds a queue, or replaces the one of this name that has ended. */
  add(name: string, state: () => QueueState): QueueCounts {
    this.#states.set(name, state)
    return {
      adds: this.#adds.of(name),
      retries: this.#retries.of(name),
      waited: this.#waited.of(name),
      worked: this.#worked.of(name)
    }
  }
}
