import type { Metrics } from '../../util/instruments/metrics.js'

/** Metrics of connections through proxies, under kube-apiserver's names. */
export class EgressDialMetrics {
  readonly #starts
  readonly #durations
  readonly #failures

  constructor(metrics: Metrics) {
    const labels = ['protocol', 'transport']
    this.#starts = metrics.counter({
      name: 'apiserver_egress_dialer_dial_start_total',
      help: 'Connections through a proxy that were begun, by protocol (http-connect or grpc) and transport (tcp or uds).',
      stage: 'ALPHA',
      labels
    })
    this.#durations = metrics.histogram({
      name: 'apiserver_egress_dialer_dial_duration_seconds',
      help: 'Seconds until a connection through a proxy was there, by protocol (http-connect or grpc) and transport (tcp or uds).',
      stage: 'ALPHA',
      labels,
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 12.5]
    })
    this.#failures = metrics.counter({
      name: 'apiserver_egress_dialer_dial_failure_count',
      help: 'Connections through a proxy that failed, by protocol, transport and stage (connect or proxy).',
      stage: 'ALPHA',
      labels: [...labels, 'stage']
    })
  }

  of(protocol: string, transport: string) {
    return {
      started: (): number => {
        this.#starts.of(protocol, transport).add()
        return performance.now()
      },
      connected: (begun: number): void => this.#durations.of(protocol, transport).observe((performance.now() - begun) / 1000),
      failed: (stage: string): void => this.#failures.of(protocol, transport, stage).add()
    }
  }
}
