import { UserError } from '../util/user-error.js'
import type { AdmissionPlugin } from './admission.js'
import { alwaysAdmit, alwaysDeny } from './plugins/always.js'
import { alwaysPullImages } from './plugins/always-pull-images.js'
import { certificateApproval } from './plugins/certificate-approval.js'
import { certificateSigning } from './plugins/certificate-signing.js'
import { certificateSubjectRestriction } from './plugins/certificate-subject-restriction.js'
import { defaultIngressClass } from './plugins/default-ingress-class.js'
import { defaultStorageClass } from './plugins/default-storage-class.js'
import { defaultTolerationSeconds } from './plugins/default-toleration-seconds.js'
import { denyServiceExternalIPs } from './plugins/deny-service-external-ips.js'
import { extendedResourceToleration } from './plugins/extended-resource-toleration.js'
import { limitPodHardAntiAffinityTopology } from './plugins/limit-pod-hard-anti-affinity-topology.js'
import { limitRanger } from './plugins/limit-ranger.js'
import { mutatingAdmissionPolicy } from './plugins/mutating-admission-policy.js'
import { mutatingAdmissionWebhook } from './plugins/mutating-admission-webhook.js'
import { namespaceAutoProvision, namespaceExists } from './plugins/namespace-existence.js'
import { namespaceLifecycle } from './plugins/namespace-lifecycle.js'
import { nodeDeclaredFeatureValidator } from './plugins/node-declared-feature-validator.js'
import { nodeRestriction } from './plugins/node-restriction.js'
import { ownerReferencesPermissionEnforcement } from './plugins/owner-references-permission-enforcement.js'
import { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.js'
import { podResizeValidator } from './plugins/pod-resize-validator.js'
import { podSecurity } from './plugins/pod-security.js'
import { podTopologyLabels } from './plugins/pod-topology-labels.js'
import { priority } from './plugins/priority.js'
import { resourceQuota } from './plugins/resource-quota.js'
import { runtimeClass } from './plugins/runtime-class.js'
import { serviceAccount } from './plugins/service-account.js'
import { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.js'
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.js'
import { validatingAdmissionPolicy } from './plugins/validating-admission-policy.js'
import { validatingAdmissionWebhook } from './plugins/validating-admission-webhook.js'

/** All plugins that there are, in kube-apiserver's order. */
const plugins: readonly AdmissionPlugin[] = [
  alwaysAdmit,
  namespaceAutoProvision,
  namespaceLifecycle,
  namespaceExists,
  limitPodHardAntiAffinityTopology,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  alwaysPullImages,
  podSecurity,
  priority,
  defaultTolerationSeconds,
  extendedResourceToleration,
  defaultStorageClass,
  storageObjectInUseProtection,
  ownerReferencesPermissionEnforcement,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  defaultIngressClass,
  denyServiceExternalIPs,
  podTopologyLabels,
  nodeDeclaredFeatureValidator,
  podResizeValidator,
  mutatingAdmissionPolicy,
  mutatingAdmissionWebhook,
  validatingAdmissionPolicy,
  validatingAdmissionWebhook,
  resourceQuota,
  alwaysDeny
]

/** Those that only run when they are asked for. */
const onRequest: ReadonlySet<AdmissionPlugin> = new Set([
  alwaysAdmit,
  namespaceAutoProvision,
  namespaceExists,
  limitPodHardAntiAffinityTopology,
  nodeRestriction,
  alwaysPullImages,
  extendedResourceToleration,
  ownerReferencesPermissionEnforcement,
  denyServiceExternalIPs,
  alwaysDeny
])

/** The plugins to run; what does not exist here can be switched off, but not on. */
export function admissionPlugins(enabled: readonly string[] = [], disabled: readonly string[] = []): readonly AdmissionPlugin[] {
  const both = enabled.filter(name => disabled.includes(name))
  if (both.length > 0) throw new UserError(`${both.join(', ')}: in --enable-admission-plugins and in --disable-admission-plugins`)
  const missing = enabled.filter(name => !plugins.some(plugin => plugin.name === name))
  if (missing.length > 0) throw new UserError(`--enable-admission-plugins: ${missing.join(', ')}: not supported yet`)
  return plugins.filter(plugin => enabled.includes(plugin.name) || (!onRequest.has(plugin) && !disabled.includes(plugin.name)))
}
