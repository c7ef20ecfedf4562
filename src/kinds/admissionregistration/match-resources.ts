import type { MatchResources } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateLabelSelector } from '../../apimachinery/validation/label-selector.js'
import { defaultRule, validateNamedRule } from './rules.js'

export const matchPolicies = ['Equivalent', 'Exact']

export function defaultMatchResources(match: MatchResources | undefined): void {
  if (!match) return
  match.matchPolicy ??= 'Equivalent'
  match.namespaceSelector ??= {}
  match.objectSelector ??= {}
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) defaultRule(rule)
}

export function validateMatchResources(match: MatchResources, at: Path, errors: FieldErrors): void {
  const { matchPolicy, resourceRules, excludeResourceRules } = match
  if (matchPolicy === undefined) errors.required(at.child('matchPolicy'))
  else if (!matchPolicies.includes(matchPolicy)) errors.notSupported(at.child('matchPolicy'), matchPolicy, matchPolicies)
  validateLabelSelector(match.namespaceSelector, at.child('namespaceSelector'), errors)
  validateLabelSelector(match.objectSelector, at.child('objectSelector'), errors)
  resourceRules?.forEach((rule, i) => void validateNamedRule(rule, at.child('resourceRules').index(i), errors))
  excludeResourceRules?.forEach((rule, i) => void validateNamedRule(rule, at.child('excludeResourceRules').index(i), errors))
}

/** Validates what a policy matches. Unlike a binding, a policy must have resource rules. */
export function validateMatchConstraints(match: MatchResources | undefined, at: Path, errors: FieldErrors): void {
  if (!match) {
    errors.required(at)
    return
  }
  validateMatchResources(match, at, errors)
  if (!match.resourceRules?.length) errors.required(at.child('resourceRules'))
}
