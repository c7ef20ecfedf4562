/** Metrics of reconcilers and webhooks, under controller-runtime's names. */
import { exponentialBuckets, type Metrics } from '../../util/instruments/metrics.js'
import type { Count, Distribution } from '../../util/instruments/series.js'
import type { QueueCounts } from '../../util/instruments/work-queues.js'
import type { WorkQueue } from '../../util/work-queue.js'

const seconds = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  ...[1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60]
]

/** How a reconcile ended, as controller-runtime names it. */
export type Outcome = 'success' | 'error' | 'requeue_after'
const outcomes: readonly Outcome[] = ['success', 'error', 'requeue_after']

export interface ReconcileCounts {
  readonly outcomes: Readonly<Record<Outcome, Count>>
  readonly errors: Count
  readonly terminalErrors: Count
  readonly timeouts: Count
  readonly time: Distribution
  readonly active: Count
}

export class ControllerMetrics {
  readonly #total
  readonly #errors
  readonly #terminal
  readonly #timeouts
  readonly #time
  readonly #workers
  readonly #active

  constructor(metrics: Metrics) {
    const labels = ['controller']
    this.#total = metrics.counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Reconciles, by their result.',
      labels: ['controller', 'result']
    })
    this.#errors = metrics.counter({ name: 'controller_runtime_reconcile_errors_total', help: 'Reconciles that failed.', labels })
    this.#terminal = metrics.counter({
      name: 'controller_runtime_terminal_reconcile_errors_total',
      help: 'Reconciles that failed and are not tried again.',
      labels
    })
    this.#timeouts = metrics.counter({
      name: 'controller_runtime_reconcile_timeouts_total',
      help: 'Reconciles that took longer than their timeout.',
      labels
    })
    this.#time = metrics.histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'How long reconciles took.',
      labels,
      buckets: seconds
    })
    this.#workers = metrics.gauge({
      name: 'controller_runtime_max_concurrent_reconciles',
      help: 'The most reconciles that run at the same time.',
      labels
    })
    this.#active = metrics.gauge({ name: 'controller_runtime_active_workers', help: 'Reconciles that run.', labels })
  }

  add(name: string, workers: number): ReconcileCounts {
    this.#workers.of(name).set(workers)
    return {
      outcomes: Object.fromEntries(outcomes.map(outcome => [outcome, this.#total.of(name, outcome)])) as Record<Outcome, Count>,
      errors: this.#errors.of(name),
      terminalErrors: this.#terminal.of(name),
      timeouts: this.#timeouts.of(name),
      time: this.#time.of(name),
      active: this.#active.of(name)
    }
  }
}

/** Metrics of work queues with controller-runtime's labels: a queue has the name of its controller. */
export class ControllerQueues {
  readonly #adds
  readonly #retries
  readonly #waited
  readonly #worked
  readonly #queues = new Map<string, () => WorkQueue>()

  constructor(metrics: Metrics) {
    const labels = ['name', 'controller']
    const buckets = exponentialBuckets(10e-9, 10, 12)
    this.#adds = metrics.counter({ name: 'workqueue_adds_total', help: 'Objects that were added to a queue.', labels })
    this.#retries = metrics.counter({ name: 'workqueue_retries_total', help: 'Objects whose work was tried again.', labels })
    this.#waited = metrics.histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long objects waited in a queue.',
      labels,
      buckets
    })
    this.#worked = metrics.histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long the work for objects took.',
      labels,
      buckets
    })
    const depth = metrics.gauge({
      name: 'workqueue_depth',
      help: 'Objects that wait in a queue, by their priority.',
      labels: [...labels, 'priority'],
      collect: () => {
        for (const [name, queue] of this.#queues)
          for (const [priority, length] of queue().lengths) depth.of(name, name, String(priority)).set(length)
      }
    })
    const running = (name: string, help: string, of: (times: readonly number[]) => number) => {
      const gauge = metrics.gauge({
        name,
        help,
        labels,
        collect: () => {
          const now = performance.now()
          for (const [name, queue] of this.#queues)
            gauge.of(name, name).set(of([...queue().began].map(began => (now - began) / 1000)))
        }
      })
    }
    running('workqueue_unfinished_work_seconds', 'How long the work that is under way has taken so far, in all.', times =>
      times.reduce((sum, time) => sum + time, 0)
    )
    running('workqueue_longest_running_processor_seconds', 'How long the longest work under way has taken so far.', times =>
      Math.max(0, ...times)
    )
  }

  add(name: string, queue: () => WorkQueue): QueueCounts {
    this.#queues.set(name, queue)
    return {
      adds: this.#adds.of(name, name),
      retries: this.#retries.of(name, name),
      waited: this.#waited.of(name, name),
      worked: this.#worked.of(name, name)
    }
  }
}
