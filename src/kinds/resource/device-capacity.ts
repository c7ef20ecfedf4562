/** Validates the capacities of devices, and the amounts in which they may be requested. */
import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  DeviceCapacity
} from '../../apimachinery/api/generated/resource-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { addQuantities, compareQuantities, integerValue, milliValue, nanoValue, parseQuantity } from '../../util/quantity.js'
import { validateSet } from './lists.js'

const maxOptions = 10
const nanosPerOne = 1_000_000_000n
const maxInt64 = 2n ** 63n - 1n
const nano = (quantity: string) => nanoValue(parseQuantity(quantity))
/** Formats a number of billionths as a decimal. */
function decimal(nanos: bigint): string {
  const [digits, sign] = nanos < 0n ? [-nanos, '-'] : [nanos, '']
  const fraction = String(digits % nanosPerOne)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${sign}${digits / nanosPerOne}${fraction === '' ? '' : `.${fraction}`}`
}

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
    value => (errors.enabled('DRAFractionalCapacityRange') ? decimal(nano(value)) : String(whole(value))),
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
  if (isMore(min, standard)) errors.invalid(path.child('default'), standard, `default is less than min: ${min}`)
  if (max !== undefined) {
    if (isMore(min, max)) errors.invalid(path.child('max'), min, `min is larger than max: ${max}`)
    if (isMore(max, capacity)) errors.invalid(path.child('max'), max, `max is larger than capacity value: ${capacity}`)
    if (isMore(standard, max)) errors.invalid(path.child('default'), standard, `default is more than max: ${max}`)
  }
  const bounds = Object.entries({ default: standard, min, max, step }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined
  )
  const isFractional =
    errors.enabled('DRAFractionalCapacityRange') && bounds.some(([, quantity]) => nano(quantity) % nanosPerOne !== 0n)
  if (isFractional && !validateMillis(bounds, path, errors)) return
  if (step === undefined) return
  if (nano(step) <= 0n) return errors.invalid(path.child('step'), step, 'must be greater than zero')
  const next = addQuantities(min, step)
  if (isMore(next, capacity))
    errors.invalid(path.child('step'), step, `one step ${next} is larger than capacity value: ${capacity}`)
  if (!isFractional && !validateIntegers(bounds, path, errors)) return
  const count = (quantity: string) => (isFractional ? milliValue(parseQuantity(quantity)) : whole(quantity))
  for (const value of max === undefined ? [standard] : [standard, max])
    if ((count(value) - count(min)) % count(step) !== 0n)
      errors.invalid(path.child('step'), value, `value is not a multiple of a given step (${step}) from (${min})`)
}

/** Requires that quantities are whole thousandths. Returns whether they are. */
function validateMillis(bounds: readonly (readonly [string, string])[], path: Path, errors: FieldErrors): boolean {
  const unsafe = bounds.filter(([, text]) => nano(text) !== milliValue(parseQuantity(text)) * 1_000_000n)
  for (const [name, text] of unsafe) errors.invalid(path.child(name), text, 'value cannot be represented as a milli value')
  return unsafe.length === 0
}

/** Requires that quantities are within the non-negative 64-bit integers. Returns whether they are. */
function validateIntegers(bounds: readonly (readonly [string, string])[], path: Path, errors: FieldErrors): boolean {
  let areSafe = true
  for (const [name, text] of bounds) {
    const why =
      nano(text) < 0n
        ? 'must be greater than or equal to 0'
        : nano(text) > maxInt64 * nanosPerOne
          ? `must not be larger than ${maxInt64}`
          : undefined
    if (why === undefined) continue
    errors.invalid(path.child(name), text, why)
    areSafe = false
  }
  return areSafe
}
