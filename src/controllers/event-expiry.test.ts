import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createServer } from '../server/server.js'
import { openMemoryStore } from '../storage/memory/store.js'
import { FakeClock } from '../testing/fake-clock.js'
import { silentLogger } from '../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const url = '/api/v1/namespaces/default/events'
const minute = 60_000

const event = (name: string) => ({
  metadata: { name },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
  reason: 'Tested'
})

it('Events expire some time after they were last written', async () => {
  const clock = new FakeClock()
  const server = createServer({ log: silentLogger, controllers: [], clock, eventTtl: 10 * minute })
  await server.start()
  const names = async () => (await server.inject({ url, user })).json().items.map((item: any) => item.metadata.name)
  /** Lets the clock reach the end, step by step, so that each look for expired Events has its turn. */
  const advance = async (milliseconds: number) => {
    for (let at = 0; at < milliseconds; at += minute / 2) {
      clock.advance(minute / 2)
      for (let i = 0; i < 10; i++) await setImmediate()
    }
  }
  try {
    for (const name of ['a', 'b']) assert.equal((await server.inject({ url, user, body: event(name) })).status, 201)
    await advance(6 * minute)
    const headers = { 'content-type': 'application/merge-patch+json' }
    await server.inject({ method: 'PATCH', url: `${url}/a`, user, headers, body: { count: 2 } })
    await server.inject({ url, user, body: event('c') })
    await advance(3 * minute)
    assert.deepEqual(await names(), ['a', 'b', 'c'])
    await advance(3 * minute)
    assert.deepEqual(await names(), ['a', 'c'])
    await advance(6 * minute)
    assert.deepEqual(await names(), [])
  } finally {
    await server.stop()
  }
})

it('Events of before the start expire, too', async () => {
  const clock = new FakeClock()
  const store = openMemoryStore()
  const close = store.close.bind(store)
  // the store outlives the first server
  store.close = async () => {}
  const first = createServer({ log: silentLogger, controllers: [], clock, store })
  await first.start()
  await first.inject({ url, user, body: event('old') })
  await first.stop()
  clock.advance(59 * minute)
  const second = createServer({ log: silentLogger, controllers: [], clock, store })
  await second.start()
  try {
    const status = async () => (await second.inject({ url: `${url}/old`, user })).status
    assert.equal(await status(), 200)
    for (let i = 0; i < 3; i++) {
      clock.advance(minute)
      for (let j = 0; j < 10; j++) await setImmediate()
    }
    assert.equal(await status(), 404)
  } finally {
    await second.stop()
    await close()
  }
})
