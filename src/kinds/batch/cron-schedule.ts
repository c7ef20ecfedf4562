/** Parses cron schedules as Kubernetes' parser (robfig/cron) does: to report errors, and for the controller that follows them. */
import { readDuration } from '../../util/go-duration.js'
import { goQuote } from '../../util/go-format.js'
import { timeZoneProblem } from './time-zones.js'

/** The values of a field that match. */
export interface CronField {
  readonly values: ReadonlySet<number>
  /** Whether it says `*`. Of days of the month and of the week both have to match where one of them is any; otherwise one of them. */
  readonly isAny: boolean
}

export interface CronSchedule {
  /** The time zone that the text names itself. */
  readonly zone: string | undefined
  /** Minutes, hours, days of the month, months and days of the week; or the milliseconds between two times. */
  readonly when: readonly CronField[] | number
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const fields: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days }
]
const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *']
])
const every = '@every '
const duration = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/

/** Each field has hardly more than sixty values. */
const maxCharacters = 16 * 1024

export class ScheduleError extends Error {}

/** Returns the error in a schedule, or undefined. */
export function scheduleError(schedule: string): string | undefined {
  try {
    parseSchedule(schedule)
    return undefined
  } catch (error) {
    if (error instanceof ScheduleError) return error.message
    throw error
  }
}

/** Throws a ScheduleError for what is no schedule. */
export function parseSchedule(schedule: string): CronSchedule {
  let text = schedule
  let zone: string | undefined
  if (/^(?:CRON_)?TZ=/.test(text)) {
    const space = text.indexOf(' ')
    // kube-apiserver shows how its parser has failed
    if (space < 0) throw new ScheduleError('invalid schedule format: runtime error: slice bounds out of range [:-1]')
    zone = text.slice(text.indexOf('=') + 1, space)
    const problem = timeZoneProblem(zone)
    if (problem) throw new ScheduleError(`provided bad location ${zone}: ${problem}`)
    text = text.slice(space).trim()
  }
  if (text === '') throw new ScheduleError('empty spec string')
  if (text.length > maxCharacters) throw new ScheduleError(`a schedule must have at most ${maxCharacters} characters`)
  if (text.startsWith('@')) return { zone, when: described(text) }
  return { zone, when: fieldsOf(text) }
}

function fieldsOf(text: string): CronField[] {
  const parts = text.split(/\s+/).filter(Boolean)
  if (parts.length !== fields.length)
    throw new ScheduleError(`expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`)
  return parts.map((part, i) => {
    const values = new Set<number>()
    let isAny = false
    for (const range of part.split(',')) if (range !== '') isAny = readRange(range, fields[i]!, values) || isAny
    return { values, isAny }
  })
}

function described(text: string): CronField[] | number {
  const fields = descriptors.get(text)
  if (fields !== undefined) return fieldsOf(fields)
  if (!text.startsWith(every)) throw new ScheduleError(`unrecognized descriptor: ${text}`)
  const value = text.slice(every.length)
  if (!duration.test(value)) throw new ScheduleError(`failed to parse duration ${text}: time: invalid duration ${goQuote(value)}`)
  const milliseconds = readDuration(value)
  // whole seconds, at least one
  return Math.max(1000, Math.floor((typeof milliseconds === 'number' ? milliseconds : 0) / 1000) * 1000)
}

/** Adds the values of a range. Returns whether it is any value. */
function readRange(range: string, { min, max, names }: Bounds, values: Set<number>): boolean {
  const [limits = '', step, ...moreSteps] = range.split('/')
  const [low = '', high, ...moreLimits] = limits.split('-')
  const any = low === '*' || low === '?'
  const start = any ? min : number(low, names)
  if (!any && moreLimits.length > 0) throw new ScheduleError(`too many hyphens: ${range}`)
  let end = any ? max : high === undefined ? start : number(high, names)
  if (moreSteps.length > 0) throw new ScheduleError(`too many slashes: ${range}`)
  const stride = step === undefined ? 1 : number(step, [])
  // "5/15" means "5-max/15"
  if (step !== undefined && high === undefined) end = max
  if (start < min) throw new ScheduleError(`beginning of range (${start}) below minimum (${min}): ${range}`)
  if (end > max) throw new ScheduleError(`end of range (${end}) above maximum (${max}): ${range}`)
  if (start > end) throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${range}`)
  if (stride === 0) throw new ScheduleError(`step of range should be a positive number: ${range}`)
  for (let value = start; value <= end; value += stride) values.add(value)
  return any && stride === 1
}

function number(text: string, names: readonly string[]): number {
  const index = names.indexOf(text.toLowerCase())
  if (index >= 0) return names === months ? index + 1 : index
  const value = Number(text)
  const problem = !/^[-+]?\d+$/.test(text) ? 'invalid syntax' : Math.abs(value) >= 2 ** 63 ? 'value out of range' : undefined
  if (problem) throw new ScheduleError(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${problem}`)
  if (value < 0) throw new ScheduleError(`negative number (${value}) not allowed: ${text}`)
  return value
}
