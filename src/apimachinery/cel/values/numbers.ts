/** Formats doubles as Go does. */

/** %g: the shortest text, with an exponent below 1e-4 and from 1e6 on. */
export function formatDouble(value: number): string {
  const special = specialDouble(value)
  if (special !== undefined) return special
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return Object.is(value, -0) ? '-0' : String(value)
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

function specialDouble(value: number): string | undefined {
  if (Number.isFinite(value)) return undefined
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/** %f: correctly rounded, halves to even. */
export function formatFixed(value: number, precision: number): string {
  const magnitude = Math.abs(value)
  const { mantissa, power } = exact(magnitude)
  const scaled = mantissa * 10n ** BigInt(precision)
  const rounded = power >= 0 ? scaled << BigInt(power) : divideToEven(scaled, 1n << BigInt(-power))
  const digits = String(rounded).padStart(precision + 1, '0')
  const text = precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`
  return value < 0 || Object.is(value, -0) ? `-${text}` : text
}

/** value = mantissa * 2^power */
function exact(value: number): { mantissa: bigint; power: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const exponent = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  return exponent === 0 ? { mantissa: fraction, power: -1074 } : { mantissa: fraction | (1n << 52n), power: exponent - 1075 }
}

function divideToEven(a: bigint, b: bigint): bigint {
  const quotient = a / b
  const twice = 2n * (a % b)
  return twice > b || (twice === b && quotient % 2n === 1n) ? quotient + 1n : quotient
}

/** Returns the shortest text without an exponent. */
export function formatPlain(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e')
  if (exponent === undefined) return mantissa
  const sign = value < 0 ? '-' : ''
  const digits = mantissa.replace(/[-.]/g, '')
  const power = Number(exponent)
  return power < 0 ? `${sign}0.${'0'.repeat(-power - 1)}${digits}` : sign + digits.padEnd(power + 1, '0')
}
