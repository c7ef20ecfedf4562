/** Counts of aggregated discovery, under kube-apiserver's names. */
import type { Metrics } from '../../util/instruments/metrics.js'
import type { Count } from '../../util/instruments/series.js'

export class DiscoveryMetrics {
  /** How often a document of this server was made. */
  readonly aggregations: Count
  /** Requests for what this server alone serves. */
  readonly withoutPeers: Count
  readonly #hits: Count
  readonly #misses: Count

  constructor(metrics: Metrics) {
    const counter = (name: string, help: string) =>
      metrics.counter({ name: `aggregator_discovery_${name}_total`, help, stage: 'ALPHA' }).of()
    this.aggregations = counter(
      'aggregation_count',
      'How often the resources of this server were joined to a document of discovery.'
    )
    this.withoutPeers = counter('nopeer_requests', 'Requests for discovery without what other API servers serve.')
    this.#hits = counter(
      'peer_aggregated_cache_hits',
      'Requests for the discovery of all API servers whose document was there already.'
    )
    this.#misses = counter(
      'peer_aggregated_cache_misses',
      'Requests for the discovery of all API servers whose document had to be made.'
    )
  }

  /** Counts a request for the document of all API servers; `isKnown`: it was there already. */
  ofAllServers(isKnown: boolean): void {
    ;(isKnown ? this.#hits : this.#misses).add()
  }
}
