let lastSecond = Number.NaN
let lastText = ''

/** Formats a metav1.Time: RFC 3339 in UTC, to the second. Most calls are for the present second. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000)
  if (second !== lastSecond) {
    lastText = `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
    lastSecond = second
  }
  return lastText
}

/** Formats a time to the second as Go does, whose years may have more than four digits, as in 10000-01-01T00:59:59. */
export function goSeconds(date: Date): string {
  const year = date.getUTCFullYear()
  const text = date.toISOString()
  if (year >= 0 && year <= 9999) return text.slice(0, 19)
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}${text.slice(7, 22)}`
}

/** Adds seconds to a time as Go does: in 64 bits of nanoseconds, which wrap around on overflow. */
export function addSeconds(milliseconds: number, seconds: number | bigint): number {
  return milliseconds + Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n)
}

/** Formats a metav1.MicroTime, which has six digits. */
export const microTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('Z', '000Z')
