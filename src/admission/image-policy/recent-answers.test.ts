import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentAnswers } from './recent-answers.js'

const clock = { at: 0, now: () => clock.at, setTimeout: () => ({ cancel() {} }) }
const yes = { allowed: true }

test('an answer is known for its time', () => {
  const answers = new RecentAnswers(clock)
  answers.set('q', yes, 1000)
  clock.at += 999
  assert.equal(answers.get('q'), yes)
  assert.equal(answers.get('other'), undefined)
  clock.at += 1
  assert.equal(answers.get('q'), undefined)
  answers.set('never', yes, 0)
  assert.equal(answers.get('never'), undefined)
})

test('long answers are not kept, and of others the 1024 that were used last', () => {
  const answers = new RecentAnswers(clock)
  const long = (length: number) => ({ allowed: true, reason: 'x'.repeat(length - JSON.stringify({ ...yes, reason: '' }).length) })
  answers.set('fits', long(16_384), 1000)
  answers.set('long', long(16_385), 1000)
  assert.deepEqual([answers.get('fits') !== undefined, answers.get('long')], [true, undefined])
  for (let i = 0; i < 1023; i++) answers.set(`q${i}`, yes, 1000)
  assert.ok(answers.get('fits'))
  // a known answer takes no room of another
  answers.set('q1022', yes, 1000)
  assert.equal(answers.get('q0'), yes)
  answers.set('one more', yes, 1000)
  assert.deepEqual(
    ['q1', 'q2', 'q0', 'fits', 'one more'].map(question => answers.get(question) !== undefined),
    [false, true, true, true, true]
  )
})
