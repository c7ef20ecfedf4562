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

/** Adds seconds to a time as Go does: in 64 bits of nanoseconds, which wrap around on overflow. */
export function addSeconds(milliseconds: number, seconds: number | bigint): number {
  return milliseconds + Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n)
}

/** Formats a metav1.MicroTime, which has six digits. */
export const microTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('Z', '000Z')
