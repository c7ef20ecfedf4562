/** Routes for the clock of the server that is asked. */

import type { ControllableClock } from '../../util/controllable-clock.js'
import { readDuration } from '../../util/go-duration.js'
import { wrongField, wrongState } from '../own-paths/errors.js'
import type { Schema } from '../own-paths/own-document.js'
import { json, type Route } from './route.js'

const clockSchema: Schema = {
  title: 'Clock',
  type: 'object',
  required: ['now', 'frozen'],
  properties: {
    now: { type: 'string', format: 'date-time' },
    frozen: { type: 'boolean', description: 'Whether time stands still until it is advanced.' }
  }
}
const freezeRequest: Schema = {
  title: 'FreezeRequest',
  type: 'object',
  additionalProperties: false,
  properties: {
    at: {
      type: 'string',
      format: 'date-time',
      maxLength: 64,
      description: 'The time that the clock then shows; the present one.'
    }
  }
}
const advanceRequest: Schema = {
  title: 'AdvanceRequest',
  type: 'object',
  additionalProperties: false,
  required: ['by'],
  properties: { by: { type: 'string', maxLength: 64, description: 'A duration as Go writes it: 1h30m, 250ms.' } }
}
const answers = { 200: { description: 'The clock as it is now.', schema: clockSchema } }

/** The last time that can be set: years have four digits. */
const latest = Date.UTC(9999, 11, 31)

export function clockRoutes(clock: ControllableClock): Route[] {
  const show = () => json({ now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen })
  /** Makes one advance after the other. */
  let last: Promise<unknown> = Promise.resolve()
  return [
    { method: 'GET', path: '/clock', id: 'readClock', summary: 'Read the clock', answers, handle: show },
    {
      method: 'POST',
      path: '/clock/freeze',
      id: 'freezeClock',
      summary: 'Make time stand still, at a given time or now; nothing falls due by that',
      body: freezeRequest,
      answers,
      handle({ body }) {
        clock.freeze(body.at === undefined ? undefined : timeOf(body.at as string))
        return show()
      }
    },
    {
      method: 'POST',
      path: '/clock/advance',
      id: 'advanceClock',
      summary: 'Move a frozen clock on; all that falls due happens in its order',
      body: advanceRequest,
      answers: { ...answers, 409: { description: 'The clock is not frozen.' } },
      async handle({ body, signal }) {
        const by = durationOf(body.by as string)
        const advance = async () => {
          signal.throwIfAborted()
          if (!clock.isFrozen) throw wrongState('the clock is not frozen: freeze it first')
          if (clock.now() + by > latest) throw wrongField('by', 'leads beyond the year 9999')
          await clock.pass(by, signal)
        }
        const done = last.then(advance)
        last = done.catch(() => {})
        await done
        return show()
      }
    },
    {
      method: 'POST',
      path: '/clock/release',
      id: 'releaseClock',
      summary: "Follow the system's time again",
      answers,
      handle() {
        clock.release()
        return show()
      }
    }
  ]
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

function timeOf(text: string): number {
  const [, year, month, day] = rfc3339.exec(text) ?? []
  const time = Date.parse(text)
  if (year === undefined || Number.isNaN(time) || Number(day) > daysIn(Number(year), Number(month)))
    throw wrongField('at', `must be a time as RFC 3339 writes it, like 2030-01-31T12:00:00Z, not ${JSON.stringify(text)}`)
  if (time < 0 || time > latest) throw wrongField('at', 'must be in the years from 1970 to 9999')
  return time
}

const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

function durationOf(text: string): number {
  const milliseconds = readDuration(text)
  if (typeof milliseconds === 'string') throw wrongField('by', milliseconds)
  if (milliseconds < 0) throw wrongField('by', 'must not be negative')
  return milliseconds
}
