import assert from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '../../testkit/random.js'
import { logProblem } from './testing/hostile-log.js'

// `npm run hostile -- outgoing` tries many more
const seeds = times(1000)

test('whatever clients send is one line of the log, and read again as it was', async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const problem = await logProblem(seed)
    if (problem) assert.fail(problem)
  }
})
