import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createServer } from '../server/server.js'
import { StoreUnavailableError } from '../storage/contract.js'
import { openMemoryStore } from '../storage/memory/store.js'
import { FakeClock } from '../testkit/fake-clock.js'
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

it('one sweep deletes many Events, and tries again when the store fails', async () => {
  const clock = new FakeClock()
  const store = openMemoryStore()
  const commit = store.commit.bind(store)
  let deletions = 0
  let atOnce = 0
  let failing = true
  store.commit = async (writes, caller) => {
    if (!writes.some(({ key, value }) => key.includes('/events/') && value === undefined)) return commit(writes, caller)
    atOnce = Math.max(atOnce, ++deletions)
    await setImmediate()
    deletions--
    if (failing) throw new StoreUnavailableError('the disk is full')
    return commit(writes, caller)
  }
  const lines: string[] = []
  const log = { ...silentLogger, error: (line: string) => void lines.push(line) }
  const server = createServer({ log, controllers: [], clock, eventTtl: 10 * minute, store })
  await server.start()
  const count = async () => (await server.inject({ url, user })).json().items.length
  try {
    for (let i = 0; i < 120; i++) await server.inject({ url, user, body: event(`e${i}`) })
    for (let i = 0; i < 100 && lines.length === 0; i++) {
      clock.advance(minute)
      for (let turn = 0; turn < 10; turn++) await setImmediate()
    }
    assert.match(String(lines[0]), /^expiry of Events: the disk is full/)
    assert.equal(await count(), 120)
    failing = false
    for (let i = 0; i < 100 && (await count()) > 0; i++) {
      clock.advance(minute)
      for (let turn = 0; turn < 10; turn++) await setImmediate()
    }
    assert.equal(await count(), 0)
    assert.ok(atOnce > 10, 'each deletion waits for the disk, so that one after the other would not keep up')
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
