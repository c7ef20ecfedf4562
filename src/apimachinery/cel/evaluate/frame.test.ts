import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CostLimitExceeded } from '../values/steps.js'
import { Frame } from './frame.js'

test('an evaluation may cost up to its limit, and no more', () => {
  const frame = new Frame(() => undefined, 10)
  frame.charge(4)
  frame.charge(6)
  assert.equal(frame.cost, 10)
  assert.throws(() => frame.charge(1), new CostLimitExceeded())
})
