/** The controllers that run once for all servers that share a store. */

import * as refs from '../apimachinery/api/resources.js'
import { Client, systemUser } from '../registry/client.js'
import { type Part, RunningParts } from '../util/part.js'
import { signingRequestApprover } from './certificates/csr-approver.js'
import { signingRequestCleaner } from './certificates/csr-cleaner.js'
import { signingRequestSigner } from './certificates/csr-signer.js'
import { podCertificateCleaner } from './certificates/pod-certificate-cleaner.js'
import { servingTrustBundle } from './certificates/serving-trust-bundle.js'
import { clusterRoleAggregation } from './cluster-role-aggregation.js'
import type { ControllerName } from './controller-names.js'
import type { ControllersOptions } from './controllers-options.js'
import { GarbageCollector } from './garbage-collector/garbage-collector.js'
import { namespaceController } from './namespaces.js'
import { policyStatusController } from './policies/policy-status.js'
import { ResourceQuotas } from './resource-quotas.js'
import { tellsStorageVersions } from './server-objects/storage-versions.js'
import { serviceCidrController } from './service-cidrs.js'
import { storageVersionMigrator } from './storage-migration/storage-version-migrator.js'
import { storageVersionCollector } from './storage-version-gc.js'
import { bootstrapSigner } from './tokens/bootstrap-signer.js'
import { legacyTokenCleaner } from './tokens/legacy-token-cleaner.js'
import { serviceAccountController } from './tokens/service-accounts.js'
import { tokenCleaner } from './tokens/token-cleaner.js'
import { tokenSecretController } from './tokens/token-secrets.js'

type ClientOf = (name: string) => Client

/** Starts the enabled ones of the controllers that a cluster has in kube-controller-manager. */
export async function runClusterControllers(
  enabled: ReadonlySet<ControllerName>,
  clientOf: ClientOf,
  options: ControllersOptions
): Promise<RunningParts> {
  const groups = [contentControllers, tokenControllers, certificateControllers, otherControllers]
  const running = new RunningParts()
  try {
    await running.start(groups.flatMap(group => group(enabled, clientOf, options)))
    if (options.simulated) await running.start([await options.simulated.cluster(enabled, !options.services.store.shared)])
  } catch (error) {
    await running.stop()
    throw error
  }
  return running
}

/** Controllers of what lies in namespaces, and of the addresses of Services. */
function contentControllers(
  enabled: ReadonlySet<ControllerName>,
  clientOf: ClientOf,
  { services, admission, caBundle, remoteContent, remoteGarbage, log }: ControllersOptions
): Part[] {
  const { registry } = services
  const controllers: Part[] = []
  if (enabled.has('namespace-controller'))
    controllers.push(namespaceController(services, clientOf('namespace-controller'), log, remoteContent))
  if (services.collectsGarbage && enabled.has('garbage-collector-controller'))
    controllers.push(new GarbageCollector(services, clientOf('generic-garbage-collector'), log, remoteGarbage))
  if (enabled.has('serviceaccount-controller') && registry.serves(refs.serviceAccounts))
    controllers.push(serviceAccountController(services, clientOf('service-account-controller'), caBundle, log))
  if (enabled.has('resourcequota-controller') && registry.serves(refs.resourceQuotas))
    controllers.push(new ResourceQuotas(services, clientOf('resourcequota-controller'), log))
  if (enabled.has('service-cidr-controller') && registry.serves(refs.serviceCIDRs) && registry.serves(refs.ipAddresses)) {
    const name = 'service-cidrs-controller'
    const user = systemUser(`system:serviceaccount:kube-system:${name}`)
    const status = new Client(services, admission, { user, manager: 'service-cidr-controller' })
    controllers.push(serviceCidrController(services, { finalizers: clientOf(name), status }, log))
  }
  return controllers
}

/** Controllers of service account tokens and bootstrap tokens, which lie in Secrets. */
function tokenControllers(
  enabled: ReadonlySet<ControllerName>,
  clientOf: ClientOf,
  { services, caBundle, log }: ControllersOptions
): Part[] {
  const { registry } = services
  if (!registry.serves(refs.secrets)) return []
  const controllers: Part[] = []
  if (enabled.has('serviceaccount-token-controller') && registry.serves(refs.serviceAccounts))
    controllers.push(tokenSecretController(services, clientOf('tokens-controller'), caBundle, log))
  if (
    enabled.has('legacy-serviceaccount-token-cleaner-controller') &&
    [refs.serviceAccounts, refs.pods, refs.configMaps].every(ref => registry.serves(ref))
  )
    controllers.push(legacyTokenCleaner(services, clientOf('legacy-service-account-token-cleaner'), log))
  if (enabled.has('token-cleaner-controller')) controllers.push(tokenCleaner(services, clientOf('token-cleaner'), log))
  if (enabled.has('bootstrap-signer-controller') && registry.serves(refs.configMaps))
    controllers.push(bootstrapSigner(services, clientOf('bootstrap-signer'), log))
  return controllers
}

function certificateControllers(
  enabled: ReadonlySet<ControllerName>,
  clientOf: ClientOf,
  { services, authority, caBundle, log }: ControllersOptions
): Part[] {
  const { registry } = services
  const controllers: Part[] = []
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
  return controllers
}

/** Controllers whose field manager has another name than kube-controller-manager, and those of storage versions. */
function otherControllers(
  enabled: ReadonlySet<ControllerName>,
  clientOf: ClientOf,
  { services, rbac, admission, log }: ControllersOptions
): Part[] {
  const { registry } = services
  const clientAs = (name: string, manager: string) =>
    new Client(services, admission, { user: systemUser(`system:serviceaccount:kube-system:${name}`), manager })
  const controllers: Part[] = []
  const aggregation = 'clusterrole-aggregation-controller'
  if (enabled.has(aggregation) && registry.serves(refs.clusterRoles))
    controllers.push(clusterRoleAggregation(services, rbac, clientAs(aggregation, aggregation), log))
  const policies = 'validatingadmissionpolicies'
  const policyStatus = 'validatingadmissionpolicy-status'
  if (enabled.has(`${policyStatus}-controller`) && registry.has('admissionregistration.k8s.io', policies))
    controllers.push(policyStatusController(services, clientAs(`${policyStatus}-controller`, policyStatus), log))
  if (enabled.has('storageversion-garbage-collector-controller') && tellsStorageVersions(services))
    controllers.push(storageVersionCollector(services, clientOf('storage-version-garbage-collector'), log))
  const migrator = 'storage-version-migrator-controller'
  if (enabled.has(migrator) && registry.serves(refs.storageVersionMigrations)) {
    const clients = {
      status: clientOf(migrator),
      objects: clientAs(migrator, migrator),
      definitions: clientAs(migrator, 'migration-runner-controller')
    }
    controllers.push(storageVersionMigrator(services, clients, log))
  }
  return controllers
}
