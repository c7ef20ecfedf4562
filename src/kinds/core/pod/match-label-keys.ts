import type { LabelSelector } from '../../../apimachinery/api/generated/meta-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateLabelKey } from '../../../apimachinery/validation/label-selector.js'

export interface ByLabelKeys {
  labelSelector?: LabelSelector | undefined
  matchLabelKeys?: string[] | undefined
  mismatchLabelKeys?: string[] | undefined
}

/** Validates matchLabelKeys. Preparation has added the labels of a new Pod to the selector, so it has each key exactly once. */
export function validateMatchLabelKeys(term: ByLabelKeys, path: Path, errors: FieldErrors): void {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term
  for (const [field, keys] of Object.entries({ matchLabelKeys, mismatchLabelKeys })) {
    if (keys.length > 0 && !labelSelector)
      errors.forbidden(path.child(field), 'must not be specified when labelSelector is not set')
    else keys.forEach((key, i) => void validateLabelKey(key, path.child(field).index(i), errors))
  }
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}))
  const last = new Map(matchLabelKeys.map((key, i) => [key, i]))
  for (const { key } of labelSelector?.matchExpressions ?? []) {
    const i = last.get(key)
    if (i !== undefined && selected.has(key))
      errors.invalid(path.index(i), key, 'exists in both matchLabelKeys and labelSelector')
    selected.add(key)
  }
  const mismatched = new Set(mismatchLabelKeys)
  matchLabelKeys.forEach((key, i) => {
    if (mismatched.has(key))
      errors.invalid(path.child('matchLabelKeys').index(i), key, 'exists in both matchLabelKeys and mismatchLabelKeys')
  })
}

/** Validates the matchLabelKeys of a constraint to whose selector they are not added: no key may be in both. */
export function validateSeparateKeys({ labelSelector, matchLabelKeys = [] }: ByLabelKeys, path: Path, errors: FieldErrors): void {
  if (matchLabelKeys.length === 0) return
  const at = path.child('matchLabelKeys')
  if (!labelSelector) errors.forbidden(at, 'must not be specified when labelSelector is not set')
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key)
  ])
  matchLabelKeys.forEach((key, i) => {
    validateLabelKey(key, at.index(i), errors)
    if (selected.has(key)) errors.invalid(at.index(i), key, 'exists in both matchLabelKeys and labelSelector')
  })
}
