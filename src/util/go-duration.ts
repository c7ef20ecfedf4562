import { goQuote } from './go-format.js'

const units: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 }
const maxNanoseconds = 2 ** 63

/** Parses a duration such as "1h30m" or "-5ns" into milliseconds, or returns the error text of Go's time package. */
export function readDuration(text: string): number | string {
  const invalid = `time: invalid duration ${goQuote(text)}`
  let rest = text.replace(/^[+-]/, '')
  if (rest === '0') return 0
  if (rest === '') return invalid
  let sum = 0
  while (rest !== '') {
    const number = /^(?:\d+(?:\.\d*)?|\.\d+)/.exec(rest)?.[0]
    if (number === undefined) return invalid
    rest = rest.slice(number.length)
    const unit = /^[^.\d]*/.exec(rest)![0]
    if (unit === '') return `time: missing unit in duration ${goQuote(text)}`
    if (!Object.hasOwn(units, unit)) return `time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`
    sum += Number(number) * units[unit]!
    if (sum >= maxNanoseconds) return invalid
    rest = rest.slice(unit.length)
  }
  return (text.startsWith('-') ? -sum : sum) / 1e6
}

/** Formats milliseconds as Go's time package does: "1h0m0s", "1.5s", "20ms". */
export function formatDuration(milliseconds: number): string {
  const sign = milliseconds < 0 ? '-' : ''
  const nanoseconds = Math.round(Math.abs(milliseconds) * 1e6)
  if (nanoseconds === 0) return '0s'
  const unit = (['ns', 'µs', 'ms'] as const).find(name => nanoseconds < units[name]! * 1000)
  if (unit) return `${sign}${nanoseconds / units[unit]!}${unit}`
  const hours = Math.floor(nanoseconds / units.h!)
  const minutes = Math.floor((nanoseconds % units.h!) / units.m!)
  const seconds = `${(nanoseconds % units.m!) / units.s!}s`
  return `${sign}${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds}`
}
