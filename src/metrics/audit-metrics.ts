/** Metrics of audit, under kube-apiserver's names. Counting is an addition: the counters of the library are set when they are read. */
import type * as Prometheus from 'prom-client'
import type { LazyMetrics } from './lazy-metrics.js'

export type AuditLevelName = 'None' | 'Metadata' | 'Request' | 'RequestResponse'
/** The parts of audit that fail, as kube-apiserver names them. */
export type AuditPlugin = 'log' | 'webhook' | 'buffered' | 'truncate' | 'program'

export class AuditMetrics {
  #events = 0
  #rejected = 0
  readonly #levels: Record<AuditLevelName, number> = { None: 0, Metadata: 0, Request: 0, RequestResponse: 0 }
  readonly #errors = new Map<AuditPlugin, number>()

  constructor(all: LazyMetrics) {
    all.add((library, registry) => this.#make(library, registry))
  }

  countEvent(): void {
    this.#events++
  }

  countLevel(level: AuditLevelName): void {
    this.#levels[level]++
  }

  /** A request was refused because its event could not be kept. */
  countRejected(): void {
    this.#rejected++
  }

  countErrors(plugin: AuditPlugin, events: number): void {
    this.#errors.set(plugin, (this.#errors.get(plugin) ?? 0) + events)
  }

  #make({ Counter }: typeof Prometheus, registry: Prometheus.Registry): void {
    const counter = (name: string, help: string, labelNames: readonly string[], collect: (counter: any) => void) =>
      new Counter({
        name: `apiserver_audit_${name}`,
        help,
        labelNames,
        registers: [registry],
        collect() {
          this.reset()
          collect(this)
        }
      })
    counter('event_total', 'Audit events that were made.', [], own => own.inc(this.#events))
    counter('requests_rejected_total', 'Requests that were refused because their audit event could not be kept.', [], own =>
      own.inc(this.#rejected)
    )
    counter('level_total', 'Requests by the level of the audit policy.', ['level'], own => {
      for (const [level, count] of Object.entries(this.#levels)) if (count > 0) own.inc({ level }, count)
    })
    counter('error_total', 'Audit events that were lost, by the part that failed.', ['plugin'], own => {
      for (const [plugin, count] of this.#errors) own.inc({ plugin }, count)
    })
  }
}
