/** Strings in characters, as CEL counts them, and the text of times. */
import { formatPlain } from './numbers.js'
import { CelError, Duration, Timestamp } from './value.js'

/**
 * The longest text that functions make, which costs alone would not bound. A longer text could not be read within the cost limit.
 */
export const longestText = 2 ** 24
export const textTooLong = new CelError('string is too long')

/** Counts code points, not UTF-16 units. */
export function characters(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < text.length) {
      count--
      i++
    }
  }
  return count
}

/** Returns where a character begins in UTF-16 units; the length of the text for those behind its end. */
export function unitAt(text: string, character: number): number {
  let unit = 0
  for (let i = 0; i < character && unit < text.length; i++) unit += text.codePointAt(unit)! > 0xffff ? 2 : 1
  return unit
}

const units: Record<string, bigint> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n
}

const maxDuration = 2n ** 63n - 1n

/** More digits exceed every duration, unless they are zeros. */
const longestWhole = 1000

/** Does what Go's time.ParseDuration does: "1h30m", "-1.5s". */
export function parseDuration(text: string): Duration | undefined {
  const sign = /^[-+]/.exec(text)?.[0] ?? ''
  const rest = text.slice(sign.length)
  if (rest === '0') return new Duration(0n)
  if (rest === '' || !/^((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined
  let nanos = 0n
  for (const [, whole = '', fraction = '', unit] of rest.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = units[unit!]!
    nanos += BigInt(whole.slice(0, longestWhole) || '0') * scale
    // digits finer than a nanosecond are truncated
    if (fraction !== '') nanos += (BigInt(fraction.slice(0, 18)) * scale) / 10n ** BigInt(Math.min(18, fraction.length))
    if (nanos > maxDuration + (sign === '-' ? 1n : 0n)) return undefined
  }
  return new Duration(sign === '-' ? -nanos : nanos)
}

/** Formats a duration as string(duration) does, by way of a double: "5400s", "1.5s". */
export function formatDuration({ nanos }: Duration): string {
  return `${formatPlain(Number(nanos / 1_000_000_000n) + Number(nanos % 1_000_000_000n) / 1e9)}s`
}

const minTimestamp = -62_135_596_800_000_000_000n
const maxTimestamp = 253_402_300_799_999_999_999n

export function timestampOf(nanos: bigint, offset = 0): Timestamp | CelError {
  return nanos < minTimestamp || nanos > maxTimestamp ? new CelError('timestamp overflow') : new Timestamp(nanos, offset)
}

/** Does what Go's time.Parse(RFC3339) does. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[-+]\d\d:\d\d)$/.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', zone] = match as unknown as string[]
  const millis = utcMillis(Number(year), Number(month), Number(day))
  if (millis === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offset = zoneSeconds(zone!)
  if (offset === undefined) return undefined
  const seconds = BigInt(millis / 1000) + BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset)
  return new Timestamp(seconds * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0')), offset)
}

/** Parses "2006-01-02", at midnight. */
export function parseDate(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  const millis = match ? utcMillis(Number(match[1]), Number(match[2]), Number(match[3])) : undefined
  return millis === undefined ? undefined : new Timestamp(BigInt(millis) * 1_000_000n)
}

function utcMillis(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

function zoneSeconds(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4, 6))
  if (hours > 24 || minutes > 60) return undefined
  return (hours * 3600 + minutes * 60) * (zone[0] === '-' ? -1 : 1)
}

/** Formats as RFC 3339 with as many digits as needed. */
export function formatTimestamp({ nanos, offset }: Timestamp): string {
  const fraction = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const date = new Date(Number((nanos - fraction) / 1_000_000n) + offset * 1000)
  const year = date.getUTCFullYear().toString().padStart(4, '0')
  const rest = /-\d\d-\d\dT.{8}/.exec(date.toISOString())![0]
  const digits = fraction === 0n ? '' : `.${fraction.toString().padStart(9, '0').replace(/0+$/, '')}`
  return `${year}${rest}${digits}${zoneText(offset)}`
}

function zoneText(offset: number): string {
  if (offset === 0) return 'Z'
  const minutes = Math.trunc(Math.abs(offset) / 60)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`
}
