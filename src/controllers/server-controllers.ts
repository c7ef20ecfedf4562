/** The controllers that run in every server. */

import * as refs from '../apimachinery/api/resources.js'
import { Client, systemUser } from '../registry/client.js'
import type { Services } from '../registry/services.js'
import { firstAddress } from '../transport/certificates/ip-address.js'
import { type Part, RunningParts } from '../util/part.js'
import { hostAndPort } from '../util/url-parts.js'
import type { ControllersOptions } from './controllers-options.js'
import { candidateCollector } from './coordinated-election/candidate-collector.js'
import { coordinatedElection } from './coordinated-election/coordinated-election.js'
import { definitionController } from './custom-resource-definitions.js'
import { EventExpiry } from './event-expiry.js'
import { KubernetesService } from './kubernetes-service/kubernetes-service.js'
import { leaderElection } from './leader-election/elected-part.js'
import { leaseLock } from './leader-election/lease-lock.js'
import { ApiServiceRegistration } from './server-objects/api-services.js'
import { authenticationTrust } from './server-objects/authentication-trust.js'
import { FlowControl } from './server-objects/flow-control.js'
import { type PeerAddress, peerEndpoint } from './server-objects/peer-endpoint.js'
import { identityLease, identityLeaseCollector } from './server-objects/server-identity.js'
import { storageVersionUpdater, tellsStorageVersions } from './server-objects/storage-versions.js'
import { serviceClaimsRepair } from './service-claims.js'

const peerText = ({ ip, port }: PeerAddress) => hostAndPort(ip, port)

/** Returns the controllers that run in every server, as they do in every kube-apiserver. */
export function serverControllers(
  options: ControllersOptions,
  client: Client,
  registered: (registration: ApiServiceRegistration) => void
): Part[] {
  const { services, startup, customResources, admission, updates, log } = options
  const { registry } = services
  const clientAs = (manager: string) => new Client(services, admission, { user: systemUser('system:apiserver'), manager })
  const controllers: Part[] = []
  if (registry.serves(refs.services)) controllers.push(startup.during(kubernetesService(options, client), 'bootstrap-controller'))
  if (registry.serves(refs.services) && registry.serves(refs.ipAddresses))
    controllers.push(serviceClaimsRepair(services, clientAs('kube-apiserver'), log))
  if (registry.serves(refs.configMaps))
    controllers.push(
      startup.during(authenticationTrust(services, client, options, log), 'start-cluster-authentication-info-controller')
    )
  if (registry.serves(refs.events) && !registry.of(refs.events).store.expires)
    controllers.push(new EventExpiry({ services, client, ttl: options.eventTtl, log }))
  if (registry.serves(refs.customResourceDefinitions))
    controllers.push(
      startup.during(definitionController(services, customResources, client, log), 'start-apiextensions-controllers')
    )
  if (registry.serves(refs.apiServices)) {
    const registration = new ApiServiceRegistration(services, client, log)
    registered(registration)
    controllers.push(
      startup.during(
        registration,
        'start-kube-aggregator-informers',
        'apiservice-registration-controller',
        'kube-apiserver-autoregistration'
      )
    )
  }
  if (services.features.enabled('APIServerIdentity') && registry.serves(refs.leases)) {
    const collector = identityLeaseCollector(services, client, log)
    const peer = services.features.enabled('UnknownVersionInteroperabilityProxy')
      ? () => peerText(options.peerAddress())
      : undefined
    controllers.push(
      startup.during(
        identityLease(services, client, { continues: options.continues, peerAddress: peer, log }),
        'start-kube-apiserver-identity-lease-controller'
      ),
      startup.during(collector, 'start-kube-apiserver-identity-lease-garbage-collector')
    )
  }
  if (services.features.enabled('UnknownVersionInteroperabilityProxy'))
    controllers.push(startup.during(peerEndpoint(services, options.peerAddress, log), 'peer-endpoint-reconciler-controller'))
  if (electsLeaders(services))
    controllers.push(
      startup.during(coordinatedLeaderElection(options, client), 'start-kube-apiserver-coordinated-leader-election-controller')
    )
  if (tellsStorageVersions(services)) {
    const updater = storageVersionUpdater(services, client, updates, log)
    controllers.push(startup.during(updater, 'built-in-resources-storage-version-updater'))
  }
  if (registry.serves(refs.flowSchemas)) {
    const flowControl = 'api-priority-and-fairness-config'
    const [producer, consumer] = [clientAs(`${flowControl}-producer-v1`), clientAs(`${flowControl}-consumer-v1`)]
    controllers.push(
      startup.during(
        new FlowControl(services, producer, options.prioritizes ? consumer : undefined, log),
        ...(options.prioritizes ? (['priority-and-fairness-config-consumer'] as const) : []),
        'priority-and-fairness-config-producer'
      )
    )
  }
  return controllers
}

function kubernetesService(
  { services, serverAddresses, kubernetesServiceNodePort, port, log }: ControllersOptions,
  client: Client
): Part {
  const { registry, network } = services
  return new KubernetesService({
    services,
    client,
    addresses: registry.serves(refs.endpoints) && registry.serves(refs.endpointSlices) ? serverAddresses : undefined,
    clusterIP: firstAddress(network.clusterIPRanges[0]!),
    nodePort: kubernetesServiceNodePort,
    port,
    log
  })
}

/** Runs in every server, one of which is elected; also over a store that no other server uses. */
function coordinatedLeaderElection({ services, coordinatedLeadership, log }: ControllersOptions, client: Client): Part {
  const lock = leaseLock(services.registry.of(refs.leases), client, 'leader-election-controller')
  return leaderElection(services, lock, coordinatedLeadership, log, async () => {
    const running = new RunningParts()
    await running.start([coordinatedElection(services, client, log), candidateCollector(services, client, log)])
    return running
  })
}

/** Whether the server elects leaders. It reads the candidates in v1beta1, as kube-apiserver does. */
const electsLeaders = ({ features, registry }: Services) =>
  features.enabled('CoordinatedLeaderElection') &&
  registry.serves(refs.leases) &&
  registry.serves(refs.leaseCandidates) &&
  registry.of(refs.leaseCandidates).versions.has('v1beta1')
