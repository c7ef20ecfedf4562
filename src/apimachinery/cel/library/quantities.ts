/** resource.Quantity, such as "1.5Gi". */

import { ForeignValue } from '../../../util/go-format.js'
import {
  compareQuantity,
  formatQuantity,
  nanoValue,
  parseQuantity,
  type Quantity,
  QuantityError
} from '../../../util/quantity.js'
import { constant, traversal } from '../cost/call-cost.js'
import { type Library, overload } from '../declarations.js'
import { objectType } from '../types.js'
import { CelError, ObjectValue, type Value } from '../values/value.js'

export const quantityType = objectType('kubernetes.Quantity')
const types = { Quantity: quantityType }

class QuantityValue extends ObjectValue {
  readonly type = quantityType
  readonly quantity: Quantity
  /** Whether Go holds the quantity as an int64 and a power of ten. Only then can it be converted to an integer. */
  readonly isSmall: boolean

  constructor(quantity: Quantity, isSmall: boolean) {
    super()
    this.quantity = quantity
    this.isSmall = isSmall
  }

  override get foreign(): ForeignValue {
    const text = formatQuantity(this.quantity)
    return new ForeignValue(text, '(*resource.Quantity)(0xc000000000)', '*resource.Quantity')
  }

  equals(other: ObjectValue): boolean {
    return other instanceof QuantityValue && compareQuantity(this.quantity, other.quantity) === 0
  }
}

export function quantity(text: string): Value {
  try {
    return new QuantityValue(parseQuantity(text), isSmall(text))
  } catch (error) {
    if (error instanceof QuantityError) return new CelError(error.message)
    throw error
  }
}

const binaryPowers: Record<string, number> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 }
const decimalPowers: Record<string, number> = { n: -9, u: -6, m: -3 }

/** Whether Go's parser takes its fast path: few digits, and no fraction of a binary unit. */
function isSmall(text: string): boolean {
  const [, whole = '', fraction = '', suffix = ''] = /^[+-]?0*(\d*)(?:\.(\d*))?(.*)$/s.exec(text)!
  const binary = Object.hasOwn(binaryPowers, suffix) ? binaryPowers[suffix]! : undefined
  if (binary !== undefined) return fraction === '' && 15 - whole.length - Math.trunc((binary * 3) / 10) - 1 >= 0
  const exponent = /^[eE]/.test(suffix) && suffix.length > 1 ? Number(suffix.slice(1)) : (decimalPowers[suffix] ?? 0)
  return whole.length + fraction.length <= 18 && exponent - fraction.length >= -9
}

const maxInt = 2n ** 63n - 1n
const isInt64 = (n: bigint) => n <= maxInt && n >= -maxInt - 1n

/** Returns the value if Go recognizes a whole number: it does not recognize 1000m. */
function wholeNumber({ quantity: { mantissa, exponent }, isSmall }: QuantityValue): bigint | undefined {
  if (!isSmall || exponent < 0 || exponent > 18) return undefined
  const value = mantissa * 10n ** BigInt(exponent)
  return isInt64(value) ? value : undefined
}

const asQuantity = (operand: QuantityValue | bigint) =>
  typeof operand === 'bigint' ? new QuantityValue({ mantissa: operand, exponent: 0, format: 'DecimalSI' }, true) : operand

function combine(sign: 1n | -1n) {
  return (left: QuantityValue, operand: QuantityValue | bigint): QuantityValue => {
    const right = asQuantity(operand)
    const [a, b] = [left.quantity, right.quantity]
    const bothSmall = left.isSmall && right.isSmall
    if (bothSmall && b.mantissa === 0n) return left
    if (bothSmall && a.mantissa === 0n) return new QuantityValue({ ...b, mantissa: sign * b.mantissa }, true)
    const exponent = Math.min(a.exponent, b.exponent)
    const at = (q: Quantity) => q.mantissa * 10n ** BigInt(q.exponent - exponent)
    const mantissa = at(a) + sign * at(b)
    return new QuantityValue({ mantissa, exponent, format: a.format }, bothSmall && isInt64(mantissa))
  }
}

const compare = (a: QuantityValue, b: QuantityValue) => compareQuantity(a.quantity, b.quantity)
const approximate = ({ quantity, isSmall }: QuantityValue) =>
  isSmall ? Number(quantity.mantissa) * Number(`1e${quantity.exponent}`) : Number(nanoValue(quantity)) * 1e-9
const sign = ({ quantity: { mantissa } }: QuantityValue) => (mantissa > 0n ? 1n : mantissa < 0n ? -1n : 0n)

const parses = { types, cost: traversal(0) }
const reads = { types, cost: constant(1) }

export const quantities: Library = {
  functions: {
    quantity: [overload('string_to_quantity', 'string -> Quantity', quantity, parses)],
    isQuantity: [
      overload('is_quantity_string', 'string -> bool', (text: string) => !(quantity(text) instanceof CelError), parses)
    ],
    // Kubernetes declares a function, not a method
    sign: [overload('quantity_sign', 'Quantity -> int', sign, reads)],
    isGreaterThan: [
      overload(
        'quantity_is_greater_than',
        'Quantity.(Quantity) -> bool',
        (a: QuantityValue, b: QuantityValue) => compare(a, b) > 0,
        reads
      )
    ],
    isLessThan: [
      overload(
        'quantity_is_less_than',
        'Quantity.(Quantity) -> bool',
        (a: QuantityValue, b: QuantityValue) => compare(a, b) < 0,
        reads
      )
    ],
    compareTo: [
      overload(
        'quantity_compare_to',
        'Quantity.(Quantity) -> int',
        (a: QuantityValue, b: QuantityValue) => BigInt(compare(a, b)),
        reads
      )
    ],
    asApproximateFloat: [overload('quantity_get_float', 'Quantity.() -> double', approximate, reads)],
    asInteger: [
      overload(
        'quantity_get_int',
        'Quantity.() -> int',
        (q: QuantityValue) => wholeNumber(q) ?? new CelError('cannot convert value to integer'),
        reads
      )
    ],
    isInteger: [
      overload('quantity_is_integer', 'Quantity.() -> bool', (q: QuantityValue) => wholeNumber(q) !== undefined, reads)
    ],
    add: [
      overload('quantity_add', 'Quantity.(Quantity) -> Quantity', combine(1n), reads),
      overload('quantity_add_int', 'Quantity.(int) -> Quantity', combine(1n), reads)
    ],
    sub: [
      overload('quantity_sub', 'Quantity.(Quantity) -> Quantity', combine(-1n), reads),
      overload('quantity_sub_int', 'Quantity.(int) -> Quantity', combine(-1n), reads)
    ]
  }
}
