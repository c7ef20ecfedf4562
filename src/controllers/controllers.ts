/** The controllers that run inside a server, and what they need. */
import { hostname } from 'node:os'
import type { CustomResources } from '../apiextensions/custom-resources.js'
import { rbacGroup } from '../authorization/rbac/group.js'
import type { RbacPolicy } from '../authorization/rbac/policy.js'
import { firstAddress } from '../certificates/ip-address.js'
import type { Pki } from '../certificates/pki.js'
import type { Services } from '../registry/services.js'
import type { Admission } from '../registry/write/admission.js'
import type { Logger } from '../util/logger.js'
import { type Part, RunningParts } from '../util/part.js'
import { signingRequestApprover } from './certificates/csr-approver.js'
import { signingRequestCleaner } from './certificates/csr-cleaner.js'
import { signingRequestSigner } from './certificates/csr-signer.js'
import { clusterRoleAggregation } from './cluster-role-aggregation.js'
import { type ControllerName, enabledControllers } from './controller-names.js'
import { definitionController } from './custom-resource-definitions.js'
import { GarbageCollector } from './garbage-collector/garbage-collector.js'
import { LeaderElection } from './leader-election/leader-election.js'
import { leaseLock } from './leader-election/lease-lock.js'
import { namespaceController } from './namespaces.js'
import { policyStatusController } from './policies/policy-status.js'
import { ResourceQuotas } from './resource-quotas.js'
import { ApiServiceRegistration } from './server-objects/api-services.js'
import { bootstrap } from './server-objects/bootstrap.js'
import { FlowControl } from './server-objects/flow-control.js'
import { ensureRbacPolicy } from './server-objects/rbac-policy.js'
import { bootstrapSigner } from './tokens/bootstrap-signer.js'
import { serviceAccountController } from './tokens/service-accounts.js'
import { tokenCleaner } from './tokens/token-cleaner.js'
import { tokenSecretController } from './tokens/token-secrets.js'
import { Writer } from './writer.js'

export interface ControllersOptions {
  readonly services: Services
  readonly rbac: RbacPolicy
  readonly customResources: CustomResources
  readonly admission: Admission
  /** What signs certificates that are asked for. */
  readonly authority: Pki['ca']
  /** PEM of what clients of this server have to trust. */
  readonly caBundle: string
  /** PEM of the authorities whose client certificates are believed. */
  readonly clientCAs: readonly string[]
  /** The port on which the server listens by then. */
  readonly port: () => number
  /** As in ServerOptions. */
  readonly controllers: readonly string[] | undefined
  readonly log: Logger
}

/** The controllers of a server, and the objects that every server has. */
export class Controllers implements Part {
  readonly name = 'controllers'
  /** Whether the default roles and bindings exist. */
  hasDefaultRoles = false
  readonly #options: ControllersOptions
  readonly #running = new RunningParts()

  constructor(options: ControllersOptions) {
    this.#options = options
  }

