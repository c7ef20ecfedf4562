/** Validates the capacities of devices, and the amounts in which they may be requested. */
import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  DeviceCapacity
} from '../../apimachinery/api/generated/resource-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { addQuantities, compareQuantities, integerValue, parseQuantity } from '../../util/quantity.js'
import { validateSet } from './lists.js'

const maxOptions = 10
const whole = (quantity: string) => integerValue(parseQuantity(quantity))
const isMore = (a: string, b: string) => compareQuantities(a, b) > 0

export function validateCapacity(
  { value, requestPolicy }: DeviceCapacity,
  shared: boolean,
  path: Path,
  errors: FieldErrors
): void {
  if (!requestPolicy) return
  const at = path.child('requestPolicy')
  if (shared) validatePolicy(requestPolicy, value, at, errors)
  else errors.forbidden(at, 'allowMultipleAllocations must be true')
}

function validatePolicy(policy: CapacityRequestPolicy, capacity: string, at: Path, errors: FieldErrors): void {
  const { default: standard, validValues, validRange } = policy
  const values = validValues?.length ? validValues : undefined
  if (values && validRange) {
    const why = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'
    errors.forbidden(at, why)
  } else if (values) {
    if (!standard) errors.required(at.child('default'), 'required when validValues is defined')
    else validateValues(values, standard, capacity, at.child('validValues'), errors)
  } else if (validRange) {
    if (!standard) errors.required(at.child('default'), 'required when validRange is defined')
    else validateRange(validRange, standard, capacity, at.child('validRange'), errors)
  }
}

function validateValues(values: readonly string[], standard: string, capacity: string, path: Path, errors: FieldErrors): void {
  values.slice(1).forEach((value, i) => {
    if (isMore(values[i]!, value)) errors.invalid(path.index(i + 1), value, 'values must be sorted in ascending order')
  })
  validateSet(
    values,
    maxOptions,
    value => String(whole(value)),
    path,
    errors,
    (value, at) => {
      if (isMore(value, capacity)) errors.invalid(at, value, `option is larger than capacity value: ${capacity}`)
    }
  )
  if (values.length > maxOptions || !values.some(value => compareQuantities(value, standard) === 0))
    errors.invalid(path, standard, 'default value is not valid according to the requestPolicy')
}

function validateRange(
  { min, max, step }: CapacityRequestPolicyRange,
  standard: string,
  capacity: string,
  path: Path,
  errors: FieldErrors
): void {
  const at = path.child('min')
  if (min === undefined) return errors.required(at, 'required when validRange is defined')
  if (isMore(min, capacity)) errors.invalid(at, min, `min is larger than capacity value: ${capacity}`)
  if (isMore(min, standard)) errors.invalid(at, standard, `default is less than min: ${min}`)
  if (max !== undefined) {
    if (isMore(min, max)) errors.invalid(path.child('max'), min, `min is larger than max: ${max}`)
    if (isMore(max, capacity)) errors.invalid(path.child('max'), max, `max is larger than capacity value: ${capacity}`)
    if (isMore(standard, max)) errors.invalid(path.child('max'), standard, `default is more than max: ${max}`)
  }
  if (step === undefined) return
  const next = addQuantities(min, step)
  if (isMore(next, capacity))
    errors.invalid(path.child('step'), step, `one step ${next} is larger than capacity value: ${capacity}`)
  for (const value of max === undefined ? [standard] : [standard, max]) {
    // kube-apiserver divides by a step of zero, and panics
    if (whole(step) === 0n || (whole(value) - whole(min)) % whole(step) !== 0n)
      errors.invalid(path.child('step'), value, `value is not a multiple of a given step (${step}) from (${min})`)
  }
}
