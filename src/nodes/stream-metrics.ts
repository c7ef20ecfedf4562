import type { Counter, Metrics } from '../instruments/metrics.js'
import type { StreamCounts } from '../registry/services.js'

/** Metrics of logs and streams of Pods, under kube-apiserver's names. */
export class StreamMetrics implements StreamCounts {
  readonly #translated
  readonly #tunnelled
  readonly #webSockets
  readonly #logs: readonly Counter[]
  readonly #logFailures: readonly Counter[]

  constructor(metrics: Metrics) {
    const handled = (name: string, what: string) =>
      metrics.counter({ name, help: `Requests that were ${what}, by status code.`, stage: 'ALPHA', labels: ['code'] })
    this.#translated = handled('apiserver_stream_translator_requests_total', 'translated from WebSocket to SPDY: exec and attach')
    this.#tunnelled = handled('apiserver_stream_tunnel_requests_total', 'tunnelled in WebSocket: port-forward')
    this.#webSockets = metrics.counter({
      name: 'apiserver_websocket_streaming_requests_total',
      help: 'Requests for exec, attach and port-forward, by subresource and who translates WebSocket (proxied_to_kubelet or translated_at_apiserver).',
      stage: 'ALPHA',
      labels: ['subresource', 'proxy_type']
    })
    // the second name of each is deprecated
    const ofLogs = (name: string, help: string, labels: readonly string[]) =>
      ['', 'pods_logs_'].map(prefix =>
        metrics.counter({
          name: `kube_apiserver_pod_logs_${prefix}${name}`,
          help,
          stage: 'ALPHA',
          labels: [...labels],
          ...(prefix && { deprecated: '1.27.0' })
        })
      )
    this.#logs = ofLogs('insecure_backend_total', 'Requests for logs of Pods, by usage: enforce_tls or skip_tls_allowed.', [
      'usage'
    ])
    this.#logFailures = ofLogs(
      'backend_tls_failure_total',
      'Requests for logs of Pods that did not trust the certificate of the kubelet.',
      []
    )
  }

  translated(code: number): void {
    this.#translated.of(String(code)).add()
  }

  tunnelled(code: number): void {
    this.#tunnelled.of(String(code)).add()
  }

  webSocket(subresource: string): void {
    this.#webSockets.of(subresource, 'translated_at_apiserver').add()
  }

  log(skipsVerification: boolean): void {
    for (const counter of this.#logs) counter.of(skipsVerification ? 'skip_tls_allowed' : 'enforce_tls').add()
  }

  untrustedLog(): void {
    for (const counter of this.#logFailures) counter.of().add()
  }
}
