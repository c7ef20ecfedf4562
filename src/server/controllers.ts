/** Makes the controllers of a server from its options. */

import type { CustomResources } from '../apiextensions/custom-resources.js'
import type { Aggregation } from '../apiserver/aggregation/aggregation.js'
import type { RbacPolicy } from '../auth/authorization/rbac/policy.js'
import { type ElectionTimes, usualTimes } from '../client/leader-election/leader-election.js'
import type { Transport } from '../client/transport.js'
import { Controllers } from '../controllers/controllers.js'
import type { SimulatedParts } from '../controllers/controllers-options.js'
import { presentAddresses } from '../controllers/kubernetes-service/endpoints.js'
import { aloneAt, countedServers, leasesIn, type ServerAddresses } from '../controllers/kubernetes-service/server-addresses.js'
import type { StorageVersionUpdates } from '../controllers/server-objects/storage-version-updates.js'
import { usualNodeCapacity, usualNodes } from '../controllers/simulation/simulate-options.js'
import type { Startup } from '../controllers/startup.js'
import type { Registry } from '../registry/registry.js'
import type { Services } from '../registry/services.js'
import type { Admission } from '../registry/write/admission.js'
import type { Store } from '../storage/contract.js'
import { UserError } from '../util/user-error.js'
import { peerAddressOf, publicAddressOf } from './address.js'
import { prioritizes } from './flow-control.js'
import type { Foundation } from './foundation.js'
import { publishedTrust } from './front-proxy.js'
import type { ServerOptions } from './options.js'

interface Needs
  extends Pick<
    Foundation,
    'clock' | 'random' | 'continues' | 'isPrepared' | 'store' | 'registry' | 'pki' | 'requestHeader' | 'log'
  > {
  readonly services: Services
  readonly admission: Admission
  readonly rbac: RbacPolicy
  readonly customResources: CustomResources
  readonly aggregation: Aggregation | undefined
  /** The StorageVersions that this server has to write. */
  readonly updates: StorageVersionUpdates
  readonly startup: Startup
  /** The port on which the server listens; known once it listens. */
  readonly port: () => number
  /** Whether the server has a port, or will have one. */
  readonly hasPort: boolean
  /** How the parts of a simulated cluster reach the server, as clients of it. */
  readonly transport: Transport
}

/** Makes the controllers, and tells the health checks what the controllers have to do at the start. */
export function serverControllers(options: ServerOptions, needs: Needs): Controllers {
  const { continues, isPrepared, store, registry, pki, requestHeader, log } = needs
  const { services, admission, rbac, customResources, aggregation, updates, startup, port, hasPort } = needs
  const controllers = new Controllers({
    services,
    startup,
    rbac,
    customResources,
    admission,
    authority: pki.ca,
    caBundle: pki.serving.trust,
    clientCAs: pki.clientCAs,
    requestHeader: publishedTrust(requestHeader, pki, services.features.enabled('RemoteRequestHeaderUID')),
    eventTtl: options.eventTtl ?? 3_600_000,
    serverAddresses: hasPort ? serverAddresses(options, store, registry) : undefined,
    kubernetesServiceNodePort: options.kubernetesServiceNodePort ?? 0,
    port,
    controllers: options.controllers,
    continues,
    isPrepared,
    prioritizes: prioritizes(options),
    updates,
    peerAddress: peerAddressOf(options, services.features.enabled('UnknownVersionInteroperabilityProxy'), port),
    coordinatedLeadership: coordinatedLeadership(options),
    remoteContent: aggregation?.content,
    remoteGarbage: aggregation?.garbage,
    simulated: simulatedParts(options, needs),
    log
  })
  controllers.prepare()
  return controllers
}

/** Makes what makes a cluster of the server. Only then is its code loaded. */
function simulatedParts(
  { simulate }: ServerOptions,
  { services, transport, clock, random, log }: Needs
): SimulatedParts | undefined {
  if (!simulate) return undefined
  const { nodes = usualNodes, nodeCapacity, behavior } = simulate === true ? {} : simulate
  const shared = {
    transport,
    clock,
    randomness: random,
    queues: services.queues,
    kubelets: services.connections.simulatedKubelets,
    features: services.features,
    services: services.connections.simulatedServices,
    log,
    nodes,
    behavior
  }
  return {
    async cluster(enabled, hasFront) {
      const { SimulatedCluster } = await import('../controllers/simulation/simulated-cluster.js')
      return new SimulatedCluster({ ...shared, nodeCapacity: { ...usualNodeCapacity, ...nodeCapacity }, enabled, hasFront })
    },
    async front() {
      const { ClusterFront } = await import('../controllers/simulation/cluster-front.js')
      return new ClusterFront(shared)
    }
  }
}

/** Makes what keeps the addresses of the Service `kubernetes`, as --endpoint-reconciler-type says. */
function serverAddresses(options: ServerOptions, store: Store, registry: Registry): ServerAddresses | undefined {
  const address = publicAddressOf(options)
  const type = options.endpointReconcilerType ?? 'lease'
  if (address === undefined || type === 'none') return undefined
  if (type === 'master-count') return countedServers(address, options.apiserverCount ?? 1, () => presentAddresses(registry))
  return store.expires ? leasesIn(store, address) : aloneAt(address)
}

/** Throws a UserError for times with which two servers could be leaders at once. */
function coordinatedLeadership(options: ServerOptions): ElectionTimes {
  const leaseDuration = options.coordinatedLeadershipLeaseDuration ?? usualTimes.leaseDuration
  const renewDeadline = options.coordinatedLeadershipRenewDeadline ?? usualTimes.renewDeadline
  const retryPeriod = options.coordinatedLeadershipRetryPeriod ?? usualTimes.retryPeriod
  const flag = (name: string) => `--coordinated-leadership-${name}`
  if (leaseDuration <= renewDeadline)
    throw new UserError(`${flag('lease-duration')} must be greater than ${flag('renew-deadline')}`)
  if (renewDeadline <= retryPeriod) throw new UserError(`${flag('renew-deadline')} must be greater than ${flag('retry-period')}`)
  return { leaseDuration, renewDeadline, retryPeriod }
}
