import assert from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '../../testkit/random.js'
import { backEnds, HostileProxy } from './testing/hostile-proxy.js'

// `npm run hostile -- outgoing` tries many more
const seeds = times(60)

for (const backEnd of backEnds)
  test(`a proxy to a ${backEnd} sends one strict request without credentials, and takes any answer`, async t => {
    const proxy = await HostileProxy.start(backEnd)
    t.after(() => proxy.close())
    for (let seed = 1; seed <= seeds; seed++) {
      const problem = await proxy.problem(seed)
      if (problem) assert.fail(problem)
    }
  })
