import type { PodCertificateRequest, PodCertificateRequestStatus } from '../../apimachinery/api/generated/certificates-v1beta1.js'
import type { Condition } from '../../apimachinery/api/generated/meta-v1.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { noValue } from '../../apimachinery/validation/go-value.js'
import { equalJson } from '../../util/json.js'
import { validateIssued } from './issued-certificate.js'

const path = Path.of('status')
const outcomes = ['Issued', 'Denied', 'Failed']

/** Validates the status. A request gets its outcome once: its certificate, or the condition that it was denied or has failed. */
export function validatePodCertificateStatus(
  { spec, status }: PodCertificateRequest,
  old: PodCertificateRequest,
  now: number,
  errors: FieldErrors
): void {
  const { conditions = [] } = status
  validateOutcomes(conditions, errors)
  validateConditions(conditions, path.child('conditions'), errors)
  if (errors.any) return
  const same = (other: PodCertificateRequestStatus, why: string) => {
    if (!isSame(status, other)) errors.invalid(path, noValue, why)
  }
  if (outcomes.some(type => has(old.status, type)))
    same(old.status, 'immutable after PodCertificateRequest is issued, denied, or failed')
  else if (has(status, 'Denied') || has(status, 'Failed'))
    same({ conditions }, 'non-condition status fields must be empty when denying or failing the PodCertificateRequest')
  else if (has(status, 'Issued')) validateIssued(status, old.spec, spec.maxExpirationSeconds!, now, errors)
  else same(old.status, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"')
}

const has = ({ conditions = [] }: PodCertificateRequestStatus, type: string): boolean =>
  conditions.some(condition => condition.type === type && condition.status === 'True')

/** Whether two statuses are equal, where an empty list of conditions equals none. */
const isSame = (a: PodCertificateRequestStatus, b: PodCertificateRequestStatus): boolean =>
  equalJson({ ...a, conditions: a.conditions ?? [] }, { ...b, conditions: b.conditions ?? [] })

function validateOutcomes(conditions: readonly Condition[], errors: FieldErrors): void {
  let known = 0
  conditions.forEach(({ type, status }, i) => {
    // kube-apiserver writes the index as a name
    const at = path.child('conditions', `[${i}]`)
    if (!outcomes.includes(type)) {
      errors.notSupported(at.child('type'), type, outcomes)
      return
    }
    known++
    if (known > 1)
      errors.invalid(at.child('type'), type, 'There may be at most one condition with type "Issued", "Denied", or "Failed"')
    if (status !== 'True') errors.notSupported(at.child('status'), status, ['True'])
  })
}
