import type { StreamCounts } from '../../registry/services.js'
import type { Metrics } from '../../util/instruments/metrics.js'

/** Metrics of logs and streams of Pods, under kube-apiserver's names. */
export class StreamMetrics implements StreamCounts {
  readonly #translated
  readonly #tunnelled
  readonly #webSockets
  readonly #logs
  readonly #untrusted

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
    this.#logs = metrics.counter({
      name: 'kube_apiserver_pod_logs_insecure_backend_total',
      help: 'Requests for logs of Pods, by usage: enforce_tls or skip_tls_allowed.',
      stage: 'ALPHA',
      labels: ['usage']
    })
    this.#untrusted = metrics.counter({
      name: 'kube_apiserver_pod_logs_backend_tls_failure_total',
      help: 'Requests for logs of Pods that did not trust the certificate of the kubelet.',
      stage: 'ALPHA'
    })
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
    this.#logs.of(skipsVerification ? 'skip_tls_allowed' : 'enforce_tls').add()
  }

  untrustedLog(): void {
    this.#untrusted.of().add()
  }
}
