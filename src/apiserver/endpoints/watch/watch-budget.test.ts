import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StatusError } from '../../../apimachinery/status/status.js'
import { createServer } from '../../../server/server.js'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { silentLogger } from '../../../util/logger.js'
import { WatchBudget } from './watch-budget.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const isRefused = (error: unknown) =>
  error instanceof StatusError && error.code === 429 && error.status.details?.retryAfterSeconds === 5

describe('what watches hold', () => {
  it('is bounded for each user, and for all', () => {
    const budget = new WatchBudget(new Metrics(), { ofUser: 100, ofAll: 250 })
    const ends = [budget.hold('a', 60), budget.hold('a', 40), budget.hold('b', 100)]
    assert.throws(() => budget.hold('a', 1), isRefused)
    assert.throws(() => budget.hold('c', 51), isRefused)
    ends.push(budget.hold('c', 50))
    assert.doesNotThrow(() => budget.hold('a', 0))
    ends[0]!()
    ends[0]!()
    assert.equal(budget.heldBy('a'), 40)
    budget.hold('a', 60)()
    for (const end of ends) end()
    assert.deepEqual(
      ['a', 'b', 'c'].map(user => budget.heldBy(user)),
      [0, 0, 0]
    )
  })

  it('comes back when they end, and ordinary watches are not counted', async () => {
    const clock = new FakeClock()
    const server = createServer({ listen: false, clock, log: silentLogger })
    await server.start()
    const statuses: string[] = []
    /** The status of a refusal; a watch answers at its end. */
    const watch = async (selector: string, user = admin) => {
      const url = `/api/v1/pods?watch=1&timeoutSeconds=60&labelSelector=${encodeURIComponent(selector)}`
      const answer = server.inject({ url, user }).then(({ status, headers }) => {
        statuses.push(`${status} ${headers['retry-after'] ?? ''}`)
      })
      await new Promise(setImmediate)
      return { answer }
    }
    const held = async () => {
      const { body } = await server.inject({ url: '/metrics', user: admin })
      return Number(/^binnacle_watch_request_bytes (\S+)$/m.exec(body.toString())![1])
    }
    const large = `a in (${Array.from({ length: 5000 }, (_, i) => `v${i}`)})`
    const watches = [await watch('a in (b,c)')]
    assert.equal(await held(), 0)
    for (let i = 0; i < 25; i++) watches.push(await watch(large))
    const refused = statuses.length
    assert.ok(refused > 0 && refused < 15, String(refused))
    assert.deepEqual(new Set(statuses), new Set(['429 5']))
    const most = await held()
    assert.ok(most > 25e6 && most <= 32 * 1024 * 1024, String(most))
    watches.push(await watch('a in (b,c)'), await watch(large, { name: 'other', groups: ['system:masters'] }))
    assert.equal(statuses.length, refused)
    assert.ok((await held()) > most)
    await clock.pass(61_000)
    await Promise.all(watches.map(({ answer }) => answer))
    assert.equal(statuses.length, watches.length)
    assert.equal(await held(), 0)
    await server.stop()
  })
})
