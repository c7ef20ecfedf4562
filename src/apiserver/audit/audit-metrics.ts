/** Metrics of audit, under kube-apiserver's names. */
import type { Metrics } from '../../util/instruments/metrics.js'

export type AuditLevelName = 'None' | 'Metadata' | 'Request' | 'RequestResponse'

/** The parts of audit that fail, as kube-apiserver names them. */
export type AuditPlugin = 'log' | 'webhook' | 'buffered' | 'truncate' | 'program'

export class AuditMetrics {
  readonly #events
  readonly #rejected
  readonly #levels
  readonly #errors

  constructor(metrics: Metrics) {
    const name = 'apiserver_audit'
    this.#events = metrics.counter({ name: `${name}_event_total`, help: 'Audit events that were made.', stage: 'ALPHA' }).of()
    this.#rejected = metrics
      .counter({
        name: `${name}_requests_rejected_total`,
        help: 'Requests that were refused because their audit event could not be kept.',
        stage: 'ALPHA'
      })
      .of()
    this.#levels = metrics.counter({
      name: `${name}_level_total`,
      help: 'Requests by the level of the audit policy.',
      stage: 'ALPHA',
      labels: ['level']
    })
    this.#errors = metrics.counter({
      name: `${name}_error_total`,
      help: 'Audit events that were lost, by the part that failed.',
      stage: 'ALPHA',
      labels: ['plugin']
    })
  }

  countEvent(): void {
    this.#events.add()
  }

  countLevel(level: AuditLevelName): void {
    this.#levels.of(level).add()
  }

  /** A request was refused because its event could not be kept. */
  countRejected(): void {
    this.#rejected.add()
  }

  countErrors(plugin: AuditPlugin, events: number): void {
    this.#errors.of(plugin).add(events)
  }
}
