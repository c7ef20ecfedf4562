/** Numbers as Go holds and converts them: a JSON integer that fits is an int64; all others are float64. */

const int64Limit = 2 ** 63

/** A number beyond 2^53 was not an int64 in the document; otherwise it would be a bigint. */
export const isInt64 = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isSafeInteger(value)

/** Whether int64(f) is the same number. */
export const fitsInt64 = (value: number | bigint): boolean =>
  typeof value === 'bigint' || (Number.isInteger(value) && value >= -int64Limit && value < int64Limit)

/** The conversion int64(f): rounds towards zero; a value that does not fit becomes the smallest int64. */
export const toInt64 = (value: number): number => (Math.abs(value) < int64Limit ? Math.trunc(value) : -int64Limit)

/** Whether go-openapi accepts a float64 as an integer: it tolerates a relative error of 1e-9 above the integer. */
export function isFloatInteger(value: number): boolean {
  if (value < -(2 ** 53) - 1 || value > 2 ** 53 - 1) return false
  if (Number.isInteger(value)) return true
  const whole = Math.trunc(value)
  return whole > 0 && (value - whole) / (value + whole) < 1e-9
}
