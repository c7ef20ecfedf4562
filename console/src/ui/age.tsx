import { signal } from '@preact/signals'

/** The time of the browser, in milliseconds, once a second. */
export const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1000)

/** Words a duration as kubectl does: two units where the first is small. */
export function shortDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return join(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return join(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 8) return join(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  return join(Math.floor(days / 365), 'y', days % 365, 'd')
}

const join = (first: number, unit: string, second: number, smaller: string) =>
  `${first}${unit}${second ? `${second}${smaller}` : ''}`

/** How long ago something was; `since` in milliseconds since 1970, or as RFC 3339. */
export function Age({ since }: { since: number | string | undefined }) {
  const time = typeof since === 'string' ? Date.parse(since) : since
  if (!time) return <span class="quiet">–</span>
  return <time dateTime={new Date(time).toISOString()}>{shortDuration(now.value - time)}</time>
}
