/** The components of timestamps, in UTC or a time zone, and of durations. */
import { goQuote } from '../../../util/go-format.js'
import { type Library, overload } from '../declarations.js'
import { CelError, type Duration, type Timestamp, type Value } from '../values/value.js'

/** Reads a component with the getters for UTC: the date has already been shifted by the zone's offset. */
type Read = (date: Date) => number

function parts(name: string, read: Read) {
  const run = (time: Timestamp, zone = 'UTC'): Value => {
    const local = inZone(time, zone)
    return local instanceof CelError ? local : BigInt(read(local))
  }
  return [
    overload(`timestamp_to_${name}`, 'timestamp.() -> int', run),
    overload(`timestamp_to_${name}_with_tz`, 'timestamp.(string) -> int', run)
  ]
}

function unitsOf(name: string, nanos: bigint, rest?: bigint) {
  return overload(`duration_to_${name}`, 'duration.() -> int', (d: Duration) =>
    rest ? (d.nanos % rest) / nanos : d.nanos / nanos
  )
}

const dayOfYear: Read = d => {
  const year = new Date(d)
  year.setUTCMonth(0, 1)
  return Math.round(
    (Math.floor(d.getTime() / 86_400_000) * 86_400_000 - Math.floor(year.getTime() / 86_400_000) * 86_400_000) / 86_400_000
  )
}

export const times: Library = {
  functions: {
    getFullYear: parts('year', d => d.getUTCFullYear()),
    getMonth: parts('month', d => d.getUTCMonth()),
    getDayOfYear: parts('day_of_year', dayOfYear),
    getDayOfMonth: parts('day_of_month', d => d.getUTCDate() - 1),
    getDate: parts('day_of_month_1_based', d => d.getUTCDate()),
    getDayOfWeek: parts('day_of_week', d => d.getUTCDay()),
    getHours: [...parts('hours', d => d.getUTCHours()), unitsOf('hours', 3_600_000_000_000n)],
    getMinutes: [...parts('minutes', d => d.getUTCMinutes()), unitsOf('minutes', 60_000_000_000n)],
    getSeconds: [...parts('seconds', d => d.getUTCSeconds()), unitsOf('seconds', 1_000_000_000n)],
    getMilliseconds: [...parts('milliseconds', d => d.getUTCMilliseconds()), unitsOf('milliseconds', 1_000_000n)]
  }
}

function inZone({ nanos }: Timestamp, zone: string): Date | CelError {
  const millis = Number(floorDivide(nanos, 1_000_000n))
  const colon = zone.indexOf(':')
  if (colon >= 0) {
    const minutes = offsetMinutes(zone, colon)
    return typeof minutes === 'number' ? new Date(millis + minutes * 60_000) : minutes
  }
  if (zone === '' || zone === 'UTC') return new Date(millis)
  return inNamedZone(millis, zone)
}

function offsetMinutes(zone: string, colon: number): number | CelError {
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)]
  for (const part of [hours, minutes])
    if (!/^[-+]?\d+$/.test(part)) return new CelError(`strconv.Atoi: parsing ${goQuote(part)}: invalid syntax`)
  return zone.startsWith('-') ? Number(hours) * 60 - Number(minutes) : Number(hours) * 60 + Number(minutes)
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function inNamedZone(millis: number, zone: string): Date | CelError {
  try {
    let formatter = formatters.get(zone)
    if (!formatter) {
      formatter = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric'
      })
      if (formatters.size < 600) formatters.set(zone, formatter)
    }
    const part = Object.fromEntries(formatter.formatToParts(millis).map(p => [p.type, p.value]))
    const date = new Date(((millis % 1000) + 1000) % 1000)
    date.setUTCFullYear(Number(part.year), Number(part.month) - 1, Number(part.day))
    date.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second))
    return date
  } catch {
    return new CelError(`unknown time zone ${zone}`)
  }
}

function floorDivide(a: bigint, b: bigint): bigint {
  const q = a / b
  return a < 0n && q * b !== a ? q - 1n : q
}
