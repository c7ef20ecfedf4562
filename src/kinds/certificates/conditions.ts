/** Approval, denial and failure of certificate signing requests. */

import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition
} from '../../apimachinery/api/generated/certificates-v1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { goQuote } from '../../util/go-format.js'
import { equalJson } from '../../util/json.js'
import { timestamp } from '../../util/time.js'

type Condition = CertificateSigningRequestCondition

const path = Path.of('status', 'conditions')
const decisions = ['Approved', 'Denied']
/** The conditions that are never removed. */
const lasting = [...decisions, 'Failed']

const ofType = ({ status }: CertificateSigningRequest, type: string) => (status.conditions ?? []).filter(c => c.type === type)

/** Sets missing times of conditions from the same old condition, or to now. */
export function stampConditions(o: CertificateSigningRequest, old: CertificateSigningRequest, now: number): void {
  const time = timestamp(now)
  const keyOf = ({ type, status }: Condition) => JSON.stringify([type, status])
  // the first of several equal conditions counts
  const before = new Map(old.status.conditions?.toReversed().map(c => [keyOf(c), c]))
  for (const condition of o.status.conditions ?? []) {
    condition.lastUpdateTime ??= time
    condition.lastTransitionTime ??= before.get(keyOf(condition))?.lastTransitionTime ?? time
  }
}

/** Restores the decisions in a status update; validation only compares their number. */
export function keepDecisions(o: CertificateSigningRequest, old: CertificateSigningRequest): void {
  for (const type of decisions) {
    const before = ofType(old, type)
    if (ofType(o, type).length !== before.length) continue
    let next = 0
    o.status.conditions = o.status.conditions?.map(c => (c.type === type ? before[next++]! : c))
    if (!o.status.conditions) delete o.status.conditions
  }
}

export function validateConditions(conditions: readonly Condition[], errors: FieldErrors): void {
  const seen = new Set<string>()
  conditions.forEach(({ type, status }, i) => {
    const at = path.index(i)
    const supported = lasting.includes(type) ? ['True'] : ['False', 'True', 'Unknown']
    if (type === '') errors.required(at.child('type'))
    if (status === '') errors.required(at.child('status'))
    else if (!supported.includes(status)) errors.notSupported(at.child('status'), status, supported)
    if (seen.has(type)) errors.duplicate(at.child('type'), namedText(type))
    seen.add(type)
  })
}

export function validateConditionsUpdate(
  o: CertificateSigningRequest,
  old: CertificateSigningRequest,
  mayDecide: boolean,
  errors: FieldErrors
): void {
  for (const type of lasting) {
    if (ofType(o, type).length < ofType(old, type).length)
      errors.forbidden(path, `updates may not remove a condition of type ${goQuote(type)}`)
  }
  if (mayDecide) return
  for (const type of decisions) {
    const [now, before] = [ofType(o, type), ofType(old, type)]
    if (now.length > before.length) errors.forbidden(path, `updates may not add a condition of type ${goQuote(type)}`)
    else if (now.length === before.length && !equalJson(now, before))
      errors.forbidden(path, `updates may not modify a condition of type ${goQuote(type)}`)
  }
}
