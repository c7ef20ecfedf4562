/** Go's strconv: decides which texts are numbers, and words what is wrong with others. */
import { goQuote } from './go-format.js'

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

/** Returns why strconv.ParseInt(text, 10, 64) fails, or undefined. */
export function parseIntProblem(text: string): string | undefined {
  const why = /^[+-]?\d+$/.test(text) ? (isInt64(text) ? undefined : 'value out of range') : 'invalid syntax'
  return why && `strconv.ParseInt: parsing ${goQuote(text)}: ${why}`
}

function isInt64(digits: string): boolean {
  const [, sign = '', significant = ''] = /^([+-]?)0*(\d*)$/.exec(digits)!
  // BigInt's time grows with the square of the digits
  if (significant.length > 19) return false
  const value = BigInt(`${sign === '-' ? '-' : ''}${significant || '0'}`)
  return value >= minInt64 && value <= maxInt64
}
