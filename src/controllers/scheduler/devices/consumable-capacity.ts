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
import { compareQuantity, formatQuantity, integerValue, nanoValue, parseQuantity } from '../../../util/quantity.js'

/** Quantities by the names of capacities. */
export type Consumption = Readonly<Record<string, string>>

const maxInt64 = 2n ** 63n - 1n
const compare = (a: string, b: string) => compareQuantity(parseQuantity(a), parseQuantity(b))

/**
 * Returns what the request takes of each capacity, rounded up to what the device's policies allow; undefined where the device has not what is asked for,
 * or does not give so much at once. Throws where a number is too large to be rounded, or negative.
 */
export function consumptionOf(
  { capacity = {} }: Device,
  { requests = {} }: CapacityRequirements = {},
  hasFractions = false
): Consumption | undefined {
  if (Object.keys(requests).some(name => !Object.hasOwn(capacity, name))) return undefined
  const consumption: Record<string, string> = {}
  let isAllowed = true
  // a number that is wrong is told also where another one is not allowed
  for (const [name, given] of Object.entries(capacity)) {
    const amount = amountOf(name, requests[name], given, hasFractions)
    if (amount === undefined) isAllowed = false
    else if (compare(amount, '0') < 0) throw new Error(`capacity "${name}": capacity value is negative`)
    else consumption[name] = amount
  }
  return isAllowed ? consumption : undefined
}

function amountOf(
  name: string,
  requested: string | undefined,
  { value, requestPolicy }: DeviceCapacity,
  hasFractions: boolean
): string | undefined {
  if (requested === undefined) return requestPolicy?.default ?? value
  const { validRange, validValues } = requestPolicy ?? {}
  if (validRange?.min !== undefined) {
    const amount = compare(requested, validRange.min) < 0 ? validRange.min : toStep(name, requested, validRange, hasFractions)
    return validRange.max !== undefined && compare(amount, validRange.max) > 0 ? undefined : amount
  }
  // they are in ascending order
  return validValues?.length ? validValues.find(valid => compare(requested, valid) <= 0) : requested
}

/** Thousandths, in which steps are counted that are fractions; undefined where they are not enough, or too many. */
function thousandthsOf(quantity: string): bigint | undefined {
  const nanos = nanoValue(parseQuantity(quantity))
  const found = nanos / 1_000_000n
  return nanos % 1_000_000n === 0n && found <= maxInt64 ? found : undefined
}

/** Rounds up to a whole number of steps from the minimum. Without `hasFractions`, all of these count as whole numbers. */
function toStep(capacity: string, requested: string, range: CapacityRequestPolicyRange, hasFractions: boolean): string {
  const { min, max, step } = range
  if (step === undefined) return requested
  const unrepresentable = (what: string) =>
    new Error(`capacity "${capacity}": capacity request cannot be represented in the device's range arithmetic: ${what}`)
  const { format } = parseQuantity(step)
  const thousandths = [min!, step, ...(max === undefined ? [] : [max])].map(thousandthsOf)
  if (hasFractions && thousandths.every(found => found !== undefined) && thousandths[1]! > 0n) {
    const amount = thousandthsOf(requested)
    if (amount === undefined) throw unrepresentable(`request ${requested} is not a representable milli value`)
    const rounded = roundedUp(amount, thousandths[0]!, thousandths[1]!)
    if (rounded > maxInt64)
      throw unrepresentable(`rounding request ${requested} up to the next step passes the milli-value range`)
    const isWhole = rounded % 1000n === 0n
    return formatQuantity({ mantissa: isWhole ? rounded / 1000n : rounded, exponent: isWhole ? 0 : -3, format })
  }
  const quantity = parseQuantity(requested)
  if (nanoValue(quantity) > maxInt64 * 1_000_000_000n) throw unrepresentable(`request ${requested} exceeds MaxInt64`)
  const rounded = roundedUp(integerValue(quantity), integerValue(parseQuantity(min!)), integerValue(parseQuantity(step)))
  if (rounded > maxInt64) throw unrepresentable(`rounding request ${requested} up to the next step passes MaxInt64`)
  return formatQuantity({ mantissa: rounded, exponent: 0, format })
}

const roundedUp = (amount: bigint, from: bigint, step: bigint): bigint => from + ((amount - from + step - 1n) / step) * step
