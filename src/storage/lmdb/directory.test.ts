import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { open } from 'lmdb'
import { freshDirectory } from '../testing/fresh-directory.js'
import { openLmdbStore } from './store.js'

const refused = (directory: string, message: string) =>
  assert.rejects(openLmdbStore({ directory }), { name: 'StoreUnavailableError', message })

const lmdb = (directory: string) =>
  open({ path: directory, noSubdir: false, overlappingSync: false, encoding: 'binary', keyEncoding: 'binary' })

test('the directory is made, for its owner only', async t => {
  const directory = join(await freshDirectory(t), 'a', 'b')
  const store = await openLmdbStore({ directory })
  t.after(() => store.close())
  assert.equal(statSync(directory).mode & 0o777, 0o700)
  for (const name of readdirSync(directory)) assert.equal(statSync(join(directory, name)).mode & 0o077, 0, name)
})

test('a directory in use is refused', async t => {
  const directory = await freshDirectory(t, () => store.close())
  const store = await openLmdbStore({ directory })
  await refused(directory, `${directory} is in use by process ${process.pid}`)
  await store.health()
})

test('a directory with other things in it is refused and left alone', async t => {
  const directory = await freshDirectory(t)
  writeFileSync(join(directory, 'photo.jpg'), '')
  await refused(directory, `${directory} is not a Binnacle data directory`)
  assert.deepEqual(readdirSync(directory), ['photo.jpg'])
})

test('a data file that is not LMDB, or is the LMDB of others, is refused', async t => {
  const directory = await freshDirectory(t)
  for (const content of ['x', 'not a database '.repeat(1000)]) {
    writeFileSync(join(directory, 'data.mdb'), content)
    await refused(directory, `${directory} is not a Binnacle data directory`)
  }
  const other = await freshDirectory(t)
  const root = lmdb(other)
  await root.openDB({ name: 'theirs' }).put('a', 'b')
  await root.close()
  await refused(other, `${other} is not a Binnacle data directory`)
})

test('an empty data file, left by a process that was killed at once, is used', async t => {
  const directory = await freshDirectory(t, () => store.close())
  writeFileSync(join(directory, 'data.mdb'), '')
  const store = await openLmdbStore({ directory })
})

test('a database of a newer format is refused', async t => {
  const directory = await freshDirectory(t)
  await (await openLmdbStore({ directory })).close()
  const root = lmdb(directory)
  await root
    .openDB({ name: 'meta', encoding: 'binary', keyEncoding: 'binary' })
    .put(Buffer.from('format'), Buffer.from([0, 0, 0, 0, 0, 9]))
  await root.close()
  await refused(directory, `${directory} was written by a newer Binnacle (format 9; this one knows 1)`)
})

test('what cannot be a directory is said in one line', async t => {
  const directory = await freshDirectory(t)
  writeFileSync(join(directory, 'file'), '')
  await refused(join(directory, 'file'), `cannot use ${join(directory, 'file')}: it is not a directory`)
  await refused(
    join(directory, 'file', 'below'),
    `cannot use ${join(directory, 'file', 'below')}: a part of the path is not a directory`
  )
})
