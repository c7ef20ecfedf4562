import type { ObjectMeta } from '../../api/generated/meta-v1.js'
import { type FieldErrors, Path } from '../../validation/field.js'

const annotation = 'api-approved.kubernetes.io'
const see = 'see https://github.com/kubernetes/enhancements/pull/1111'

const isProtected = (group: string) =>
  ['k8s.io', 'kubernetes.io'].some(domain => group === domain || group.endsWith(`.${domain}`))

/** Groups below Kubernetes' own domains need an annotation that says who approved them, or that nobody did. */
export function validateApproval(metadata: ObjectMeta, group: string, errors: FieldErrors): void {
  if (!isProtected(group)) return
  const at = Path.of('metadata', 'annotations').key(annotation)
  const approval = metadata.annotations?.[annotation] ?? ''
  const rule = `protected groups must have approval annotation ${JSON.stringify(annotation)}`
  if (approval === '') errors.required(at, `${rule}, ${see}`)
  else if (!approval.startsWith('unapproved') && !/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]/.test(approval)) {
    errors.invalid(at, approval, `${rule} with either a URL or a reason starting with "unapproved", ${see}`)
  }
}
