/** Numbers as Go holds and converts them: a JSON integer that fits is an int64; all others are float64. */

const int64Limit = 2 ** 63

/** A number beyond 2^53 was not an int64 in the document; otherwise it would be a bigint. */
export const isInt64 = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isSafeInteger(value)

/** Whether the digits of the number are an int64. Go writes the smallest one as -9223372036854776000, which is none. */
export const fitsInt64 = (value: number | bigint): boolean =>
  typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < int64Limit)

/** The conversion int64(f): rounds towards zero; a value that does not fit becomes the smallest int64. */
export const toInt64 = (value: number): number => (Math.abs(value) < int64Limit ? Math.trunc(value) : -int64Limit)

/** Whether go-openapi accepts a float64 as an integer: it tolerates a relative error of 1e-9. */
export function isFloatInteger(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false
  const whole = Math.round(value)
  return value === whole || Math.abs(value - whole) < 1e-9 * Math.abs(whole)
}
