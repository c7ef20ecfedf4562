/** The built-in kinds, in the order in which discovery lists them. */
import type { KindDefinition } from '../registry/kind.js'
import { mutatingAdmissionPolicyBinding } from './admissionregistration/mutating-admission-policy-binding.js'
import { mutatingAdmissionPolicy } from './admissionregistration/mutating-admission-policy.js'
import { mutatingWebhookConfiguration } from './admissionregistration/mutating-webhook-configuration.js'
import { validatingAdmissionPolicyBinding } from './admissionregistration/validating-admission-policy-binding.js'
import { validatingAdmissionPolicy } from './admissionregistration/validating-admission-policy.js'
import { validatingWebhookConfiguration } from './admissionregistration/validating-webhook-configuration.js'
import { customResourceDefinition } from './apiextensions/custom-resource-definition.js'
import { apiService } from './apiregistration/api-service.js'
import { selfSubjectReview } from './authentication/self-subject-review.js'
import { tokenReview } from './authentication/token-review.js'
import { localSubjectAccessReview } from './authorization/local-subject-access-review.js'
import { selfSubjectAccessReview } from './authorization/self-subject-access-review.js'
import { selfSubjectRulesReview } from './authorization/self-subject-rules-review.js'
import { subjectAccessReview } from './authorization/subject-access-review.js'
import { certificateSigningRequest } from './certificates/certificate-signing-request.js'
import { coreKinds } from './core/index.js'
import { eventsEvent } from './events/event.js'
import { flowSchema } from './flowcontrol/flow-schema.js'
import { priorityLevelConfiguration } from './flowcontrol/priority-level-configuration.js'
import { storageVersion } from './internal/storage-version.js'
import { deviceClass } from './resource/device-class.js'
import { deviceTaintRule } from './resource/device-taint-rule.js'
import { resourceClaimTemplate } from './resource/resource-claim-template.js'
import { resourceClaim } from './resource/resource-claim.js'
import { resourcePoolStatusRequest } from './resource/resource-pool-status-request.js'
import { resourceSlice } from './resource/resource-slice.js'
import { csiDriver } from './storage/csi-driver.js'
import { csiNode } from './storage/csi-node.js'
import { csiStorageCapacity } from './storage/csi-storage-capacity.js'
import { storageClass } from './storage/storage-class.js'
import { volumeAttachment } from './storage/volume-attachment.js'
import { volumeAttributesClass } from './storage/volume-attributes-class.js'

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
  selfSubjectReview,
  tokenReview,
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  certificateSigningRequest,
  flowSchema,
  priorityLevelConfiguration,
  storageVersion,
  deviceClass,
  deviceTaintRule,
  resourceClaim,
  resourceClaimTemplate,
  resourcePoolStatusRequest,
  resourceSlice,
  csiDriver,
  csiNode,
  csiStorageCapacity,
  storageClass,
  volumeAttachment,
  volumeAttributesClass
]
