/** Metrics of the requests that go to other API servers, under kube-apiserver's names. */
import type { Metrics } from '../../util/instruments/metrics.js'

/** What a request asks for; undefined for one for discovery. */
export interface Wanted {
  readonly group: string
  readonly version: string
  readonly resource: string
}

const ofResource = ({ group, version, resource }: Wanted) => [group, version, resource] as const

export class PeerMetrics {
  readonly #rerouted
  readonly #proxyErrors
  readonly #syncErrors

  constructor(metrics: Metrics) {
    this.#rerouted = metrics.counter({
      name: 'apiserver_rerouted_request_total',
      help: 'Requests that were passed on to another API server, because this one does not serve the resource, by the status of the answer. Requests for discovery have no group, version and resource.',
      stage: 'ALPHA',
      labels: ['code', 'group', 'version', 'resource']
    })
    this.#proxyErrors = metrics.counter({
      name: 'apiserver_peer_proxy_errors_total',
      help: 'Requests that could not be passed on to another API server, by the reason.',
      stage: 'ALPHA',
      labels: ['type', 'group', 'version', 'resource']
    })
    this.#syncErrors = metrics.counter({
      name: 'apiserver_peer_discovery_sync_errors_total',
      help: 'Failures to learn what another API server serves, by the reason.',
      stage: 'ALPHA',
      labels: ['type']
    })
  }

  rerouted(status: number, wanted: Wanted = { group: '', version: '', resource: '' }): void {
    this.#rerouted.of(String(status), ...ofResource(wanted)).add()
  }

  hasNoAddress(wanted: Wanted): void {
    this.#proxyErrors.of('endpoint_resolution', ...ofResource(wanted)).add()
  }

  syncFailed(type: 'hostport_resolution' | 'fetch_discovery'): void {
    this.#syncErrors.of(type).add()
  }
}
