import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDirectory } from '../testing/fresh-directory.js'
import { put, remove } from '../testing/helpers.js'
import { checkStore } from './check.js'
import { Database } from './database.js'
import { openLmdbStore } from './store.js'

const open = (directory: string) => openLmdbStore({ directory, compactionInterval: 0 })

async function damaged(directory: string, damage: (database: Database) => void): Promise<readonly string[]> {
  const database = await Database.open(directory)
  await database.write(() => damage(database))
  await database.close()
  return (await checkStore(directory)).problems
}

test('a store of any history is sound, compacted or not', async t => {
  const directory = await freshDirectory(t)
  const store = await open(directory)
  for (let i = 0; i < 20; i++) await put(store, `/a${i % 3}`, String(i))
  await remove(store, '/a0')
  const middle = await put(store, '/a0', 'again')
  await remove(store, '/a0')
  await put(store, '/a0', 'and again')
  await put(store, `/${'long'.repeat(600)}`, 'x')
  await store.close()
  assert.deepEqual(await checkStore(directory), { keys: 4, writes: 25, revision: 26, problems: [] })
  for (const revision of [middle - 1, middle, middle + 1, middle + 2]) {
    const again = await open(directory)
    await again.compact(revision)
    await again.close()
    assert.deepEqual((await checkStore(directory)).problems, [], `compacted at ${revision}`)
  }
})

test('a write that is missing from the log is found, by its key and by the write that follows it', async t => {
  const directory = await freshDirectory(t)
  const store = await open(directory)
  const one = await put(store, '/a', '1')
  const two = await put(store, '/a', '2')
  const three = await put(store, '/b', '1')
  await store.close()
  assert.deepEqual(await damaged(directory, database => database.removeRecord({ revision: one, sub: 0 })), [
    `/a at ${two}/0: the write before it, ${one}/0, is not in the log`
  ])
  assert.deepEqual(
    (await damaged(directory, database => database.removeRecord({ revision: three, sub: 0 })))[0],
    `/b: its newest write, ${three}/0, is not in the log`
  )
})

test('a key that is missing from the index is found', async t => {
  const directory = await freshDirectory(t)
  const store = await open(directory)
  const one = await put(store, '/a', '1')
  await store.close()
  assert.deepEqual(await damaged(directory, database => database.removeEntry('/a')), [
    `/a at ${one}/0: the key is not in the index`
  ])
})

test('values that were forgotten beyond the compaction are no damage', async t => {
  const directory = await freshDirectory(t)
  const store = await open(directory)
  for (const text of ['1', '2', '3']) await put(store, '/a/x', text)
  const last = await remove(store, '/a/x')
  await store.forget!('/a/', last + 1, value => value.toString() !== '2')
  await store.close()
  assert.deepEqual((await checkStore(directory)).problems, [])
})
