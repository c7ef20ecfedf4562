import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { FakeClock } from '../../testkit/fake-clock.js'
import { CompactedError } from '../contract.js'
import { runForgetContract, runImageContract, runStoreContract, runVersionsContract } from '../testing/contract-suite.js'
import { openMemoryStore } from './store.js'

const open = async (t: TestContext) => {
  const store = openMemoryStore({ compactionInterval: 0 })
  t.after(() => store.close())
  return store
}

runStoreContract('memory', open)
runImageContract('memory', open)
runForgetContract('memory', open)
runVersionsContract('memory', open)

test('a memory store hands out its values, as they were at a revision', async t => {
  const store = await open(t)
  const { scan, read } = store.values!
  const put = (value: string) => store.commit([{ key: '/a', value: Buffer.from(value) }])
  const first = await put('one')
  const second = await put('two')
  assert.ok(first.ok && second.ok)
  assert.equal(read('/a', first.revision).toString(), 'one')
  assert.equal(read('/a', second.revision).toString(), 'two')
  const seen: string[] = []
  await scan('/', first.revision, ({ value }) => seen.push(value.toString()))
  assert.deepEqual(seen, ['one'])
  await store.compact(second.revision)
  assert.throws(() => read('/a', first.revision), /no value of \/a/)
  await assert.rejects(
    scan('/', first.revision, () => {}),
    /compacted/
  )
})

test('a memory store keeps no more memory than its values', async t => {
  const store = await open(t)
  await store.commit([{ key: '/a', value: Buffer.from('short') }])
  const value = store.values!.read('/a', store.seenRevision)
  assert.equal(value.buffer.byteLength, value.length)
})

test('a memory store forgets early what takes much memory, but nothing young', async t => {
  const clock = new FakeClock()
  const store = openMemoryStore({ clock })
  t.after(() => store.close())
  const value = Buffer.alloc(1024 * 1024)
  const put = async () => {
    const result = await store.commit([{ key: '/a', value }])
    assert.ok(result.ok)
    return result.revision
  }
  const first = await put()
  for (let i = 0; i < 100; i++) await put()
  await clock.advance(14_999)
  const young = await put()
  assert.ok(await store.get('/a', { revision: first }))
  await clock.advance(1)
  await put()
  await clock.advance(15_000)
  const last = await put()
  await assert.rejects(store.get('/a', { revision: first }), CompactedError)
  assert.ok(await store.get('/a', { revision: young + 1 }))
  assert.ok(await store.get('/a', { revision: last }))

  const small = openMemoryStore({ clock })
  t.after(() => small.close())
  const one = await small.commit([{ key: '/a', value: Buffer.from('one') }])
  assert.ok(one.ok)
  await small.commit([{ key: '/a', value: Buffer.from('two') }])
  await clock.advance(200_000)
  await small.commit([{ key: '/a', value: Buffer.from('three') }])
  assert.equal(String((await small.get('/a', { revision: one.revision }))?.value), 'one')
})
