/** Metrics of health checks, for service level indicators: /metrics/slis. */
import type { Metrics } from '../../util/instruments/metrics.js'

export class HealthMetrics {
  readonly #last
  readonly #total

  constructor(metrics: Metrics) {
    this.#last = metrics.gauge({
      name: 'kubernetes_healthcheck',
      help: 'Whether a health check has passed last.',
      stage: 'STABLE',
      labels: ['name', 'type']
    })
    this.#total = metrics.counter({
      name: 'kubernetes_healthchecks_total',
      help: 'Health checks by their result.',
      stage: 'STABLE',
      labels: ['name', 'type', 'status']
    })
    const started = Date.now() / 1000 - process.uptime()
    metrics
      .gauge({ name: 'process_start_time_seconds', help: 'When the process started, in seconds since 1970.', stage: 'ALPHA' })
      .of()
      .set(started)
  }

  /** `type`: livez, readyz or healthz. */
  checked(name: string, type: string, passed: boolean): void {
    this.#last.of(name, type).value = passed ? 1 : 0
    this.#total.of(name, type, passed ? 'success' : 'error').value++
  }
}
