/** When a CronJob is to start its Jobs. Times are in milliseconds since 1970. */
import { type CronField, type CronSchedule, parseSchedule } from '../../../kinds/batch/cron-schedule.js'
import { WallClock, type WallTime } from './wall-clock.js'

const hourMs = 3_600_000
const minuteMs = 60_000

/** A schedule that finds no time within so many years has none. */
const yearsAhead = 5

/** Returns the first time after another; undefined for none. */
export type NextTime = (after: number) => number | undefined

export function timesOf(text: string): NextTime {
  const { zone, when } = parseSchedule(text)
  if (typeof when === 'number') return after => Math.floor(after / 1000) * 1000 + when
  const clock = new WallClock(zone)
  return after => nextTime(clock, when, after)
}

function nextTime(clock: WallClock, fields: Exclude<CronSchedule['when'], number>, after: number): number | undefined {
  const [minutes, hours, days, months, weekdays] = fields as [CronField, CronField, CronField, CronField, CronField]
  const isDay = ({ day, weekday }: WallTime) => {
    const matches = [days.values.has(day), weekdays.values.has(weekday)]
    return days.isAny || weekdays.isAny ? matches.every(Boolean) : matches.some(Boolean)
  }
  // a minute begins at second 0
  let time = Math.floor(after / minuteMs) * minuteMs + minuteMs
  const lastYear = clock.read(time).year + yearsAhead
  for (;;) {
    const wall = clock.read(time)
    const { year, month, day, hour, minute } = wall
    if (year > lastYear) return undefined
    if (!months.values.has(month)) time = startOfDay(clock, year, month + 1, 1)
    else if (!isDay(wall)) time = startOfDay(clock, year, month, day + 1)
    // hours are counted as they pass: clocks that are set back show one twice
    else if (!hours.values.has(hour)) time += hourMs - minute * minuteMs
    else if (!minutes.values.has(minute)) time += minuteMs
    else return time
  }
}

/** Where clocks skip midnight, the first time that they show on the day. */
function startOfDay(clock: WallClock, year: number, month: number, day: number): number {
  const time = clock.time(year, month, day)
  const { hour } = clock.read(time)
  return hour > 12 ? time + (24 - hour) * hourMs : time
}

export interface MissedTimes {
  /** The last time that has come since `earliest`. */
  readonly last: number | undefined
  readonly count: 'none' | 'few' | 'many'
  readonly earliest: number
}

export class NoTimesError extends Error {}

/** More missed times than this are worth a warning. */
const many = 100

/** The times between `earliest` and `now`. How many there are is estimated from the first two. */
export function missedTimes(next: NextTime, earliest: number, now: number): MissedTimes {
  const none: MissedTimes = { last: undefined, count: 'none', earliest }
  const first = next(earliest)
  if (first === undefined) throw new NoTimesError('time difference between two schedules is less than 1 second')
  if (now < first) return none
  const second = next(first)
  if (second === undefined) throw new NoTimesError('time difference between two schedules is less than 1 second')
  if (now < second) return { ...none, last: first }
  const interval = Math.round((second - first) / 1000) * 1000
  if (interval < 1000) throw new NoTimesError('time difference between two schedules is less than 1 second')
  const count = Math.floor((now - first) / interval) + 1
  let last: number | undefined
  for (let time = next(first + (count - 2) * interval); time !== undefined && time <= now; time = next(time)) last = time
  return { last, count: count > many ? 'many' : 'few', earliest }
}
