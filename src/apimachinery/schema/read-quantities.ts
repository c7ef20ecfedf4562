/**
 * Quantities as Go has read them. One that it holds as a big decimal rounds in another way than its canonical text does, which Go reads again only from
 * the store. The lists of a request that hold such quantities are kept beside them.
 */
import { formatQuantity, parseQuantity, type Quantity, roundedUp } from '../../util/quantity.js'
import { quantityText } from './scalars.js'

type Quantities = Readonly<Record<string, string>>

const big = new WeakMap<object, Map<string, Quantity>>()

/** Keeps in mind that `list` got the quantity `name` as `given`. `rounded`: to thousandths. */
export function noteRead(list: object, name: string, given: unknown, rounded: boolean): void {
  const read = parseQuantity(quantityText(given))
  if (!read.isBig) return
  let noted = big.get(list)
  if (!noted) big.set(list, (noted = new Map()))
  noted.set(name, rounded ? roundedUp(read, -3) : read)
}

/** Returns a quantity of a list as Go has it. */
export function quantityIn(list: Quantities, name: string): Quantity {
  const text = list[name]!
  const noted = big.get(list)?.get(name)
  return noted !== undefined && formatQuantity(noted) === text ? noted : parseQuantity(text)
}
