/** The controllers that --controllers switches, by the names that kube-controller-manager gives them. */
import { UserError } from '../util/user-error.js'

export const controllerNames = [
  'bootstrap-signer-controller',
  'certificatesigningrequest-approving-controller',
  'certificatesigningrequest-cleaner-controller',
  'certificatesigningrequest-signing-controller',
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'kube-apiserver-serving-clustertrustbundle-publisher-controller',
  'legacy-serviceaccount-token-cleaner-controller',
  'namespace-controller',
  'podcertificaterequest-cleaner-controller',
  'resourcequota-controller',
  'service-cidr-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'storage-version-migrator-controller',
  'storageversion-garbage-collector-controller',
  'token-cleaner-controller',
  'validatingadmissionpolicy-status-controller'
] as const

/** Those that run in a simulated cluster only. The scheduler is among them, because it is switched in the same way. */
export const simulatedNames = [
  'cronjob-controller',
  'daemonset-controller',
  'deployment-controller',
  'disruption-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'ephemeral-volume-controller',
  'horizontal-pod-autoscaler-controller',
  'job-controller',
  'kube-scheduler',
  'node-ipam-controller',
  'node-lifecycle-controller',
  'persistentvolume-attach-detach-controller',
  'persistentvolume-binder-controller',
  'persistentvolume-expander-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'pod-garbage-collector-controller',
  'replicaset-controller',
  'replicationcontroller-controller',
  'resourceclaim-controller',
  'statefulset-controller',
  'taint-eviction-controller',
  'ttl-after-finished-controller',
  'ttl-controller'
] as const

export type SimulatedName = (typeof simulatedNames)[number]
export type ControllerName = (typeof controllerNames)[number] | SimulatedName

const allNames: readonly ControllerName[] = [...controllerNames, ...simulatedNames]

/** Older names, which kube-controller-manager still accepts. */
const aliases: ReadonlyMap<string, ControllerName> = new Map([
  ['attachdetach', 'persistentvolume-attach-detach-controller'],
  ['bootstrapsigner', 'bootstrap-signer-controller'],
  ['clusterrole-aggregation', 'clusterrole-aggregation-controller'],
  ['cronjob', 'cronjob-controller'],
  ['csrapproving', 'certificatesigningrequest-approving-controller'],
  ['csrcleaner', 'certificatesigningrequest-cleaner-controller'],
  ['csrsigning', 'certificatesigningrequest-signing-controller'],
  ['daemonset', 'daemonset-controller'],
  ['deployment', 'deployment-controller'],
  ['disruption', 'disruption-controller'],
  ['endpoint', 'endpoints-controller'],
  ['endpointslice', 'endpointslice-controller'],
  ['endpointslicemirroring', 'endpointslice-mirroring-controller'],
  ['ephemeral-volume', 'ephemeral-volume-controller'],
  ['garbagecollector', 'garbage-collector-controller'],
  ['horizontalpodautoscaling', 'horizontal-pod-autoscaler-controller'],
  ['job', 'job-controller'],
  ['legacy-service-account-token-cleaner', 'legacy-serviceaccount-token-cleaner-controller'],
  ['namespace', 'namespace-controller'],
  ['nodeipam', 'node-ipam-controller'],
  ['nodelifecycle', 'node-lifecycle-controller'],
  ['persistentvolume-binder', 'persistentvolume-binder-controller'],
  ['persistentvolume-expander', 'persistentvolume-expander-controller'],
  ['podgc', 'pod-garbage-collector-controller'],
  ['pv-protection', 'persistentvolume-protection-controller'],
  ['pvc-protection', 'persistentvolumeclaim-protection-controller'],
  ['replicaset', 'replicaset-controller'],
  ['replicationcontroller', 'replicationcontroller-controller'],
  ['resource-claim-controller', 'resourceclaim-controller'],
  ['resourcequota', 'resourcequota-controller'],
  ['serviceaccount', 'serviceaccount-controller'],
  ['serviceaccount-token', 'serviceaccount-token-controller'],
  ['statefulset', 'statefulset-controller'],
  ['storage-version-gc', 'storageversion-garbage-collector-controller'],
  ['svm', 'storage-version-migrator-controller'],
  ['tokencleaner', 'token-cleaner-controller'],
  ['ttl', 'ttl-controller'],
  ['ttl-after-finished', 'ttl-after-finished-controller']
])

/**
 * Controllers that `*` does not include. Without the controller of ServiceCIDRs, a ServiceCIDR is deleted at once, as with
 * kube-apiserver alone.
 */
const onRequest: ReadonlySet<ControllerName> = new Set([
  'bootstrap-signer-controller',
  'service-cidr-controller',
  'token-cleaner-controller'
])

/** Returns the controller that `name` or `-name` refers to, or `*`; undefined for an unknown name. */
export function controllerNamed(item: string): '*' | ControllerName | undefined {
  const name = item.replace(/^-/, '')
  if (item === '*') return item
  return aliases.get(name) ?? allNames.find(known => known === name)
}

/** Returns the controllers that run, as far as the server has them. The first item that names a controller decides, otherwise a `*` that includes it. */
export function enabledControllers(items: readonly string[] = ['*']): Set<ControllerName> {
  const unknown = items.find(item => controllerNamed(item) === undefined)
  if (unknown !== undefined) throw new UserError(`--controllers ${JSON.stringify(unknown)} ${expectedControllers}`)
  return new Set(
    allNames.filter(name => {
      const decisive = items.find(item => controllerNamed(item) === name)
      return decisive === undefined ? items.includes('*') && !onRequest.has(name) : !decisive.startsWith('-')
    })
  )
}

/** Completes the sentence `--controllers "text" …`. */
export const expectedControllers = `must be *, or a controller's name, with - in front to switch it off; the controllers are ${controllerNames.join(', ')}; in a simulated cluster also ${simulatedNames.join(', ')}`
