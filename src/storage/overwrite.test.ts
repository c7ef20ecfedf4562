import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore } from './memory/store.js'
import { overwrite } from './overwrite.js'

test('a key is written and deleted whatever it holds, also where another writer comes first', async t => {
  const store = openMemoryStore()
  t.after(() => store.close())
  const value = (text: string) => Buffer.from(text)
  assert.equal(await overwrite(store, { key: '/a', value: undefined }), false)
  assert.equal(await overwrite(store, { key: '/a', value: value('1') }), true)
  const { get } = store
  let others = 3
  store.get = async (key, options) => {
    const found = await get.call(store, key, options)
    if (others-- > 0) await store.commit([{ key, value: value(`other ${others}`) }])
    return found
  }
  assert.equal(await overwrite(store, { key: '/a', value: value('2') }), true)
  assert.equal(String((await store.get('/a'))?.value), '2')
  assert.equal(others < 0, true)
  assert.equal(await overwrite(store, { key: '/a', value: undefined }), true)
  assert.equal(await store.get('/a'), undefined)
  others = Number.POSITIVE_INFINITY
  await assert.rejects(overwrite(store, { key: '/a', value: value('3') }), /all the time/)
})
