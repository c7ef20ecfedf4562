/** resource.Quantity: "1.5Gi". */
import { compareQuantity, nanoValue, parseQuantity, type Quantity, QuantityError } from '../../util/quantity.js'
import { constant, traversal } from '../cost/call-cost.js'
import { type Library, overload } from '../declarations.js'
import { objectType } from '../types.js'
import { CelError, ObjectValue, type Value } from '../values/value.js'

const quantityType = objectType('kubernetes.Quantity')
const types = { Quantity: quantityType }

class QuantityValue extends ObjectValue {
  readonly type = quantityType
  readonly quantity: Quantity
  constructor(quantity: Quantity) {
    super()
    this.quantity = quantity
  }

  equals(other: ObjectValue): boolean {
    return other instanceof QuantityValue && compareQuantity(this.quantity, other.quantity) === 0
  }
}

function quantity(text: string): Value {
  try {
    return new QuantityValue(parseQuantity(text))
  } catch (error) {
    if (error instanceof QuantityError) return new CelError(error.message)
    throw error
  }
}

const maxInt = 2n ** 63n - 1n
const one = 1_000_000_000n

/** The value, if it is a whole number of 64 bits. */
function wholeNumber({ quantity }: QuantityValue): bigint | undefined {
  const nanos = nanoValue(quantity)
  const value = nanos / one
  return value * one === nanos && value <= maxInt && value >= -maxInt - 1n ? value : undefined
}

const nanosOf = (operand: QuantityValue | bigint) => (typeof operand === 'bigint' ? operand * one : nanoValue(operand.quantity))

function combine(sign: 1n | -1n) {
  return ({ quantity }: QuantityValue, other: QuantityValue | bigint) =>
    new QuantityValue({ mantissa: nanoValue(quantity) + sign * nanosOf(other), exponent: -9, format: quantity.format })
}

const compare = (a: QuantityValue, b: QuantityValue) => compareQuantity(a.quantity, b.quantity)
const approximate = ({ quantity: { mantissa, exponent } }: QuantityValue) => Number(`${mantissa}e${exponent}`)
const sign = (q: QuantityValue) => {
  const nanos = nanoValue(q.quantity)
  return nanos > 0n ? 1n : nanos < 0n ? -1n : 0n
}

const parses = { types, cost: traversal(0) }
const reads = { types, cost: constant(1) }

export const quantities: Library = {
  functions: {
    quantity: [overload('string_to_quantity', 'string -> Quantity', quantity, parses)],
    isQuantity: [
      overload('is_quantity_string', 'string -> bool', (text: string) => !(quantity(text) instanceof CelError), parses)
    ],
    // as it is declared, although one would expect a method
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
