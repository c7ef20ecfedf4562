import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm
} from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { validateLabelKey, validateLabelSelector } from '../../../apimachinery/validation/label-selector.js'
import { isDns1123Label, isDns1123Subdomain, isLabelValue } from '../../../apimachinery/validation/names.js'
import { validateMatchLabelKeys } from './match-label-keys.js'

const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

export function validateAffinity(affinity: Affinity | undefined, path: Path, errors: FieldErrors): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {}
  if (nodeAffinity) {
    const at = path.child('nodeAffinity')
    if (nodeAffinity[required]) validateNodeSelector(nodeAffinity[required], at.child(required), errors)
    nodeAffinity[preferred]?.forEach((term, i) => {
      const place = at.child(preferred).index(i)
      validateWeight(term.weight, place, errors)
      // preferred terms may name labels that no node can have
      validateNodeSelectorTerm(term.preference, place.child('preference'), errors, false)
    })
  }
  if (podAffinity) validatePodAffinity(podAffinity, path.child('podAffinity'), errors)
  if (podAntiAffinity) validatePodAffinity(podAntiAffinity, path.child('podAntiAffinity'), errors)
}

function validateWeight(weight: number, path: Path, errors: FieldErrors): void {
  if (weight < 1 || weight > 100) errors.invalid(path.child('weight'), weight, 'must be in the range 1-100')
}

export function validateNodeSelector(selector: NodeSelector, path: Path, errors: FieldErrors): void {
  const terms = selector.nodeSelectorTerms ?? []
  if (terms.length === 0) errors.required(path.child('nodeSelectorTerms'), 'must have at least one node selector term')
  terms.forEach((term, i) => void validateNodeSelectorTerm(term, path.child('nodeSelectorTerms').index(i), errors))
}

function validateNodeSelectorTerm(term: NodeSelectorTerm, path: Path, errors: FieldErrors, checkValues = true): void {
  term.matchExpressions?.forEach((r, i) => {
    const at = path.child('matchExpressions').index(i)
    validateRequirement(r, at, errors)
    if (checkValues) validateLabelValues(r.values ?? [], at.child('values'), errors)
  })
  term.matchFields?.forEach((r, i) => void validateFieldRequirement(r, path.child('matchFields').index(i), errors))
}

function validateRequirement({ key, operator, values }: NodeSelectorRequirement, path: Path, errors: FieldErrors): void {
  const n = values?.length ?? 0
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (n === 0) errors.required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")
      break
    case 'Exists':
    case 'DoesNotExist':
      if (n > 0) errors.forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
      break
    case 'Gt':
    case 'Lt':
      if (n !== 1) errors.required(path.child('values'), "must be specified single value when `operator` is 'Lt' or 'Gt'")
      break
    default:
      errors.invalid(path.child('operator'), namedText(operator), 'not a valid selector operator')
  }
  validateLabelKey(key, path.child('key'), errors)
}

function validateLabelValues(values: readonly string[], path: Path, errors: FieldErrors): void {
  values.forEach((value, i) => {
    for (const e of isLabelValue(value)) errors.invalid(path.index(i), value, e)
  })
}

function validateFieldRequirement({ key, operator, values }: NodeSelectorRequirement, path: Path, errors: FieldErrors): void {
  if (operator !== 'In' && operator !== 'NotIn')
    errors.invalid(path.child('operator'), namedText(operator), 'not a valid selector operator')
  else if (values?.length !== 1)
    errors.required(path.child('values'), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector")
  if (key !== 'metadata.name') return errors.invalid(path.child('key'), key, 'not a valid field selector key')
  values?.forEach((value, i) => {
    for (const e of isDns1123Subdomain(value)) errors.invalid(path.child('values').index(i), value, e)
  })
}

function validatePodAffinity(affinity: PodAffinity, path: Path, errors: FieldErrors): void {
  affinity[required]?.forEach((term, i) => void validatePodAffinityTerm(term, path.child(required).index(i), errors))
  affinity[preferred]?.forEach(({ weight, podAffinityTerm }, i) => {
    const at = path.child(preferred).index(i)
    validateWeight(weight, at, errors)
    validatePodAffinityTerm(podAffinityTerm, at.child('podAffinityTerm'), errors)
  })
}

function validatePodAffinityTerm(term: PodAffinityTerm, path: Path, errors: FieldErrors): void {
  validateLabelSelector(term.labelSelector, path.child('labelSelector'), errors)
  validateLabelSelector(term.namespaceSelector, path.child('namespaceSelector'), errors)
  for (const namespace of term.namespaces ?? [])
    for (const e of isDns1123Label(namespace)) errors.invalid(path.child('namespace'), namespace, e)
  validateMatchLabelKeys(term, path, errors)
  if (term.topologyKey === '') errors.required(path.child('topologyKey'), 'can not be empty')
  validateLabelKey(term.topologyKey, path.child('topologyKey'), errors)
}
