/** Field and label selectors in access reviews: an authorizer may allow a list only with certain selectors. */
import type { ResourceAttributes } from '../../../apimachinery/api/generated/authorization-v1.js'
import { type FieldRequirement, parseFieldSelector, readableFieldSelector } from '../../../apimachinery/selectors/fields.js'
import { type LabelRequirement, parseLabelSelector, readableLabelSelector } from '../../../apimachinery/selectors/labels.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateLabelKey } from '../../../apimachinery/validation/label-selector.js'
import { isLabelValue } from '../../../apimachinery/validation/names.js'

type Selector = NonNullable<ResourceAttributes['fieldSelector'] | ResourceAttributes['labelSelector']>

const operators: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'] satisfies LabelRequirement['operator'][]
const fields = ['fieldSelector', 'labelSelector'] as const

export function validateSelectors(attributes: ResourceAttributes, path: Path, errors: FieldErrors): void {
  for (const field of fields) {
    const selector = attributes[field]
    if (selector) validateSelector(selector, field === 'labelSelector', path.child(field), errors)
  }
}

function validateSelector(
  { rawSelector = '', requirements = [] }: Selector,
  ofLabels: boolean,
  at: Path,
  errors: FieldErrors
): void {
  if (rawSelector !== '' && requirements.length > 0)
    errors.invalid(at.child('rawSelector'), rawSelector, 'may not specified at the same time as requirements')
  if (rawSelector === '' && requirements.length === 0)
    errors.required(at.child('requirements'), `when ${at} is specified, requirements or rawSelector is required`)
  requirements.forEach(({ key, operator, values = [] }, i) => {
    const place = at.child('requirements').index(i)
    if (!ofLabels && key === '') errors.required(place.child('key'), 'must be specified')
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) errors.required(place.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")
    } else if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
      errors.forbidden(place.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    }
    if (!ofLabels) return
    validateLabelKey(key, place.child('key'), errors)
    values.forEach((value, j) => {
      for (const e of isLabelValue(value)) errors.invalid(place.child('values').index(j), value, e)
    })
  })
}

/**
 * Returns the evaluation error for requirements that cannot be read, because a future version may have added them. They are left
 * out, but the review is not refused. A requirement for a field must have exactly one value.
 */
export function unreadableSelectors(attributes: ResourceAttributes | undefined, path: Path): string {
  return fields
    .flatMap(field => {
      const selector = attributes?.[field]
      const left = selector && readable(selector, field === 'labelSelector')
      return left === undefined || left === 'all' ? [] : `${path.child(field)} ${left}ignored due to parse error`
    })
    .join('; ')
}

function readable({ rawSelector = '', requirements = [] }: Selector, ofLabels: boolean): 'all' | 'partially ' | '' {
  if (requirements.length === 0) return isReadable(rawSelector, ofLabels) ? 'all' : ''
  const known = requirements.filter(({ operator, values = [] }) => {
    if (ofLabels) return operators.includes(operator)
    return values.length === 1 && (operator === 'In' || operator === 'NotIn')
  })
  if (known.length === requirements.length) return 'all'
  return known.length > 0 ? 'partially ' : ''
}

function isReadable(rawSelector: string, ofLabels: boolean): boolean {
  if (rawSelector === '') return true
  try {
    if (ofLabels) parseLabelSelector(rawSelector)
    else parseFieldSelector(rawSelector)
    return true
  } catch {
    return false
  }
}

/** Returns the readable requirements of the field selector. */
export function fieldRequirements({ fieldSelector }: ResourceAttributes): readonly FieldRequirement[] | undefined {
  if (!fieldSelector) return undefined
  const { rawSelector = '', requirements = [] } = fieldSelector
  if (requirements.length === 0) return readableFieldSelector(rawSelector)
  return requirements.flatMap(({ key, operator, values = [] }) =>
    values.length === 1 && (operator === 'In' || operator === 'NotIn')
      ? [{ field: key, operator: operator === 'In' ? '=' : '!=', value: values[0]! } as const]
      : []
  )
}

/** Returns the readable requirements of the label selector. */
export function labelRequirements({ labelSelector }: ResourceAttributes): readonly LabelRequirement[] | undefined {
  if (!labelSelector) return undefined
  const { rawSelector = '', requirements = [] } = labelSelector
  if (requirements.length === 0) return readableLabelSelector(rawSelector)
  return requirements.flatMap(({ key, operator, values = [] }) =>
    operators.includes(operator) ? [{ key, operator: operator as LabelRequirement['operator'], values }] : []
  )
}
