/** Validates LabelSelector objects (k8s.io/apimachinery's meta/v1/validation). */
import type { LabelSelector } from '../api/generated/meta-v1.js'
import type { FieldErrors, Path } from './field.js'
import { namedText } from './go-value.js'
import { isLabelValue, isQualifiedName } from './names.js'
import { validateLabels } from './object-meta.js'

export function validateLabelSelector(selector: LabelSelector | undefined, path: Path, errors: FieldErrors): void {
  if (!selector) return
  validateLabels(selector.matchLabels, path.child('matchLabels'), errors)
  selector.matchExpressions?.forEach((requirement, i) => {
    const at = path.child('matchExpressions').index(i)
    const { key, operator, values } = requirement
    if (operator === 'In' || operator === 'NotIn') {
      if (!values?.length) errors.required(at.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values?.length)
        errors.forbidden(at.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    } else errors.invalid(at.child('operator'), namedText(operator), 'not a valid selector operator')
    validateLabelKey(key, at.child('key'), errors)
    values?.forEach((value, j) => {
      for (const e of isLabelValue(value)) errors.invalid(at.child('values').index(j), value, e)
    })
  })
}

export function validateLabelKey(key: string, path: Path, errors: FieldErrors): void {
  for (const e of isQualifiedName(key)) errors.invalid(path, key, e)
}
