import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { missedTimes, NoTimesError, timesOf } from './times.js'
import { WallClock } from './wall-clock.js'

const at = (text: string) => Date.parse(text)
/** The first times after one. */
function times(schedule: string, after: string, count = 3): string[] {
  const next = timesOf(schedule)
  const found: string[] = []
  for (let time = next(at(after)); time !== undefined && found.length < count; time = next(time))
    found.push(new Date(time).toISOString().slice(0, 16))
  return found
}

describe('the times of a schedule', () => {
  test('are those of its fields', () => {
    assert.deepEqual(times('*/20 * * * *', '2026-01-01T00:00:00Z'), ['2026-01-01T00:20', '2026-01-01T00:40', '2026-01-01T01:00'])
    assert.deepEqual(times('30 6-16/4 * * 1-5', '2026-01-02T14:30:00Z'), [
      '2026-01-05T06:30',
      '2026-01-05T10:30',
      '2026-01-05T14:30'
    ])
    assert.deepEqual(times('0 0 29 feb ?', '2026-01-01T00:00:00Z', 1), ['2028-02-29T00:00'])
    assert.deepEqual(times('@monthly', '2026-01-31T12:00:00Z', 2), ['2026-02-01T00:00', '2026-03-01T00:00'])
    assert.deepEqual(times('59 23 31 2 *', '2026-01-01T00:00:00Z'), [])
  })

  test('take days of the month and of the week together only where one of them is any', () => {
    assert.deepEqual(times('0 0 13 * 5', '2026-02-01T00:00:00Z'), ['2026-02-06T00:00', '2026-02-13T00:00', '2026-02-20T00:00'])
    assert.deepEqual(times('0 0 * * 5', '2026-02-01T00:00:00Z', 2), ['2026-02-06T00:00', '2026-02-13T00:00'])
    assert.deepEqual(times('0 0 */2 * 5', '2026-02-01T00:00:00Z', 2), ['2026-02-03T00:00', '2026-02-05T00:00'])
  })

  test('are counted from the last one where they are intervals', () => {
    assert.deepEqual(times('@every 90m', '2026-01-01T00:10:00Z', 2), ['2026-01-01T01:40', '2026-01-01T03:10'])
    assert.equal(timesOf('@every 10ms')(1234), 2000)
  })

  test('follow the clocks of their time zone', () => {
    assert.deepEqual(times('TZ=Asia/Tokyo 0 9 * * *', '2026-01-01T00:00:00Z', 2), ['2026-01-02T00:00', '2026-01-03T00:00'])
    // clocks are set forward on March 29, back on October 25
    assert.deepEqual(times('TZ=Europe/Berlin 30 2 * * *', '2026-03-28T00:00:00Z', 2), ['2026-03-28T01:30', '2026-03-30T00:30'])
    const twice = ['2026-10-25T00:30', '2026-10-25T01:30', '2026-10-26T01:30']
    assert.deepEqual(times('CRON_TZ=Europe/Berlin 30 2 * * *', '2026-10-24T12:00:00Z'), twice)
    assert.equal(new WallClock('Asia/Kolkata').format(at('2026-01-01T00:00:00Z')), '2026-01-01T05:30:00+05:30')
    assert.equal(new WallClock('America/New_York').format(at('2026-01-01T00:00:00Z')), '2025-12-31T19:00:00-05:00')
    assert.equal(new WallClock('Etc/UTC').format(at('2026-01-01T00:00:00Z')), '2026-01-01T00:00:00Z')
  })

  test('go on where clocks skip midnight, also at the beginning of a month', () => {
    assert.deepEqual(times('TZ=America/Sao_Paulo 0 1 4 11 *', '2018-11-01T00:00:00Z', 1), ['2018-11-04T03:00'])
    assert.equal(times('TZ=America/Asuncion 0 5 * 10 *', '2017-09-15T00:00:00Z', 1).length, 1)
  })

  test('are missed a few or many', () => {
    const next = timesOf('* * * * *')
    const start = at('2026-01-01T00:00:30Z')
    const missed = (minutes: number) => missedTimes(next, start, start + minutes * 60_000)
    assert.deepEqual(missed(0.2), { last: undefined, count: 'none', earliest: start })
    assert.deepEqual(missed(1), { last: at('2026-01-01T00:01:00Z'), count: 'none', earliest: start })
    assert.deepEqual(missed(10), { last: at('2026-01-01T00:10:00Z'), count: 'few', earliest: start })
    assert.equal(missed(100).count, 'few')
    assert.deepEqual(missed(101), { last: at('2026-01-01T01:41:00Z'), count: 'many', earliest: start })
    assert.throws(() => missedTimes(timesOf('59 23 31 2 *'), start, start), NoTimesError)
  })
})
