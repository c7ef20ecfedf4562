import type { AdmissionPlugin } from '../apimachinery/request/admission.js'
import type { Clock } from '../util/clock.js'
import { UserError } from '../util/user-error.js'
import type { BuiltinPlugin } from './admission.js'
import type { AdmissionMetrics } from './admission-metrics.js'
import type { AdmissionSettings } from './configuration/load-settings.js'
import { enabledPluginNames, type PluginChoice } from './enabled-plugins.js'
import type { ImagePolicy } from './image-policy/image-policy.js'
import { alwaysAdmit, alwaysDeny } from './plugins/always.js'
import { certificateApproval } from './plugins/certificates/certificate-approval.js'
import { certificateSigning } from './plugins/certificates/certificate-signing.js'
import { certificateSubjectRestriction } from './plugins/certificates/certificate-subject-restriction.js'
import { clusterTrustBundleAttest } from './plugins/certificates/cluster-trust-bundle-attest.js'
import { defaultIngressClass } from './plugins/defaults/default-ingress-class.js'
import { defaultStorageClass } from './plugins/defaults/default-storage-class.js'
import { denyServiceExternalIPs } from './plugins/deny-service-external-ips.js'
import { mutatingAdmissionPolicy } from './plugins/dynamic/mutating-admission-policy.js'
import { mutatingAdmissionWebhook } from './plugins/dynamic/mutating-admission-webhook.js'
import { validatingAdmissionPolicy } from './plugins/dynamic/validating-admission-policy.js'
import { validatingAdmissionWebhook } from './plugins/dynamic/validating-admission-webhook.js'
import { eventRateLimit } from './plugins/event-rate-limit.js'
import { limitRanger } from './plugins/namespaces/limit-ranger.js'
import { namespaceAutoProvision, namespaceExists } from './plugins/namespaces/namespace-existence.js'
import { namespaceLifecycle } from './plugins/namespaces/namespace-lifecycle.js'
import { resourceQuota } from './plugins/namespaces/resource-quota.js'
import { nodeRestriction } from './plugins/nodes/node-restriction.js'
import { taintNodesByCondition } from './plugins/nodes/taint-nodes-by-condition.js'
import { ownerReferencesPermissionEnforcement } from './plugins/owner-references-permission-enforcement.js'
import { alwaysPullImages } from './plugins/pods/always-pull-images.js'
import { defaultTolerationSeconds, type LostNodeTolerations } from './plugins/pods/default-toleration-seconds.js'
import { extendedResourceToleration } from './plugins/pods/extended-resource-toleration.js'
import { imagePolicyWebhook } from './plugins/pods/image-policy-webhook.js'
import { limitPodHardAntiAffinityTopology } from './plugins/pods/limit-pod-hard-anti-affinity-topology.js'
import { nodeDeclaredFeatureValidator } from './plugins/pods/node-declared-feature-validator.js'
import { podNodeSelector } from './plugins/pods/pod-node-selector.js'
import { podResizeValidator } from './plugins/pods/pod-resize-validator.js'
import { podSecurity } from './plugins/pods/pod-security.js'
import { podTolerationRestriction } from './plugins/pods/pod-toleration-restriction.js'
import { podTopologyLabels } from './plugins/pods/pod-topology-labels.js'
import { priority } from './plugins/pods/priority.js'
import { runtimeClass } from './plugins/pods/runtime-class.js'
import { serviceAccount } from './plugins/pods/service-account.js'
import { podGroupProtection } from './plugins/scheduling/pod-group-protection.js'
import { persistentVolumeClaimResize } from './plugins/storage/persistent-volume-claim-resize.js'
import { storageObjectInUseProtection } from './plugins/storage/storage-object-in-use-protection.js'
import type { AdmissionPolicies } from './policy/policies.js'
import type { AdmissionWebhooks } from './webhook/admission-webhooks.js'

export interface PluginParts {
  readonly metrics: AdmissionMetrics
  readonly policies: AdmissionPolicies
  readonly webhooks: AdmissionWebhooks
  readonly clock: Clock
  readonly settings: AdmissionSettings
  readonly imagePolicy: ImagePolicy | undefined
  /** How long Pods tolerate a lost node; five minutes. */
  readonly tolerations?: LostNodeTolerations
}

/** All built-in plugins, in kube-apiserver's order. */
const builtinPlugins = ({
  metrics,
  policies,
  webhooks,
  clock,
  settings,
  imagePolicy,
  tolerations
}: PluginParts): readonly BuiltinPlugin[] => [
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
  ...(imagePolicy ? [imagePolicyWebhook(imagePolicy)] : []),
  podSecurity(metrics, settings.podSecurity),
  podNodeSelector(settings.nodeSelectors ?? {}),
  priority,
  defaultTolerationSeconds(tolerations),
  podTolerationRestriction(settings.tolerations ?? { defaults: [], whitelist: [] }),
  eventRateLimit(settings.eventRateLimits ?? [], clock),
  extendedResourceToleration,
  defaultStorageClass,
  storageObjectInUseProtection,
  podGroupProtection,
  ownerReferencesPermissionEnforcement,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  clusterTrustBundleAttest,
  certificateSubjectRestriction,
  defaultIngressClass,
  denyServiceExternalIPs,
  podTopologyLabels,
  nodeDeclaredFeatureValidator,
  podResizeValidator,
  mutatingAdmissionPolicy(policies),
  mutatingAdmissionWebhook(webhooks),
  validatingAdmissionPolicy(policies),
  validatingAdmissionWebhook(webhooks),
  resourceQuota(settings.limitedResources),
  alwaysDeny
]

/** The plugins that run after all others, the embedding program's included: by then every other plugin has decided. */
const last: ReadonlySet<string> = new Set(['ResourceQuota', 'AlwaysDeny'])

export interface PluginOptions extends PluginChoice {
  /** Plugins of the program that embeds the server. */
  readonly admissionPlugins?: readonly AdmissionPlugin[] | undefined
}

/** Returns the plugins to run, in order. Throws a UserError for a name that is enabled and disabled. */
export function admissionPlugins(parts: PluginParts, options: PluginOptions = {}): readonly BuiltinPlugin[] {
  const { enableAdmissionPlugins: enabled = [], disableAdmissionPlugins: disabled = [], admissionPlugins: own = [] } = options
  const both = enabled.filter(name => disabled.includes(name))
  if (both.length > 0) throw new UserError(`${both.join(', ')}: in --enable-admission-plugins and in --disable-admission-plugins`)
  const names = new Set(enabledPluginNames(options))
  const running = builtinPlugins(parts).filter(({ name }) => names.has(name))
  return [...running.filter(({ name }) => !last.has(name)), ...own, ...running.filter(({ name }) => last.has(name))]
}
