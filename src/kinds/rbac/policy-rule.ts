import type { PolicyRule } from '../../apimachinery/api/generated/rbac-v1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'

export function validatePolicyRules(rules: readonly PolicyRule[] | null, namespaced: boolean, errors: FieldErrors): void {
  rules?.forEach((rule, i) => void validatePolicyRule(rule, namespaced, Path.of('rules').index(i), errors))
}

function validatePolicyRule(rule: PolicyRule, namespaced: boolean, path: Path, errors: FieldErrors): void {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule
  if (!verbs?.length) errors.required(path.child('verbs'), 'verbs must contain at least one value')
  if (nonResourceURLs?.length) {
    const at = path.child('nonResourceURLs')
    if (namespaced) errors.invalid(at, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs')
    if (apiGroups?.length || resources?.length || resourceNames?.length)
      errors.invalid(at, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs')
    return
  }
  if (!apiGroups?.length) errors.required(path.child('apiGroups'), 'resource rules must supply at least one api group')
  if (!resources?.length) errors.required(path.child('resources'), 'resource rules must supply at least one resource')
}
