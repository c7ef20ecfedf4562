/** The time on the clocks of a time zone. */

export interface WallTime {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  /** From Sunday, which is 0. */
  readonly weekday: number
  readonly hour: number
  readonly minute: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** There are as many as time zones. */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    const numeric = 'numeric'
    const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', calendar: 'gregory', ...fields })
    formats.set(zone, format)
  }
  return format
}

export class WallClock {
  readonly #zone: string | undefined

  /** Undefined, the empty name and `Local` are UTC: a control plane's clocks show nothing else. */
  constructor(zone: string | undefined) {
    this.#zone = zone === undefined || zone === '' || zone === 'Local' || zone === 'UTC' ? undefined : zone
  }

  /** Milliseconds by which the clocks are ahead of UTC at a time. */
  offsetAt(time: number): number {
    if (this.#zone === undefined) return 0
    const second = Math.floor(time / 1000) * 1000
    const parts = formatOf(this.#zone).formatToParts(second)
    const part = (type: string) => Number(parts.find(one => one.type === type)?.value)
    const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
    return wall - second
  }

  read(time: number): WallTime {
    const date = new Date(time + this.offsetAt(time))
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      weekday: date.getUTCDay(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes()
    }
  }

  /** When the clocks show this; a day or month beyond the last counts on. Of a time that they skip, one beside it. */
  time(year: number, month: number, day: number, hour = 0): number {
    const wall = Date.UTC(year, month - 1, day, hour)
    return wall - this.offsetAt(wall - this.offsetAt(wall))
  }

  /** In RFC 3339, with the offset. */
  format(time: number): string {
    const offset = this.offsetAt(time) / 60_000
    const text = new Date(time + offset * 60_000).toISOString().slice(0, 19)
    if (offset === 0) return `${text}Z`
    const two = (value: number) => String(Math.trunc(value)).padStart(2, '0')
    return `${text}${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`
  }
}
