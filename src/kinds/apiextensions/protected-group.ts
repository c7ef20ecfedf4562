import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition
} from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { ObjectMeta } from '../../apimachinery/api/generated/meta-v1.js'
import { isUri } from '../../apimachinery/structural/format-uri.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { goQuote } from '../../util/go-format.js'

const annotation = 'api-approved.kubernetes.io'
const see = 'see https://github.com/kubernetes/enhancements/pull/1111'

const isProtected = (group: string) =>
  ['k8s.io', 'kubernetes.io'].some(domain => group === domain || group.endsWith(`.${domain}`))

type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid'

/** Reads the approval from the annotation. An update is validated only when it changes the approval. */
export function approval({ annotations }: ObjectMeta): Approval {
  const text = annotations?.[annotation] ?? ''
  if (text === '') return 'missing'
  if (text.startsWith('unapproved')) return 'bypassed'
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]/.test(text) && isUri(text) ? 'approved' : 'invalid'
}

const rule = `protected groups must have approval annotation ${JSON.stringify(annotation)}`
const missing = `${rule}, ${see}`
const invalid = `${rule} with either a URL or a reason starting with "unapproved", ${see}`

/** Requires an annotation for a group below Kubernetes' own domains: it says who approved the group, or that nobody did. */
export function validateApproval(metadata: ObjectMeta, group: string, errors: FieldErrors): void {
  if (!isProtected(group)) return
  const at = Path.of('metadata', 'annotations').key(annotation)
  const said = approval(metadata)
  if (said === 'missing') errors.required(at, missing)
  else if (said === 'invalid') errors.invalid(at, metadata.annotations?.[annotation], invalid)
}

/** Returns the condition for a definition's approval; undefined for other groups. */
export function approvalCondition({
  metadata,
  spec
}: CustomResourceDefinition): Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'> | undefined {
  if (!isProtected(spec.group)) return undefined
  const text = metadata.annotations?.[annotation] ?? ''
  const condition = (status: string, reason: string, message: string) => ({
    type: 'KubernetesAPIApprovalPolicyConformant',
    status,
    reason,
    message
  })
  switch (approval(metadata)) {
    case 'missing':
      return condition('False', 'MissingAnnotation', missing)
    case 'bypassed':
      return condition('False', 'UnapprovedAnnotation', `not approved: ${goQuote(text)}`)
    case 'approved':
      return condition('True', 'ApprovedAnnotation', `approved in ${text}`)
    default:
      return condition('False', 'InvalidAnnotation', invalid)
  }
}
