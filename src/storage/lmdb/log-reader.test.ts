import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sliceBytes } from '../../util/turns.js'
import { CompactedError } from '../contract.js'
import { Floors } from '../floors.js'
import { freshDirectory } from '../testing/fresh-directory.js'
import { brief, put, remove, text, write } from '../testing/helpers.js'
import type { LogRecord } from './codec.js'
import { LogReader } from './log-reader.js'
import { openLmdbStore } from './store.js'

/** A reader of a log with these writes: each has the revision and the size of its value. */
function readerOf(...writes: readonly (readonly [revision: number, bytes: number])[]) {
  const records = writes.map(([revision, bytes], i) => ({ revision, sub: i, key: `/${i}`, value: Buffer.alloc(bytes) }))
  const database = {
    floors: new Floors(),
    records: (from: number, to: number) => records.filter(({ revision }) => revision >= from && revision < to)
  }
  const eventOf = ({ key, revision, value }: LogRecord) => ({ key, revision, current: { value } })
  return new LogReader({ database, readable: () => 1, eventOf } as never)
}

test('history comes in pieces, and the events of one commit in one of them', t => {
  t.mock.method(performance, 'now', () => 0)
  const half = sliceBytes / 2 + 1
  const reader = readerOf([5, half], [5, half], [5, half], [6, half], [6, 1], [7, 1])
  const piece = (from: number) => {
    const { events, through } = reader.events('', from, 7)
    return { keys: events.map(({ key }) => key), through }
  }
  assert.deepEqual(piece(5), { keys: ['/0', '/1', '/2'], through: 5 })
  assert.deepEqual(piece(6), { keys: ['/3', '/4', '/5'], through: 7 })
})

test('a list that others overtake is one of its revision, or begins again', async t => {
  const directory = await freshDirectory(t, async () => store?.close())
  const store = await openLmdbStore({ directory, compactionInterval: 0 })
  const keys = Array.from({ length: 3000 }, (_, i) => `/${String(i).padStart(4, '0')}`)
  const revision = await write(store, ...keys.map(key => ({ key, value: text('one') })))
  // every slice ends after one entry
  let now = 0
  t.mock.method(performance, 'now', () => (now += 1000))
  const asked = store.list('/', { revision })
  const newest = store.list('/')
  const overtaken = assert.rejects(asked, CompactedError)
  const [last] = await Promise.all([put(store, '/0010', 'two'), remove(store, '/0020'), put(store, '/2990', 'two')])
  await store.compact(last + 2)
  await overtaken
  const listed = await newest
  assert.equal(listed.revision, last + 2)
  assert.equal(listed.items.length, keys.length - 1)
  assert.ok(brief(listed.items).includes('/0010=two'))
})

test('a value is that of its own revision', async t => {
  const directory = await freshDirectory(t, async () => store?.close())
  const store = await openLmdbStore({ directory, compactionInterval: 0 })
  const together = await write(store, ...['/a', '/b'].map(key => ({ key, value: text(`${key} one`) })))
  const { read } = store.values!
  assert.equal(read('/b', together).toString(), '/b one')
  const later = await put(store, '/b', 'two')
  assert.equal(Buffer.from(read('/b', later)).toString(), 'two')
  assert.equal(Buffer.from(read('/b', together)).toString(), '/b one')
  assert.throws(() => read('/b', later + 1), /no value of \/b at revision/)
  const deleted = await remove(store, '/b')
  assert.throws(() => read('/b', deleted), /no value/)
})
