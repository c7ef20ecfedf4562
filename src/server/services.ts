/** Makes the services that admission, endpoints, subresources and controllers share. */

import { connectionsOf } from '../apiserver/nodes/connections.js'
import type { Startup } from '../controllers/startup.js'
import { ServiceNetwork } from '../registry/network/service-network.js'
import type { Services } from '../registry/services.js'
import { ServiceAccountTokens } from '../registry/tokens/service-account-tokens.js'
import { WorkQueues } from '../util/instruments/work-queues.js'
import type { Part } from '../util/part.js'
import { apiAudiencesOf, issuersOf, serviceRangeOf } from './defaults.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'

type Opened = 'features' | 'hostName' | 'clock' | 'store' | 'registry' | 'tokens' | 'kubelets' | 'egress' | 'metrics'

type Needs = Pick<Foundation, Opened> & Pick<Services, 'faults' | 'random' | 'authenticator' | 'authorizer' | 'rbac'>

export function serverServices(options: ServerOptions, needs: Needs): Services {
  const { features, clock, random, hostName, store, registry, authenticator, authorizer, rbac, metrics } = needs
  const { signer, lifetimes } = needs.tokens
  return {
    features,
    allowPrivileged: options.allowPrivileged ?? true,
    collectsGarbage: options.enableGarbageCollector ?? true,
    clock,
    random,
    store,
    registry,
    hostName,
    queues: new WorkQueues(metrics),
    network: new ServiceNetwork(
      {
        clusterIPRange: serviceRangeOf(options),
        nodePortRange: options.serviceNodePortRange
      },
      metrics
    ),
    tokens: new ServiceAccountTokens(signer, issuersOf(options)[0]!, lifetimes),
    authenticator,
    apiAudiences: apiAudiencesOf(options),
    authorizer,
    rbac,
    faults: needs.faults,
    connections: connectionsOf({
      kubelets: needs.kubelets,
      addressTypes: options.kubeletPreferredAddressTypes,
      egress: needs.egress.cluster,
      bytesPerSecond: options.maxConnectionBytesPerSec,
      metrics
    })
  }
}

type Stored = Pick<Foundation, 'registry' | 'store' | 'clock'>

/**
 * Makes the part that knows which addresses and ports Services have taken. `hasWorkers` says that other processes take some as
 * well.
 */
export function networkPart(
  { network }: Services,
  { registry, store, clock }: Stored,
  startup: Startup,
  hasWorkers: boolean
): Part {
  const start = () => network.start(registry, store, () => clock.now(), hasWorkers || store.shared)
  return startup.during({ name: 'service network', start, stop: () => network.stop() }, 'start-service-ip-repair-controllers')
}
