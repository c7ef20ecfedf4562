/**
 * What a request consumes of the capacity of a device:
 * https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#consumable-capacity
 */
import type {
  CapacityRequestPolicyRange,
  CapacityRequirements,
  Device,
  DeviceCapacity
} from '../../../apimachinery/api/generated/resource-v1.js'
import { compareQuantity, formatQuantity, integerValue, nanoValue, parseQuantity, type Quantity } from '../../../util/quantity.js'

/** Quantities by the names of capacities. */
export type Consumption = Readonly<Record<string, string>>

const maxInt64 = 2n ** 63n - 1n
const compare = (a: string, b: string) => compareQuantity(parseQuantity(a), parseQuantity(b))

/**
 * Returns what the request takes of each capacity, rounded up to what the device's policies allow; undefined where the device has not what is asked for,
 * or does not give so much at once. Throws where a number is too large to be rounded, or negative.
 */
export function consumptionOf({ capacity = {} }: Device, { requests = {} }: CapacityRequirements = {}): Consumption | undefined {
  if (Object.keys(requests).some(name => !Object.hasOwn(capacity, name))) return undefined
  const consumption: Record<string, string> = {}
  let isAllowed = true
  // a number that is wrong is told also where another one is not allowed
  for (const [name, given] of Object.entries(capacity)) {
    const amount = amountOf(name, requests[name], given)
    if (amount === undefined) isAllowed = false
    else if (compare(amount, '0') < 0) throw new Error(`capacity "${name}": capacity value is negative`)
    else consumption[name] = amount
  }
  return isAllowed ? consumption : undefined
}

function amountOf(name: string, requested: string | undefined, { value, requestPolicy }: DeviceCapacity): string | undefined {
  if (requested === undefined) return requestPolicy?.default ?? value
  const { validRange, validValues } = requestPolicy ?? {}
  if (validRange?.min !== undefined) {
    const amount = compare(requested, validRange.min) < 0 ? validRange.min : toStep(name, requested, validRange)
    return validRange.max !== undefined && compare(amount, validRange.max) > 0 ? undefined : amount
  }
  // they are in ascending order
  return validValues?.length ? validValues.find(valid => compare(requested, valid) <= 0) : requested
}

/** Rounds up to a whole number of steps from the minimum. */
function toStep(capacity: string, requested: string, { min, step }: CapacityRequestPolicyRange): string {
  if (step === undefined) return requested
  const quantity = parseQuantity(requested)
  const tooLarge = (what: string) =>
    new Error(`capacity "${capacity}": capacity request cannot be represented in the device's range arithmetic: ${what}`)
  if (nanoValue(quantity) > maxInt64 * 1_000_000_000n) throw tooLarge(`request ${requested} exceeds MaxInt64`)
  const size: Quantity = parseQuantity(step)
  const [from, by, to] = [integerValue(parseQuantity(min!)), integerValue(size), integerValue(quantity)]
  const rounded = from + ((to - from + by - 1n) / by) * by
  if (rounded > maxInt64) throw tooLarge(`rounding request ${requested} up to the next step passes MaxInt64`)
  return formatQuantity({ mantissa: rounded, exponent: 0, format: size.format })
}
