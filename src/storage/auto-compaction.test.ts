import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeClock } from '../testkit/fake-clock.js'
import { nextTurn } from '../util/turns.js'
import { CompactedError } from './contract.js'
import { openMemoryStore } from './memory/store.js'
import { put } from './testing/helpers.js'

test('history is compacted once it is one interval old', async t => {
  const clock = new FakeClock()
  const store = openMemoryStore({ compactionInterval: 1000, clock })
  t.after(() => store.close())
  const interval = async () => {
    clock.advance(1000)
    await nextTurn()
  }
  const first = await put(store, '/a', 'one')
  await interval()
  const second = await put(store, '/a', 'two')
  assert.equal((await store.get('/a', { revision: first }))?.value.toString(), 'one')
  await interval()
  assert.equal((await store.get('/a', { revision: first }))?.value.toString(), 'one')
  await interval()
  await assert.rejects(store.get('/a', { revision: first }), CompactedError)
  assert.equal((await store.get('/a', { revision: second }))?.value.toString(), 'two')
})

test('an interval of 0 keeps all history, and a closed store stops compacting', async t => {
  const clock = new FakeClock()
  const store = openMemoryStore({ compactionInterval: 0, clock })
  t.after(() => store.close())
  const first = await put(store, '/a', 'one')
  await put(store, '/a', 'two')
  clock.advance(10 * 60_000)
  await nextTurn()
  assert.ok(await store.get('/a', { revision: first }))
  const other = openMemoryStore({ clock })
  await other.close()
  clock.advance(10 * 60_000)
  await nextTurn()
})
