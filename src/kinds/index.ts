/** The built-in kinds, in the order in which discovery lists them. */
import type { KindDefinition } from '../registry/kind.js'
import { mutatingAdmissionPolicy } from './admissionregistration/mutating-admission-policy.js'
import { mutatingAdmissionPolicyBinding } from './admissionregistration/mutating-admission-policy-binding.js'
import { mutatingWebhookConfiguration } from './admissionregistration/mutating-webhook-configuration.js'
import { validatingAdmissionPolicy } from './admissionregistration/validating-admission-policy.js'
import { validatingAdmissionPolicyBinding } from './admissionregistration/validating-admission-policy-binding.js'
import { validatingWebhookConfiguration } from './admissionregistration/validating-webhook-configuration.js'
import { customResourceDefinition } from './apiextensions/custom-resource-definition.js'
import { apiService } from './apiregistration/api-service.js'
import { controllerRevision } from './apps/controller-revision.js'
import { daemonSet } from './apps/daemon-set.js'
import { deployment } from './apps/deployment.js'
import { replicaSet } from './apps/replica-set.js'
import { statefulSet } from './apps/stateful-set.js'
import { selfSubjectReview } from './authentication/self-subject-review.js'
import { tokenReview } from './authentication/token-review.js'
import { localSubjectAccessReview } from './authorization/local-subject-access-review.js'
import { selfSubjectAccessReview } from './authorization/self-subject-access-review.js'
import { selfSubjectRulesReview } from './authorization/self-subject-rules-review.js'
import { subjectAccessReview } from './authorization/subject-access-review.js'
import { horizontalPodAutoscaler } from './autoscaling/horizontal-pod-autoscaler.js'
import { cronJob } from './batch/cron-job.js'
import { job } from './batch/job.js'
import { certificateSigningRequest } from './certificates/certificate-signing-request.js'
import { clusterTrustBundle } from './certificates/cluster-trust-bundle.js'
import { podCertificateRequest } from './certificates/pod-certificate-request.js'
import { lease } from './coordination/lease.js'
import { leaseCandidate } from './coordination/lease-candidate.js'
import { coreKinds } from './core/index.js'
import { endpointSlice } from './discovery/endpoint-slice.js'
import { eventsEvent } from './events/event.js'
import { flowSchema } from './flowcontrol/flow-schema.js'
import { priorityLevelConfiguration } from './flowcontrol/priority-level-configuration.js'
import { storageVersion } from './internal/storage-version.js'
import { eviction } from './lifecycle/eviction.js'
import { evictionRequest } from './lifecycle/eviction-request.js'
import { ingress } from './networking/ingress.js'
import { ingressClass } from './networking/ingress-class.js'
import { ipAddress } from './networking/ip-address.js'
import { networkPolicy } from './networking/network-policy.js'
import { serviceCIDR } from './networking/service-cidr.js'
import { runtimeClass } from './node/runtime-class.js'
import { podDisruptionBudget } from './policy/pod-disruption-budget.js'
import { clusterRole } from './rbac/cluster-role.js'
import { clusterRoleBinding } from './rbac/cluster-role-binding.js'
import { role } from './rbac/role.js'
import { roleBinding } from './rbac/role-binding.js'
import { deviceClass } from './resource/device-class.js'
import { deviceTaintRule } from './resource/device-taint-rule.js'
import { resourceClaim } from './resource/resource-claim.js'
import { resourceClaimTemplate } from './resource/resource-claim-template.js'
import { resourcePoolStatusRequest } from './resource/resource-pool-status-request.js'
import { resourceSlice } from './resource/resource-slice.js'
import { compositePodGroup } from './scheduling/composite-pod-group.js'
import { podGroup } from './scheduling/pod-group.js'
import { priorityClass } from './scheduling/priority-class.js'
import { workload } from './scheduling/workload.js'
import { csiDriver } from './storage/csi-driver.js'
import { csiNode } from './storage/csi-node.js'
import { csiStorageCapacity } from './storage/csi-storage-capacity.js'
import { storageClass } from './storage/storage-class.js'
import { volumeAttachment } from './storage/volume-attachment.js'
import { volumeAttributesClass } from './storage/volume-attributes-class.js'
import { storageVersionMigration } from './storagemigration/storage-version-migration.js'

export const builtinKinds: readonly KindDefinition[] = [
  ...coreKinds,
  eventsEvent,
  mutatingAdmissionPolicy,
  mutatingAdmissionPolicyBinding,
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
  customResourceDefinition,
  apiService,
  controllerRevision,
  daemonSet,
  deployment,
  replicaSet,
  statefulSet,
  selfSubjectReview,
  tokenReview,
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  horizontalPodAutoscaler,
  cronJob,
  job,
  certificateSigningRequest,
  clusterTrustBundle,
  podCertificateRequest,
  lease,
  leaseCandidate,
  endpointSlice,
  flowSchema,
  priorityLevelConfiguration,
  storageVersion,
  eviction,
  evictionRequest,
  ingress,
  ingressClass,
  ipAddress,
  networkPolicy,
  serviceCIDR,
  runtimeClass,
  podDisruptionBudget,
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  deviceClass,
  deviceTaintRule,
  resourceClaim,
  resourceClaimTemplate,
  resourcePoolStatusRequest,
  resourceSlice,
  priorityClass,
  compositePodGroup,
  workload,
  podGroup,
  csiDriver,
  csiNode,
  csiStorageCapacity,
  storageClass,
  volumeAttachment,
  volumeAttributesClass,
  storageVersionMigration
]
