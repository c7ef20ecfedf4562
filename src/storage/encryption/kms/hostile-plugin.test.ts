import assert from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '../../../testkit/random.js'
import { HostilePlugin } from '../testing/hostile-plugin.js'

// `npm run hostile -- outgoing` tries many more
const seeds = times(12)

test('whatever a KMS plugin answers, values stay what they were or cannot be read', async t => {
  const plugin = await HostilePlugin.start()
  t.after(() => plugin.close())
  for (let seed = 1; seed <= seeds; seed++) {
    const problem = await plugin.problem(seed)
    if (problem) assert.fail(problem)
  }
})
