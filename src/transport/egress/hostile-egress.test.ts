import assert from 'node:assert/strict'
import { test } from 'node:test'
import { egressKinds, HostileEgress } from './testing/hostile-egress.js'

// `npm run hostile -- outgoing` tries many more
const seeds = 80

for (const kind of egressKinds)
  test(`whatever a proxy answers by ${kind}, there is a connection with its bytes, or an error`, async t => {
    const egress = await HostileEgress.start(kind)
    t.after(() => egress.close())
    for (let seed = 1; seed <= seeds; seed++) {
      const problem = await egress.problem(seed)
      if (problem) assert.fail(problem)
    }
  })
