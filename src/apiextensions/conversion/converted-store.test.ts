/** A store that converts values: all events up to its seenRevision have been delivered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore } from '../../storage/memory/store.js'
import { put, record, seeded } from '../../storage/testing/helpers.js'
import { WatchCache } from '../../storage/watch-cache.js'
import { ConvertedStore } from './converted-store.js'

/** Takes several turns of the event loop, like a webhook. */
function open() {
  const random = seeded(1)
  const convert = async (values: readonly Buffer[]) => {
    for (let turns = random(4); turns > 0; turns--) await new Promise(setImmediate)
    return values.map(value => Buffer.from(value))
  }
  const behind = openMemoryStore()
  return { behind, store: new ConvertedStore(behind, { isCurrent: () => true, read: convert, write: convert }) }
}

test('seenRevision never decreases, and watchers have all events up to it', async () => {
  const { behind, store } = open()
  await put(behind, '/x/a', '0')
  const live = await record(store, '/x/', 1)
  await live.have(1)
  let seen = 0
  const look = () => {
    assert.ok(store.seenRevision >= seen, `${store.seenRevision} after ${seen}`)
    seen = store.seenRevision
    for (const revision of [2, 3, 4].map(n => seen - n).filter(n => n > 1 && written.has(n)))
      assert.ok(live.calls.flat().includes(revision), `${revision} is said to have been seen`)
  }
  const written = new Set<number>()
  for (let i = 0; i < 200; i++) {
    // sometimes no batch waits
    if (i % 3 === 0) await store.currentRevision()
    look()
    const [mine, other] = [put(behind, '/x/a', String(i)), put(behind, '/y/a', String(i))]
    written.add(await mine)
    await other
    look()
    // the history for another watcher must not count as new events
    const past = await record(store, '/x/', 1)
    await new Promise(setImmediate)
    look()
    past.close()
    if (i % 4 === 0) await store.currentRevision()
    look()
  }
})

test('a watch cache on the store is ready when it shows everything up to seenRevision', async () => {
  const { behind, store } = open()
  const codec = {
    read: (bytes: Buffer) => ({ bytes, object: { metadata: {} } }),
    splice: (bytes: Buffer) => bytes,
    parse: () => ({}),
    fields: () => undefined,
    fieldsIn: () => undefined
  }
  for (let round = 0; round < 50; round++) {
    const last = await put(behind, '/x/a', String(round))
    const cache = new WatchCache(store, '/x/', codec, () => 0)
    const loading = cache.load()
    const during = await put(behind, '/x/b', String(round))
    await loading
    assert.ok(cache.get('a')!.revision >= last)
    if (cache.revision >= during) assert.equal(cache.get('b')?.revision, during)
    cache.close()
  }
})
