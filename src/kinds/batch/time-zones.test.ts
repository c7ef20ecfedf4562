import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone, timeZoneProblem } from './time-zones.js'

test('names of time zones and links are case-sensitive', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'US/Pacific', 'Etc/GMT+5', 'EST', 'Europe/Kyiv'])
    assert.ok(isTimeZone(name), name)
  for (const name of ['europe/berlin', 'utc', 'X/Y', '', 'Europe', '../etc/passwd', '__proto__'])
    assert.ok(!isTimeZone(name), name)
})

test('names that cannot be those of files are refused as such', () => {
  for (const name of ['UTC', 'Europe/Berlin', '', 'Local']) assert.equal(timeZoneProblem(name), undefined)
  assert.equal(timeZoneProblem('X/Y'), 'unknown time zone X/Y')
  for (const name of ['a..b', '../UTC', '/UTC', '\\UTC']) assert.equal(timeZoneProblem(name), 'time: invalid location name')
})
