/** The controllers that run inside a server, and what they need. */
import { hostname } from 'node:os'
import type { AdmissionChain } from '../admission/admission.js'
import type { CustomResources } from '../apiextensions/custom-resources.js'
import { rbacGroup } from '../authorization/rbac/group.js'
import { firstAddress } from '../certificates/ip-address.js'
import type { Pki } from '../certificates/pki.js'
import type { Services } from '../registry/services.js'
import type { Logger } from '../util/logger.js'
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
  readonly customResources: CustomResources
  readonly admission: AdmissionChain
  /** What signs certificates that are asked for. */
  readonly authority: Pki['ca']
  /** PEM of what clients of this server have to trust. */
  readonly caBundle: string
  /** PEM of the authorities whose client certificates are believed. */
  readonly clientCAs: readonly string[]
  readonly port: number
  /** As in ServerOptions. */
  readonly controllers: readonly string[] | undefined
  /** Told when the default roles and bindings are there. */
  readonly rolesReady: () => void
  readonly log: Logger
}

interface Runnable {
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Makes the objects that are always there, then starts the controllers that are switched on; over a store that others share, when
 * it is this server's turn.
 */
export async function startControllers(options: ControllersOptions): Promise<{ stop(): Promise<void> }> {
  const { services, admission, port, log } = options
  const { registry } = services
  const enabled = enabledControllers(options.controllers)
  const serviceIP = firstAddress(services.network.clusterIPRanges[0]!)
  const writerAs = (manager: string) => new Writer(services, admission, 'system:apiserver', manager)
  const ofServer = writerAs('kube-apiserver')
  await bootstrap({
    registry,
    writer: ofServer,
    serviceIP,
    port,
    serviceCidrs: services.network.clusterIPRanges,
    serviceCidrWriter: writerAs('kubernetes-service-cidr-controller'),
    clientCAs: options.clientCAs.join(''),
    now: () => services.clock.now()
  })
  await ensureRbacPolicy(registry, ofServer)
  options.rolesReady()
  const writerOf = (name: string) =>
    new Writer(services, admission, `system:serviceaccount:kube-system:${name}`, 'kube-controller-manager')
  // parts of every server, as of kube-apiserver: they cannot be switched off
  const own = serverControllers(options, ofServer)
  for (const controller of own) await controller.start()
  const run = () => runControllers(enabled, writerOf, options)
  const others = !services.store.shared || enabled.size === 0 ? await run() : await elected(services, writerOf, run, log)
  return {
    async stop() {
      await Promise.all([...own.map(controller => controller.stop()), others.stop()])
    }
  }
}

function serverControllers({ services, customResources, admission, log }: ControllersOptions, writer: Writer): Runnable[] {
  const { registry } = services
  const writerAs = (manager: string) => new Writer(services, admission, 'system:apiserver', manager)
  const controllers: Runnable[] = []
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

type Stoppable = { stop(): Promise<void> }

/** Of several servers over one store, one runs the controllers. */
async function elected(
  services: Services,
  writerOf: (name: string) => Writer,
  run: () => Promise<Stoppable>,
  log: Logger
): Promise<Stoppable> {
  const election = new LeaderElection({
    lock: leaseLock(services.registry.resource('coordination.k8s.io', 'leases'), writerOf('leader-election')),
    identity: `${hostname()}_${services.random.uuid()}`,
    clock: services.clock,
    log,
    lead: run
  })
  await election.start()
  return election
}

async function runControllers(
  enabled: ReadonlySet<ControllerName>,
  writerOf: (name: string) => Writer,
  { services, admission, authority, caBundle, log }: ControllersOptions
): Promise<Stoppable> {
  const { registry } = services
  const controllers: Runnable[] = []
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
    controllers.push(clusterRoleAggregation(services, new Writer(services, admission, name, aggregation), log))
  }
  const policies = 'validatingadmissionpolicies'
  if (enabled.has('validatingadmissionpolicy-status-controller') && registry.has('admissionregistration.k8s.io', policies)) {
    const manager = 'validatingadmissionpolicy-status'
    const name = `system:serviceaccount:kube-system:${manager}-controller`
    controllers.push(policyStatusController(services, new Writer(services, admission, name, manager), log))
  }
  for (const controller of controllers) await controller.start()
  return {
    async stop() {
      await Promise.all(controllers.map(controller => controller.stop()))
    }
  }
}
