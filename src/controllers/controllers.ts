/** The controllers that run inside a server. */

import * as refs from '../api/resources.js'
import type { CustomResources } from '../apiextensions/custom-resources.js'
import type { RequestHeaderOptions } from '../authentication/request-header.js'
import type { RbacPolicy } from '../authorization/rbac/policy.js'
import { firstAddress } from '../certificates/ip-address.js'
import type { Pki } from '../certificates/pki.js'
import type { Startup } from '../health/startup.js'
import { Client, systemUser } from '../registry/client.js'
import type { Services } from '../registry/services.js'
import type { Admission } from '../registry/write/admission.js'
import type { Logger } from '../util/logger.js'
import { type Part, RunningParts } from '../util/part.js'
import { hostAndPort } from '../util/url-parts.js'
import { signingRequestApprover } from './certificates/csr-approver.js'
import { signingRequestCleaner } from './certificates/csr-cleaner.js'
import { signingRequestSigner } from './certificates/csr-signer.js'
import { podCertificateCleaner } from './certificates/pod-certificate-cleaner.js'
import { servingTrustBundle } from './certificates/serving-trust-bundle.js'
import { clusterRoleAggregation } from './cluster-role-aggregation.js'
import { type ControllerName, enabledControllers } from './controller-names.js'
import { candidateCollector } from './coordinated-election/candidate-collector.js'
import { coordinatedElection } from './coordinated-election/coordinated-election.js'
import { definitionController } from './custom-resource-definitions.js'
import { EventExpiry } from './event-expiry.js'
import { GarbageCollector } from './garbage-collector/garbage-collector.js'
import { KubernetesService } from './kubernetes-service/kubernetes-service.js'
import type { ServerAddresses } from './kubernetes-service/server-addresses.js'
import { type ElectionTimes, LeaderElection, type Lock, usualTimes } from './leader-election/leader-election.js'
import { leaseLock } from './leader-election/lease-lock.js'
import { namespaceController } from './namespaces.js'
import { policyStatusController } from './policies/policy-status.js'
import type { RemoteContent, RemoteGarbage } from './remote-content.js'
import { ResourceQuotas } from './resource-quotas.js'
import { ApiServiceRegistration } from './server-objects/api-services.js'
import { authenticationTrust } from './server-objects/authentication-trust.js'
import { FlowControl } from './server-objects/flow-control.js'
import { type PeerAddress, peerEndpoint } from './server-objects/peer-endpoint.js'
import { identityLease, identityLeaseCollector } from './server-objects/server-identity.js'
import { ServerObjects } from './server-objects/server-objects.js'
import type { StorageVersionUpdates } from './server-objects/storage-version-updates.js'
import { storageVersionUpdater } from './server-objects/storage-versions.js'
import { serviceCidrController } from './service-cidrs.js'
import { storageVersionMigrator } from './storage-migration/storage-version-migrator.js'
import { storageVersionCollector } from './storage-version-gc.js'
import { bootstrapSigner } from './tokens/bootstrap-signer.js'
import { legacyTokenCleaner } from './tokens/legacy-token-cleaner.js'
import { serviceAccountController } from './tokens/service-accounts.js'
import { tokenCleaner } from './tokens/token-cleaner.js'
import { tokenSecretController } from './tokens/token-secrets.js'

export interface ControllersOptions {
  readonly services: Services
  /** Is told when work of the start is done. */
  readonly startup: Startup
  readonly rbac: RbacPolicy
  readonly customResources: CustomResources
  readonly admission: Admission
  /** The authority that signs requested certificates. */
  readonly authority: Pki['ca']
  /** PEM of the certificates that clients of this server have to trust. */
  readonly caBundle: string
  /** PEM of the authorities whose client certificates the server accepts. */
  readonly clientCAs: readonly string[]
  readonly requestHeader: RequestHeaderOptions | undefined
  /** Returns the port on which the server listens. */
  readonly port: () => number
  /** Keeps the addresses of the Service `kubernetes`; undefined when nobody does. */
  readonly serverAddresses: ServerAddresses | undefined
  readonly kubernetesServiceNodePort: number
  /** Milliseconds for which Events are kept. */
  readonly eventTtl: number
  /** Whether the server goes on from a snapshot. */
  readonly continues: boolean
  /** Whether the objects in the store are, at the start, those that the build prepared. */
  readonly isPrepared: boolean
  /** The option of the same name. */
  readonly controllers: readonly string[] | undefined
  /** Whether this server serves by priority and fairness, and therefore writes the status of FlowSchemas. */
  readonly prioritizes: boolean
  /** The StorageVersions that this server still has to write. */
  readonly updates: StorageVersionUpdates
  /** Returns where other API servers reach this one. */
  readonly peerAddress: () => PeerAddress
  /** The times of the election of the server that elects leaders among LeaseCandidates. */
  readonly coordinatedLeadership: ElectionTimes
  /** The content of namespaces on extension API servers. */
  readonly remoteContent: RemoteContent | undefined
  /** Owners and dependents on extension API servers. */
  readonly remoteGarbage: RemoteGarbage | undefined
  readonly log: Logger
}

