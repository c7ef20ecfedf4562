/** Writes a number as Go's Prometheus library does: rules of dashboards compare `le="1e+06"` as text. */
export function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value)
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  const [mantissa, power] = value.toExponential().split('e')
  const exponent = Number(power)
  // between these bounds String(value) has no exponent either
  if (exponent >= -4 && exponent < 6) return String(value)
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Reads a number that `goNumber` has written. */
export const fromGoNumber = (text: string): number =>
  text === '+Inf' ? Number.POSITIVE_INFINITY : text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text)
