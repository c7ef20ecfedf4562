import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { nextTurn } from '../../util/turns.js'
import type { Store, StoreEvent } from '../contract.js'
import { openLmdbStore } from '../lmdb/store.js'
import { openMemoryStore } from '../memory/store.js'
import { runStoreContract } from '../testing/contract-suite.js'
import { freshDirectory } from '../testing/fresh-directory.js'
import { line, put, record, text } from '../testing/helpers.js'
import { AesGcm } from './aes.js'
import { EncryptedStore } from './encrypted-store.js'
import { type Decrypted, type Place, TransformError, type Transformer } from './transformer.js'

const gcm = new AesGcm(randomBytes(32))

/** Takes another seed for every second value, and fetches each seed in a later turn, as from a KMS plugin. */
class Seeded implements Transformer {
  readonly known = new Set<number>()
  readonly fetched: number[] = []
  #written = 0
  /** Fetches wait for it. */
  gate: Promise<unknown> = Promise.resolve()

  encrypt(value: Buffer, place: Place): Buffer {
    return Buffer.concat([Buffer.from([this.#written++ >> 1]), gcm.encrypt(value, place)])
  }

  prepare(data: Buffer): Promise<void> | undefined {
    const seed = data[0]!
    if (this.known.has(seed)) return undefined
    return this.gate.then(nextTurn).then(() => {
      if (!this.known.has(seed)) this.fetched.push(seed)
      this.known.add(seed)
    })
  }

  decrypt(data: Buffer, place: Place): Decrypted {
    if (!this.known.has(data[0]!)) throw new TransformError('no seed')
    return gcm.decrypt(data.subarray(1), place)
  }
}

const over = (store: Store, transformer: Transformer) => new EncryptedStore(store, () => ({ transformer, resource: 'things' }))

runStoreContract('encrypted in memory', async t => {
  const store = over(openMemoryStore({ compactionInterval: 0 }), gcm)
  t.after(() => store.close())
  return store
})

runStoreContract('encrypted in LMDB', async t => {
  const store = over(await openLmdbStore({ directory: await freshDirectory(t), compactionInterval: 0 }), gcm)
  t.after(() => store.close())
  return store
})

runStoreContract('encrypted with seeds that have to be fetched', async t => {
  const store = over(openMemoryStore({ compactionInterval: 0 }), new Seeded())
  await store.prepareEvents()
  t.after(() => store.close())
  return store
})

/** A store for another process: the attachments of writes do not arrive there. */
function elsewhere(store: Store): Store {
  const bare = (event: StoreEvent): StoreEvent => ({ ...event, previous: event.previous, attachment: undefined })
  return {
    ...store,
    root: store.root,
    shared: true,
    get seenRevision() {
      return store.seenRevision
    },
    currentRevision: () => store.currentRevision(),
    get: (key, options) => store.get(key, options),
    list: (prefix, options) => store.list(prefix, options),
    commit: writes => store.commit(writes),
    watch: (prefix, from, watcher) =>
      store.watch(prefix, from, {
        onEvents: (events, revision) => watcher.onEvents(events.map(bare), revision),
        onCaughtUp: () => watcher.onCaughtUp?.(),
        pace: () => watcher.pace?.(),
        onError: error => watcher.onError(error)
      }),
    compact: revision => store.compact(revision),
    health: () => store.health(),
    close: () => store.close()
  }
}

describe('events that need a seed', () => {
  const open = async () => {
    const inner = openMemoryStore({ compactionInterval: 0 })
    const seeds = new Seeded()
    // writes with the same transformer, as if it were another server
    const writer = over(inner, seeds)
    const store = new EncryptedStore(elsewhere(inner), key =>
      key.startsWith('/x/') ? { transformer: seeds, resource: 'things' } : undefined
    )
    await store.prepareEvents()
    return { inner, seeds, writer, store }
  }

  it('wait, with all events after them, for all watchers, and the seen revision with them', async () => {
    const { inner, seeds, writer, store } = await open()
    let openGate = () => {}
    seeds.gate = new Promise<void>(resolve => {
      openGate = resolve
    })
    const seen: string[] = []
    const note = (name: string) => ({
      onEvents: (events: readonly StoreEvent[], revision: number) => {
        seen.push(...events.map(event => `${name} ${event.key}=${event.current?.value}`))
        assert.ok(store.seenRevision >= revision)
      },
      onError() {}
    })
    const before = store.seenRevision
    await store.watch('/plain/', before + 1, note('plain'))
    await store.watch('/x/', before + 1, note('x'))
    await store.watch('/x/', before + 1, note('y'))
    await inner.commit([{ key: '/plain/a', value: text('0') }])
    assert.deepEqual(seen, ['plain /plain/a=0'])
    assert.equal(store.seenRevision, before + 1)
    await put(writer, '/x/a', '1')
    await inner.commit([{ key: '/plain/b', value: text('2') }])
    await nextTurn()
    assert.deepEqual(seen, ['plain /plain/a=0'])
    assert.equal(store.seenRevision, before + 1)
    const current = store.currentRevision()
    assert.ok(current instanceof Promise)
    const late = await record(store, '/x/', before + 1)
    openGate()
    assert.equal(await current, before + 3)
    assert.equal(store.seenRevision, before + 3)
    assert.deepEqual(seen.slice(1), ['x /x/a=1', 'y /x/a=1', 'plain /plain/b=2'])
    assert.deepEqual((await late.have(1)).map(line), [`${before + 2} /x/a=1`])
    assert.equal(store.currentRevision(), before + 3)
    await store.close()
  })

  it('are given to the writer of this process without a fetch', async () => {
    const inner = openMemoryStore({ compactionInterval: 0 })
    const seeds = new Seeded()
    const store = over(inner, seeds)
    const watch = await record(store, '/x/', store.seenRevision + 1)
    await put(store, '/x/a', '1')
    assert.equal(watch.events[0]!.current!.value.toString(), '1')
    assert.deepEqual(seeds.fetched, [])
    await store.close()
  })

  it('fetch each seed of a list once', async () => {
    const { seeds, writer, store } = await open()
    for (let i = 0; i < 10; i++) await put(writer, `/x/${i}`, String(i))
    assert.equal((await store.list('/x/')).items.map(({ value }) => value).join(), '0,1,2,3,4,5,6,7,8,9')
    assert.deepEqual(
      seeds.fetched.toSorted((a, b) => a - b),
      [0, 1, 2, 3, 4]
    )
    await store.close()
  })
})

describe('a value', () => {
  it('lies below as ciphertext, in the history and the events, too', async () => {
    const inner = openMemoryStore({ compactionInterval: 0 })
    const store = over(inner, gcm)
    const first = await put(store, '/x/a', 'secret one')
    await put(store, '/x/a', 'secret two')
    const items = [await inner.get('/x/a'), await inner.get('/x/a', { revision: first })]
    for (const item of items) assert.ok(!item!.value.includes('secret'))
    const { events } = await record(store, '/x/', first)
    await nextTurn()
    assert.deepEqual(events.map(line), [`${first} /x/a=secret one`, `${first + 1} /x/a=secret two (secret one)`])
    assert.equal((await store.get('/x/a', { revision: first }))!.value.toString(), 'secret one')
    await store.close()
  })

  it('that cannot be decrypted says why, and its key can be overwritten', async () => {
    const inner = openMemoryStore({ compactionInterval: 0 })
    const store = over(inner, gcm)
    await put(inner, '/x/a', 'not encrypted, or so it seems to be')
    const found = await store.get('/x/a')
    assert.equal(found!.unreadable, 'cipher: message authentication failed')
    await put(store, '/x/a', 'better', found!.modRevision)
    assert.equal((await store.get('/x/a'))!.value.toString(), 'better')
    await store.close()
  })
})
