/** Runs the reconcilers of the option `reconcilers` in the server: each acts as a user of its own. */
import { AUTHENTICATED_GROUP } from '../../apimachinery/request/user.js'
import { createClient } from '../../client/client.js'
import { EventNames } from '../../client/events/event-names.js'
import { EventRecorder } from '../../client/events/event-recorder.js'
import { Caches } from '../../client/operator/cache.js'
import { ControllerMetrics } from '../../client/operator/controller-metrics.js'
import type { Reconciler } from '../../client/operator/reconciler.js'
import { nameOf, ReconcilerRunner } from '../../client/operator/reconciler-runner.js'
import type { Transport } from '../../client/transport.js'
import type { Clock } from '../../util/clock.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { WorkQueues } from '../../util/instruments/work-queues.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'

export interface ReconcilersOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly queues: WorkQueues
  readonly metrics: Metrics
  readonly log: Logger
}

export function reconcilerParts(reconcilers: readonly Reconciler[], options: ReconcilersOptions): Part[] {
  // a server without reconcilers has no such metrics
  if (reconcilers.length === 0) return []
  const metrics = new ControllerMetrics(options.metrics)
  const names = new EventNames()
  return reconcilers.map(reconciler => new ReconcilerPart(reconciler, metrics, names, options))
}

class ReconcilerPart implements Part {
  readonly name: string
  readonly #client
  readonly #caches: Caches
  readonly #recorder: EventRecorder
  readonly #runner: ReconcilerRunner
  readonly #clock: Clock
  #unwatch: (() => void) | undefined
  #stopped = false

  constructor(reconciler: Reconciler, metrics: ControllerMetrics, names: EventNames, options: ReconcilersOptions) {
    this.name = nameOf(reconciler)
    const { clock, queues, log } = options
    const { user, workers = 1 } = reconciler
    const groups = [...(user ? (user.groups ?? []) : ['system:masters']), AUTHENTICATED_GROUP]
    this.#clock = clock
    this.#client = createClient(options.transport, {
      user: { ...(user ?? { name: `system:reconciler:${this.name}` }), groups },
      fieldManager: this.name
    })
    this.#caches = new Caches(`reconciler ${this.name}`, log)
    for (const cached of reconciler.cache ?? []) this.#caches.declare(cached)
    this.#recorder = new EventRecorder({ component: this.name, client: this.#client, clock, log, names })
    this.#runner = new ReconcilerRunner(reconciler, {
      client: this.#client,
      caches: this.#caches,
      recorder: this.#recorder,
      clock,
      log,
      counts: (name, queue) => queues.add(name, () => ({ depth: queue().length, began: queue().began })),
      reconciles: name => metrics.add(name, workers)
    })
  }

  /** Begins to follow the objects. The server need not be ready, nor the kinds be defined. */
  start(): void {
    this.#caches.start(this.#client)
    this.#unwatch = this.#clock.watchWork?.(() => this.#runner.isBusy || this.#recorder.isBusy)
    void this.#caches.synced().then(() => {
      if (!this.#stopped) this.#runner.begin()
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#runner.stop()
    this.#caches.stop()
    await this.#recorder.stop()
    this.#unwatch?.()
  }
}
