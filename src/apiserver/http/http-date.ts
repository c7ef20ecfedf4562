let now: string | undefined

/** The time for a Date header (RFC 9110, section 5.6.7). Written once a second. */
export function httpDate(): string {
  if (now === undefined) {
    const time = new Date()
    now = time.toUTCString()
    setTimeout(() => (now = undefined), 1000 - time.getMilliseconds()).unref()
  }
  return now
}
