/** resource.Quantity, such as "1.5Gi". */

import { ForeignValue } from '../../../util/go-format.js'
import { compareQuantity, formatQuantity, parseQuantity, type Quantity, QuantityError } from '../../../util/quantity.js'
import { constant, traversal } from '../cost/call-cost.js'
import { type Library, overload } from '../declarations.js'
import { objectType } from '../types.js'
import { CelError, ObjectValue, type Value } from '../values/value.js'

export const quantityType = objectType('kubernetes.Quantity')
const types = { Quantity: quantityType }

class QuantityValue extends ObjectValue {
  readonly type = quantityType
  readonly quantity: Quantity

  constructor(quantity: Quantity) {
    super()
    this.quantity = quantity
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
    return new QuantityValue(parseQuantity(text))
  } catch (error) {
    if (error instanceof QuantityError) return new CelError(error.message)
    throw error
  }
}

const maxInt = 2n ** 63n - 1n
const isInt64 = (n: bigint) => n <= maxInt && n >= -maxInt - 1n

/** Returns the value if Go recognizes a whole number: it recognizes neither 1000m nor big decimals. */
function wholeNumber({ quantity: { mantissa, exponent, isBig } }: QuantityValue): bigint | undefined {
  if (isBig || exponent < 0 || exponent > 18) return undefined
  const value = mantissa * 10n ** BigInt(exponent)
  return isInt64(value) ? value : undefined
}

const asQuantity = (operand: QuantityValue | bigint) =>
  typeof operand === 'bigint' ? new QuantityValue({ mantissa: operand, exponent: 0, format: 'DecimalSI', isBig: false }) : operand

function combine(sign: 1n | -1n) {
  return (left: QuantityValue, operand: QuantityValue | bigint): QuantityValue => {
    const right = asQuantity(operand)
    const [a, b] = [left.quantity, right.quantity]
    const isBig = a.isBig || b.isBig
    if (!isBig && b.mantissa === 0n) return left
    if (!isBig && a.mantissa === 0n) return new QuantityValue({ ...b, mantissa: sign * b.mantissa })
    const exponent = Math.min(a.exponent, b.exponent)
    const at = (q: Quantity) => q.mantissa * 10n ** BigInt(q.exponent - exponent)
    const mantissa = at(a) + sign * at(b)
    return new QuantityValue({ mantissa, exponent, format: a.format, isBig: isBig || !isInt64(mantissa) })
  }
}

const compare = (a: QuantityValue, b: QuantityValue) => compareQuantity(a.quantity, b.quantity)
const approximate = ({ quantity: { mantissa, exponent } }: QuantityValue) => Number(mantissa) * Number(`1e${exponent}`)
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