  /**
   * Makes the objects that every server has, then starts the controllers that are switched on; over a store that others share, when
   * it is this server's turn.
   */
  async start(): Promise<void> {
    const { services, admission, port, log, clientCAs } = this.#options
    const { registry, network, store } = services
    const enabled = enabledControllers(this.#options.controllers)
    const writerAs = (manager: string) => new Writer(services, admission, 'system:apiserver', manager)
    const ofServer = writerAs('kube-apiserver')
    await bootstrap({
      registry,
      writer: ofServer,
      serviceIP: firstAddress(network.clusterIPRanges[0]!),
      port: port(),
      serviceCidrs: network.clusterIPRanges,
      serviceCidrWriter: writerAs('kubernetes-service-cidr-controller'),
      clientCAs: clientCAs.join(''),
      now: () => services.clock.now()
    })
    await ensureRbacPolicy(registry, ofServer)
    this.hasDefaultRoles = true
    const writerOf = (name: string) =>
      new Writer(services, admission, `system:serviceaccount:kube-system:${name}`, 'kube-controller-manager')
    // parts of every server, as of kube-apiserver: they cannot be switched off
    await this.#running.start(serverControllers(this.#options, ofServer))
    const run = () => runControllers(enabled, writerOf, this.#options)
    const isAlone = !store.shared || enabled.size === 0
    await this.#running.start([isAlone ? ready(await run()) : elected(services, writerOf, run, log)])
  }

  async stop(): Promise<void> {
    await this.#running.stop()
  }
}

const ready = (running: RunningParts): Part => ({ name: 'controllers of the cluster', stop: () => running.stop() })

function serverControllers({ services, customResources, admission, log }: ControllersOptions, writer: Writer): Part[] {
  const { registry } = services
  const writerAs = (manager: string) => new Writer(services, admission, 'system:apiserver', manager)
  const controllers: Part[] = []
  if (registry.has('apiextensions.k8s.io', 'customresourcedefinitions'))
    controllers.push(definitionController(services, customResources, writer, log))
  if (registry.has('apiregistration.k8s.io', 'apiservices')) controllers.push(new ApiServiceRegistration(services, writer, log))
  if (registry.has('flowcontrol.apiserver.k8s.io', 'flowschemas')) {
    const flowControl = 'api-priority-and-fairness-config'
    const [producer, consumer] = [writerAs(`${flowControl}-producer-v1`), writerAs(`${flowControl}-consumer-v1`)]
    controllers.push(new FlowControl(services, producer, consumer, log))
  }
  return controllers
}

/** Of several servers over one store, one runs the controllers. */
function elected(services: Services, writerOf: (name: string) => Writer, run: () => Promise<RunningParts>, log: Logger): Part {
  return new LeaderElection({
    lock: leaseLock(services.registry.resource('coordination.k8s.io', 'leases'), writerOf('leader-election')),
    identity: `${hostname()}_${services.random.uuid()}`,
    clock: services.clock,
    log,
    lead: run
  })
}

async function runControllers(
  enabled: ReadonlySet<ControllerName>,
  writerOf: (name: string) => Writer,
  { services, rbac, admission, authority, caBundle, log }: ControllersOptions
): Promise<RunningParts> {
  const { registry } = services
  const controllers: Part[] = []
  if (enabled.has('namespace-controller')) controllers.push(namespaceController(services, writerOf('namespace-controller'), log))
  if (enabled.has('garbage-collector-controller')) {
    controllers.push(new GarbageCollector(services, writerOf('generic-garbage-collector'), log))
  }
  if (enabled.has('serviceaccount-controller') && registry.has('', 'serviceaccounts')) {
    controllers.push(serviceAccountController(services, writerOf('service-account-controller'), caBundle, log))
  }
  if (enabled.has('resourcequota-controller') && registry.has('', 'resourcequotas'))
    controllers.push(new ResourceQuotas(services, writerOf('resourcequota-controller'), log))
  if (enabled.has('serviceaccount-token-controller') && registry.has('', 'secrets') && registry.has('', 'serviceaccounts'))
    controllers.push(tokenSecretController(services, writerOf('tokens-controller'), caBundle, log))
  if (registry.has('', 'secrets')) {
    if (enabled.has('token-cleaner-controller')) controllers.push(tokenCleaner(services, writerOf('token-cleaner'), log))
    if (enabled.has('bootstrap-signer-controller') && registry.has('', 'configmaps'))
      controllers.push(bootstrapSigner(services, writerOf('bootstrap-signer'), log))
  }
  if (registry.has('certificates.k8s.io', 'certificatesigningrequests')) {
    const writer = writerOf('certificate-controller')
    const name = (task: 'approving' | 'cleaner' | 'signing') => `certificatesigningrequest-${task}-controller` as const
    if (enabled.has(name('approving'))) controllers.push(signingRequestApprover(services, writer, log))
    if (enabled.has(name('signing'))) controllers.push(signingRequestSigner(services, writer, authority, log))
    if (enabled.has(name('cleaner'))) controllers.push(signingRequestCleaner(services, writer, log))
  }
  const aggregation = 'clusterrole-aggregation-controller'
  if (enabled.has(aggregation) && registry.has(rbacGroup, 'clusterroles')) {
    const name = `system:serviceaccount:kube-system:${aggregation}`
    controllers.push(clusterRoleAggregation(services, rbac, new Writer(services, admission, name, aggregation), log))
  }
  const policies = 'validatingadmissionpolicies'
  if (enabled.has('validatingadmissionpolicy-status-controller') && registry.has('admissionregistration.k8s.io', policies)) {
    const manager = 'validatingadmissionpolicy-status'
    const name = `system:serviceaccount:kube-system:${manager}-controller`
    controllers.push(policyStatusController(services, new Writer(services, admission, name, manager), log))
  }
  const running = new RunningParts()
  await running.start(controllers)
  return running
}
