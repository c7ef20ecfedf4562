let lastSecond = Number.NaN
let lastText = ''

/** metav1.Time's text: RFC 3339 in UTC, to the second. Mostly it is asked for the present one. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000)
  if (second !== lastSecond) {
    lastText = `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
    lastSecond = second
  }
  return lastText
}

/**
 * So many milliseconds after a time, as Go adds a duration of seconds: in 64 bits of nanoseconds, beyond which it starts again
 * from the other end.
 */
export function addSeconds(milliseconds: number, seconds: number | bigint): number {
  return milliseconds + Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n)
}
