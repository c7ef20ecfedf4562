import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { runForgetContract, runImageContract, runStoreContract } from '../testing/contract-suite.js'
import { openMemoryStore } from './store.js'

const open = async (t: TestContext) => {
  const store = openMemoryStore({ compactionInterval: 0 })
  t.after(() => store.close())
  return store
}

runStoreContract('memory', open)
runImageContract('memory', open)
runForgetContract('memory', open)

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
