/**
 * Quantities as Go has read them: how they round and overflow depends on the text that the client wrote. Go reads the canonical text again only from the
 * store. The lists of a request that hold quantities in other words are kept here.
 */
import { formatQuantity, parseQuantity, type Quantity, roundedUp } from '../../util/quantity.js'
import { quantityText } from './scalars.js'

type Quantities = Readonly<Record<string, string>>

const respelled = new WeakMap<object, Map<string, Quantity>>()

/** Keeps in mind that `list` got the quantity `name` as `given`, which became `decoded`, and returns whether there is need to. `rounded`: to thousandths. */
export function noteRead(list: object, name: string, given: unknown, decoded: unknown, rounded: boolean): boolean {
  const text = quantityText(given)
  const read = parseQuantity(text)
  if (text === decoded && !read.isBig) return false
  let noted = respelled.get(list)
  if (!noted) respelled.set(list, (noted = new Map()))
  noted.set(name, rounded ? roundedUp(read, -3) : read)
  return true
}

/** Keeps in mind of a copy what is known of its original. */
export function copyRead(original: object, copy: object): void {
  const noted = respelled.get(original)
  if (noted) respelled.set(copy, noted)
}

/** Returns a quantity of a list as Go has it. */
export function quantityIn(list: Quantities, name: string): Quantity {
  const text = list[name]!
  const noted = respelled.get(list)?.get(name)
  return noted !== undefined && formatQuantity(noted) === text ? noted : parseQuantity(text)
}
