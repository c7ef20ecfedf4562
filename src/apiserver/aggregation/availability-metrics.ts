import type { Metrics } from '../../util/instruments/metrics.js'

/** Metrics of the availability of APIServices, under kube-apiserver's names. */
export class AvailabilityMetrics {
  readonly #unavailable = new Map<string, boolean>()
  readonly #became

  constructor(metrics: Metrics) {
    const gauge = metrics.gauge({
      name: 'aggregator_unavailable_apiservice',
      help: 'Whether an APIService is unavailable (1) or available (0).',
      stage: 'ALPHA',
      labels: ['name'],
      collect: () => {
        gauge.clear()
        for (const [name, isUnavailable] of this.#unavailable) gauge.of(name).set(isUnavailable ? 1 : 0)
      }
    })
    this.#became = metrics.counter({
      name: 'aggregator_unavailable_apiservice_total',
      help: 'How often APIServices became unavailable, by name and reason.',
      stage: 'ALPHA',
      labels: ['name', 'reason']
    })
  }

  set(name: string, isAvailable: boolean): void {
    this.#unavailable.set(name, !isAvailable)
  }

  forget(name: string): void {
    this.#unavailable.delete(name)
  }

  becameUnavailable(name: string, reason: string): void {
    this.#became.of(name, reason).add()
  }
}
