/** The other API servers over the same store: what they serve, in discovery, and requests that only they can answer. */

import type { Stage } from '../../apimachinery/request/stage.js'
import type { Startup } from '../../controllers/startup.js'
import type { Services } from '../../registry/services.js'
import type { Connect } from '../../transport/egress/egress-selector.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import type { FrontProxyCertificate } from '../aggregation/remote-connections.js'
import type { PeerDocuments } from '../discovery/paths.js'
import { mergedDiscovery } from './merged-discovery.js'
import { type MixedVersionProxyOptions, mixedVersionProxy } from './mixed-version-proxy.js'
import { peerAddresses } from './peer-addresses.js'
import { PeerConnections } from './peer-connections.js'
import { PeerDiscovery } from './peer-discovery.js'
import { PeerMetrics } from './peer-metrics.js'

export interface PeersOptions extends Pick<MixedVersionProxyOptions, 'serves'> {
  readonly services: Services
  /** PEM of the authorities that the certificates of the other servers are verified with. */
  readonly authorities: string
  /** The certificate by which the other servers know this one. */
  readonly certificate: FrontProxyCertificate
  readonly egress: Connect | undefined
  readonly metrics: Metrics
  readonly startup: Startup
  readonly log: Logger
}

export interface Peers {
  readonly stage: Stage
  readonly documents: PeerDocuments
  /** Shows another certificate to the other servers. */
  use(certificate: FrontProxyCertificate | undefined): void
  /** Parts that must have started before requests come. */
  readonly before: readonly Part[]
  /** Parts that read from the other servers what each process needs for itself. */
  readonly readers: readonly Part[]
}

export function peersOf({ services, authorities, certificate, egress, serves, startup, log, ...options }: PeersOptions): Peers {
  const metrics = new PeerMetrics(options.metrics)
  const connections = new PeerConnections(authorities, certificate, egress)
  const addressOf = peerAddresses(services)
  const discovery = new PeerDiscovery({ services, connections, addressOf, metrics, log })
  return {
    stage: mixedVersionProxy({ discovery, connections, addressOf, metrics, random: services.random, serves }),
    documents: {
      get generation() {
        return discovery.generation
      },
      merged: own => mergedDiscovery(discovery.ownId, own, discovery.groups())
    },
    use: given => given && connections.use(given),
    before: [
      { name: 'connections to other API servers', stop: () => connections.close() },
      startup.during(discovery.excluded, 'mixed-version-proxy-handler', 'local-discovery-cache-sync')
    ],
    readers: [startup.during(discovery.controller, 'peer-discovery-workers')]
  }
}
