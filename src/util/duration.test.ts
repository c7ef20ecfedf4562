import assert from 'node:assert/strict'
import { test } from 'node:test'
import { humanDuration, untilDurationChanges } from './duration.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const shown: [number, string][] = [
  [-5 * second, '<invalid>'],
  [0, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [5 * minute + 30 * second, '5m30s'],
  [10 * minute + 59 * second, '10m'],
  [3 * hour, '3h'],
  [7 * hour + 10 * minute, '7h10m'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [3 * day + 4 * hour, '3d4h'],
  [8 * day + hour, '8d'],
  [365 * 2 * day, '2y'],
  [365 * 3 * day + 5 * day, '3y5d'],
  [365 * 9 * day + 5 * day, '9y']
]

for (const [milliseconds, text] of shown)
  test(`${milliseconds} ms is shown as ${text}`, () => assert.equal(humanDuration(milliseconds), text))

test('a displayed age changes exactly when predicted', () => {
  for (let age = 0; age < 400 * day; age = Math.floor(age * 1.31) + 17) {
    const steady = untilDurationChanges(age)
    assert.ok(steady > 0)
    assert.equal(humanDuration(age + steady - 1), humanDuration(age), `at ${age}`)
  }
})