/** Runs the controllers of a server, and ensures the objects that every server has. */
export class Controllers implements Part {
  readonly name = 'controllers'
  readonly #options: ControllersOptions
  readonly #running = new RunningParts()
  readonly #objects: ServerObjects
  /** The controllers that run in every server. */
  #ofServer: readonly Part[] = []

  #registration: ApiServiceRegistration | undefined

  constructor(options: ControllersOptions) {
    this.#options = options
    const { services, admission, startup, log } = options
    const { registry, network, features, clock } = services
    const clientAs = (manager: string) => new Client(services, admission, { user: systemUser('system:apiserver'), manager })
    this.#objects = new ServerObjects({
      registry,
      client: clientAs('kube-apiserver'),
      serviceCidrs: network.clusterIPRanges,
      serviceCidrClient: clientAs('kubernetes-service-cidr-controller'),
      continues: options.continues,
      isPrepared: options.isPrepared,
      startup,
      features,
      clock,
      log
    })
  }

  /** Whether all versions that the server serves have their APIService. */
  get isRegistered(): boolean {
    return this.#registration?.isComplete ?? false
  }

  /** Makes the controllers before they start, so that health checks know what there is to do. */
  prepare(): void {
    const { services, admission } = this.#options
    const client = new Client(services, admission, { user: systemUser('system:apiserver'), manager: 'kube-apiserver' })
    this.#ofServer = serverControllers(this.#options, client, registration => {
      this.#registration = registration
    })
  }

  /**
   * Ensures the objects that every server has, then starts the enabled controllers. Over a shared store they start only once
   * this server leads.
   */
  async start(): Promise<void> {
    const { services, admission, log } = this.#options
    const { store } = services
    const enabled = enabledControllers(this.#options.controllers)
    await this.#running.start([this.#objects])
    const clientOf = (name: string) =>
      new Client(services, admission, {
        user: systemUser(`system:serviceaccount:kube-system:${name}`),
        manager: 'kube-controller-manager'
      })
    // kube-apiserver runs these in every server too, so --controllers cannot switch them off
    await this.#running.start(this.#ofServer)
    const run = () => runControllers(enabled, clientOf, this.#options)
    const isAlone = !store.shared || enabled.size === 0
    await this.#running.start([isAlone ? ready(await run()) : elected(services, clientOf, run, log)])
  }

  async stop(): Promise<void> {
    await this.#running.stop()
  }
}

const peerText = ({ ip, port }: PeerAddress) => hostAndPort(ip, port)

const tellsStorageVersions = ({ features, registry }: Services) =>
  features.enabled('StorageVersionAPI') && features.enabled('APIServerIdentity') && registry.serves(refs.storageVersions)

const ready = (running: RunningParts): Part => ({ name: 'controllers of the cluster', stop: () => running.stop() })

function serverControllers(
  options: ControllersOptions,
  client: Client,
  registered: (registration: ApiServiceRegistration) => void
): Part[] {
  const { services, startup, customResources, admission, updates, log } = options
  const { registry } = services
  const clientAs = (manager: string) => new Client(services, admission, { user: systemUser('system:apiserver'), manager })
  const controllers: Part[] = []
  if (registry.serves(refs.services)) controllers.push(startup.during(kubernetesService(options, client), 'bootstrap-controller'))
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

/** Runs the controllers in only one of the servers that share a store. */
function elected(services: Services, clientOf: (name: string) => Client, run: () => Promise<RunningParts>, log: Logger): Part {
  const lock = leaseLock(services.registry.of(refs.leases), clientOf('leader-election'), 'binnacle-controllers')
  return leaderElection(services, lock, usualTimes, log, run)
}

function leaderElection(
  { clock, random, hostName }: Services,
  lock: Lock,
  times: ElectionTimes,
  log: Logger,
  lead: () => Promise<RunningParts>
): Part {
  return new LeaderElection({ lock, identity: `${hostName}_${random.uuid()}`, times, clock, log, lead })
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

async function runControllers(
  enabled: ReadonlySet<ControllerName>,
  clientOf: (name: string) => Client,
  { services, rbac, admission, authority, caBundle, remoteContent, remoteGarbage, log }: ControllersOptions
): Promise<RunningParts> {
  const { registry } = services
  const controllers: Part[] = []
  if (enabled.has('namespace-controller'))
    controllers.push(namespaceController(services, clientOf('namespace-controller'), log, remoteContent))
  if (services.collectsGarbage && enabled.has('garbage-collector-controller')) {
    controllers.push(new GarbageCollector(services, clientOf('generic-garbage-collector'), log, remoteGarbage))
  }
  if (enabled.has('serviceaccount-controller') && registry.serves(refs.serviceAccounts)) {
    controllers.push(serviceAccountController(services, clientOf('service-account-controller'), caBundle, log))
  }
  if (enabled.has('resourcequota-controller') && registry.serves(refs.resourceQuotas))
    controllers.push(new ResourceQuotas(services, clientOf('resourcequota-controller'), log))
  if (enabled.has('service-cidr-controller') && registry.serves(refs.serviceCIDRs) && registry.serves(refs.ipAddresses)) {
    const name = 'service-cidrs-controller'
    const user = systemUser(`system:serviceaccount:kube-system:${name}`)
    const status = new Client(services, admission, { user, manager: 'service-cidr-controller' })
    controllers.push(serviceCidrController(services, { finalizers: clientOf(name), status }, log))
  }
  if (enabled.has('serviceaccount-token-controller') && registry.serves(refs.secrets) && registry.serves(refs.serviceAccounts))
    controllers.push(tokenSecretController(services, clientOf('tokens-controller'), caBundle, log))
  if (
    enabled.has('legacy-serviceaccount-token-cleaner-controller') &&
    [refs.secrets, refs.serviceAccounts, refs.pods, refs.configMaps].every(ref => registry.serves(ref))
  )
    controllers.push(legacyTokenCleaner(services, clientOf('legacy-service-account-token-cleaner'), log))
  if (registry.serves(refs.secrets)) {
    if (enabled.has('token-cleaner-controller')) controllers.push(tokenCleaner(services, clientOf('token-cleaner'), log))
    if (enabled.has('bootstrap-signer-controller') && registry.serves(refs.configMaps))
      controllers.push(bootstrapSigner(services, clientOf('bootstrap-signer'), log))
  }
  if (registry.serves(refs.certificateSigningRequests)) {
    const client = clientOf('certificate-controller')
    const name = (task: 'approving' | 'cleaner' | 'signing') => `certificatesigningrequest-${task}-controller` as const
    if (enabled.has(name('approving'))) controllers.push(signingRequestApprover(services, client, log))
    if (enabled.has(name('signing'))) controllers.push(signingRequestSigner(services, client, authority, log))
    if (enabled.has(name('cleaner'))) controllers.push(signingRequestCleaner(services, client, log))
  }
  const publisher = 'kube-apiserver-serving-clustertrustbundle-publisher'
  if (enabled.has(`${publisher}-controller`) && registry.serves(refs.clusterTrustBundles))
    controllers.push(servingTrustBundle(services, clientOf(publisher), caBundle, log))
  if (enabled.has('podcertificaterequest-cleaner-controller') && registry.serves(refs.podCertificateRequests))
    controllers.push(podCertificateCleaner(services, clientOf('podcertificaterequestcleaner'), log))
  const aggregation = 'clusterrole-aggregation-controller'
  if (enabled.has(aggregation) && registry.serves(refs.clusterRoles)) {
    const name = `system:serviceaccount:kube-system:${aggregation}`
    controllers.push(
      clusterRoleAggregation(
        services,
        rbac,
        new Client(services, admission, { user: systemUser(name), manager: aggregation }),
        log
      )
    )
  }
  const policies = 'validatingadmissionpolicies'
  if (enabled.has('validatingadmissionpolicy-status-controller') && registry.has('admissionregistration.k8s.io', policies)) {
    const manager = 'validatingadmissionpolicy-status'
    const name = `system:serviceaccount:kube-system:${manager}-controller`
    controllers.push(policyStatusController(services, new Client(services, admission, { user: systemUser(name), manager }), log))
  }
  if (enabled.has('storageversion-garbage-collector-controller') && tellsStorageVersions(services))
    controllers.push(storageVersionCollector(services, clientOf('storage-version-garbage-collector'), log))
  const migrator = 'storage-version-migrator-controller'
  if (enabled.has(migrator) && registry.serves(refs.storageVersionMigrations)) {
    const user = systemUser(`system:serviceaccount:kube-system:${migrator}`)
    const clientAs = (manager: string) => new Client(services, admission, { user, manager })
    const clients = {
      status: clientOf(migrator),
      objects: clientAs(migrator),
      definitions: clientAs('migration-runner-controller')
    }
    controllers.push(storageVersionMigrator(services, clients, log))
  }
  const running = new RunningParts()
  try {
    await running.start(controllers)
  } catch (error) {
    await running.stop()
    throw error
  }
  return running
}
