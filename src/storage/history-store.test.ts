/** What a store that remembers keeps, on the engines whose log is ours. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { FakeClock } from '../testkit/fake-clock.js'
import { CompactedError, type Store } from './contract.js'
import { type HistoryOptions, HistoryStore } from './history-store.js'
import { openLmdbStore } from './lmdb/store.js'
import { openMemoryStore } from './memory/store.js'

const hour = 3_600_000
const key = '/registry/configmaps/default/web'
const value = (text: string) => Buffer.from(text)

for (const engine of ['memory', 'lmdb'])
  describe(`history over ${engine}`, () => {
    const within = async (
      use: (
        reopen: (age?: number, bytes?: number, confidential?: HistoryOptions['confidential']) => Promise<HistoryStore>,
        clock: FakeClock
      ) => Promise<void>
    ) => {
      const directory = mkdtempSync(join(tmpdir(), 'binnacle-history-store-'))
      const clock = new FakeClock()
      const opened: Store[] = []
      const open = async (age = 24 * hour, bytes = 2 ** 30, confidential?: HistoryOptions['confidential']) => {
        const options = { clock, compactionInterval: 0 }
        const below = engine === 'lmdb' ? await openLmdbStore({ directory, ...options }) : openMemoryStore(options)
        const store = await HistoryStore.open(below, { window: { age, bytes }, clock, confidential })
        opened.push(store)
        return store
      }
      try {
        await use(open, clock)
      } finally {
        for (const store of opened) await store.close()
        rmSync(directory, { recursive: true })
      }
    }
    const put = async (store: Store, text: string, user = 'alice') => {
      const result = await store.commit([{ key, value: value(text) }], { user: { name: user } })
      assert.ok(result.ok)
      return result.revision
    }

    test('every revision has its time and user, over many pages', () =>
      within(async (open, clock) => {
        const store = await open()
        const written: [number, number][] = []
        for (let i = 0; i < 600; i++) {
          clock.advance(1000)
          written.push([await put(store, String(i), `user-${i}`), clock.now()])
        }
        for (const i of [0, 1, 254, 255, 256, 257, 511, 512, 599]) {
          const [revision, time] = written[i]!
          assert.deepEqual(await store.writtenAt(revision), { revision, time, user: `user-${i}` })
          assert.equal(await store.revisionAt(time), revision)
          assert.equal(await store.revisionAt(time + 999), revision)
          assert.equal((await store.get(key, { revision }))?.value.toString(), String(i))
        }
        await assert.rejects(store.revisionAt(written[0]![1] - 1), CompactedError)
      }))

    test('a commit that is refused leaves no trace', () =>
      within(async open => {
        const store = await open()
        const revision = await put(store, '1')
        assert.equal((await store.commit([{ key, value: value('2'), expected: 0 }])).ok, false)
        assert.equal(store.seenRevision, revision)
        assert.equal((await store.writtenAt(revision))?.user, 'alice')
      }))

    test('the oldest is forgotten when there are too many bytes', () =>
      within(async open => {
        const bytes = 64 * 1024
        const store = await open(24 * hour, bytes)
        const first = await put(store, 'first')
        for (let i = 0; i < 100; i++) await put(store, 'x'.repeat(2000))
        await store.trim()
        assert.ok(store.bytes <= bytes, `${store.bytes}`)
        assert.ok(store.bytes > bytes / 2, `${store.bytes}`)
        await assert.rejects(store.get(key, { revision: first }), CompactedError)
        const { revision } = store.since!
        assert.equal((await store.get(key, { revision }))?.value.length, 2000)
      }))

    test('the oldest is forgotten when it is too old, and the state at the edge of the window stays', () =>
      within(async (open, clock) => {
        const store = await open(16 * hour)
        const first = await put(store, 'first')
        clock.advance(hour)
        const second = await put(store, 'second')
        clock.advance(16 * hour)
        await store.trim()
        await assert.rejects(store.get(key, { revision: first }), CompactedError)
        assert.ok((await store.revisionAt(clock.now() - 16 * hour)) >= second)
        assert.equal((await store.get(key, { revision: second }))?.value.toString(), 'second')
      }))

    test('what is confidential is kept for five minutes, unless it is encrypted', () =>
      within(async (open, clock) => {
        const confidential = { prefix: '/registry/secrets/', isEncrypted: (value: Buffer) => value.includes('sealed') }
        const store = await open(undefined, undefined, confidential)
        const secret = '/registry/secrets/default/web'
        const commit = async (key: string, text: string | undefined) => {
          const result = await store.commit([{ key, value: text === undefined ? undefined : value(text) }])
          assert.ok(result.ok)
          return result.revision
        }
        const map = await commit(key, 'one')
        const sealed = await commit(`${secret}-2`, 'sealed')
        const plain = await commit(secret, 'plain')
        const gone = await commit(secret, undefined)
        await commit(`${secret}-2`, 'sealed, too')
        await commit(key, 'two')
        clock.advance(299_999)
        await store.trim()
        assert.equal(String((await store.get(secret, { revision: plain }))?.value), 'plain')
        clock.advance(1)
        await store.trim()
        for (const revision of [sealed, plain]) await assert.rejects(store.get(secret, { revision }), CompactedError)
        assert.equal((await store.list('/registry/secrets/', { revision: gone })).count, 1)
        assert.equal(String((await store.get(key, { revision: map }))?.value), 'one')
        await store.close()
        if (engine !== 'lmdb') return
        const again = await open(undefined, undefined, confidential)
        await assert.rejects(again.get(secret, { revision: plain }), CompactedError)
        assert.equal(String((await again.get(key, { revision: map }))?.value), 'one')
      }))

    if (engine === 'lmdb')
      test('it goes on after a restart', () =>
        within(async (open, clock) => {
          const store = await open()
          const first = await put(store, '1', 'alice')
          const time = clock.now()
          const { bytes } = store
          await store.close()
          clock.advance(hour)
          const again = await open()
          assert.equal(again.bytes, bytes)
          const second = await put(again, '2', 'bob')
          assert.equal((await again.writtenAt(first))?.user, 'alice')
          assert.equal((await again.writtenAt(second))?.user, 'bob')
          assert.equal(await again.revisionAt(time), first)
        }))
  })
