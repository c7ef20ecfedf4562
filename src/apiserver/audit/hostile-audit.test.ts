import assert from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '../../testkit/random.js'
import { HostileAudit } from './testing/hostile-audit.js'

// `npm run hostile -- outgoing` tries many more
const seeds = times(200)

for (const format of ['json', 'legacy'] as const)
  test(`an event is one line of the audit log, whatever clients send: ${format}`, async t => {
    const audit = await HostileAudit.start(format)
    t.after(() => audit.close())
    for (let seed = 1; seed <= seeds; seed++) {
      const problem = await audit.problem(seed)
      if (problem) assert.fail(problem)
    }
  })
