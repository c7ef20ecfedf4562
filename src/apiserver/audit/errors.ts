/** Counts events that are lost, and logs that, but seldom: a dead receiver loses thousands in a second. */

import type { Clock } from '../../util/clock.js'
import type { Logger } from '../../util/logger.js'
import type { AuditMetrics, AuditPlugin } from './audit-metrics.js'

const quietMs = 10_000

export class AuditErrors {
  readonly #metrics: AuditMetrics
  readonly #log: Logger
  readonly #clock: Clock
  /** For each plugin, when it was last logged, and how many events were lost since. */
  readonly #logged = new Map<AuditPlugin, { at: number; unsaid: number }>()

  constructor(metrics: AuditMetrics, log: Logger, clock: Clock) {
    this.#metrics = metrics
    this.#log = log
    this.#clock = clock
  }

  lost(plugin: AuditPlugin, events: number, why: string): void {
    this.#metrics.countErrors(plugin, events)
    const now = this.#clock.now()
    let state = this.#logged.get(plugin)
    if (!state) this.#logged.set(plugin, (state = { at: Number.NEGATIVE_INFINITY, unsaid: 0 }))
    state.unsaid += events
    if (now - state.at < quietMs) return
    this.#log.error(`Error in audit plugin '${plugin}' affecting ${state.unsaid} audit events: ${why}`)
    state.at = now
    state.unsaid = 0
  }
}
