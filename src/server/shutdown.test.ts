/** What clients see of a server that stops. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Drain } from '../apiserver/chain/drain.js'
import { createHandler } from '../apiserver/chain/handler.js'
import { inject } from '../apiserver/chain/inject.js'
import { requestInfoStage } from '../apiserver/chain/request-info.js'
import { FakeClock } from '../testkit/fake-clock.js'
import type { ServerOptions } from './options.js'
import { shutdownParts } from './shutdown.js'

const turn = () => new Promise(setImmediate)

function stoppable(options: ServerOptions) {
  const drain = new Drain()
  const clock = new FakeClock()
  const waiting: (() => void)[] = []
  const endpoint = {
    name: 'endpoint',
    why: '',
    handle: () => new Promise<any>(resolve => void waiting.push(() => resolve({ status: 200, headers: {} })))
  }
  const handler = createHandler([requestInfoStage, drain.stage, endpoint], { now: () => 0, uuid: () => 'id' })
  const stopping = new AbortController()
  const parts = shutdownParts({ options, clock, drain, leaving: new AbortController(), stopping })
  const stop = async () => {
    for (const part of parts.toReversed()) await part.stop!()
  }
  const ask = (url: string, headers = {}) => inject(handler, { url, headers })
  return { ask, waiting, stop, clock, stopping }
}

it('a server that stops sends new requests away until those under way have ended', async () => {
  const { ask, waiting, stop } = stoppable({ shutdownSendRetryAfter: true })
  const before = ask('/api/v1/nodes')
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await turn()
  const refused = await ask('/api/v1/nodes')
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '5')
  assert.equal(refused.headers.connection, 'close')
  assert.equal(refused.body.toString(), 'The apiserver is shutting down, please try again later.\n')
  const exempt = [ask('/readyz'), ask('/api', { 'user-agent': 'kube-apiserver/v1.36' })]
  await turn()
  assert.equal(waiting.length, 3)
  assert.equal(stopped, false)
  for (const answer of waiting) answer()
  assert.deepEqual(
    (await Promise.all([before, ...exempt])).map(({ status }) => status),
    [200, 200, 200]
  )
  await stopping
})

it('a server that stops gives its watches some time', async () => {
  const { ask, waiting, stop, stopping } = stoppable({ shutdownWatchTerminationGracePeriod: 10_000 })
  const watch = ask('/api/v1/nodes?watch=1')
  await turn()
  let stopped = false
  const done = stop().then(() => {
    stopped = true
  })
  await turn()
  assert.ok((stopping.signal.reason as { spreadMs: number }).spreadMs > 0)
  assert.equal(stopped, false)
  waiting[0]!()
  await watch
  await done
  const late = stoppable({ shutdownWatchTerminationGracePeriod: 10_000 })
  void late.ask('/api/v1/nodes?watch=1')
  const stoppingLate = late.stop()
  await turn()
  late.clock.advance(10_000)
  await stoppingLate
})
