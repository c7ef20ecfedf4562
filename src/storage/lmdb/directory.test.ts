import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { open } from 'lmdb'
import { freshDirectory } from '../testing/fresh-directory.js'
import { encodeEntry, encodePosition, encodeRecord, nowhere } from './codec.js'
import { openLmdbStore } from './store.js'

const refused = (directory: string, message: string) =>
  assert.rejects(openLmdbStore({ directory }), { name: 'StoreUnavailableError', message })

const lmdb = (directory: string) =>
  open({ path: directory, noSubdir: false, overlappingSync: false, encoding: 'binary', keyEncoding: 'binary' })

const table = (name: string) => ({ name, encoding: 'binary', keyEncoding: 'binary' }) as const

async function putFormat(directory: string, format: number) {
  const root = lmdb(directory)
  await root.openDB(table('meta')).put(Buffer.from('format'), Buffer.from([0, 0, 0, 0, 0, format]))
  await root.close()
}

test('the directory is created, for its owner only', async t => {
  const directory = join(await freshDirectory(t), 'a', 'b')
  const store = await openLmdbStore({ directory })
  t.after(() => store.close())
  assert.equal(statSync(directory).mode & 0o777, 0o700)
  for (const name of readdirSync(directory)) assert.equal(statSync(join(directory, name)).mode & 0o077, 0, name)
})

test('a directory in use is refused', async t => {
  const directory = await freshDirectory(t, () => store.close())
  const store = await openLmdbStore({ directory })
  await refused(directory, `${directory} is in use by process ${process.pid}: stop it first, or use another folder`)
  await store.health()
})

test('a directory with foreign files is refused and left unchanged', async t => {
  const directory = await freshDirectory(t)
  writeFileSync(join(directory, 'photo.jpg'), '')
  await refused(directory, `${directory} is not a Binnacle data directory`)
  assert.deepEqual(readdirSync(directory), ['photo.jpg'])
})

test('a data file that is not LMDB, or is a foreign LMDB database, is refused', async t => {
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

test('an empty data file, left by a process that was killed at its start, is used', async t => {
  const directory = await freshDirectory(t, () => store.close())
  writeFileSync(join(directory, 'data.mdb'), '')
  const store = await openLmdbStore({ directory })
})

test('a database of a newer format is refused', async t => {
  const directory = await freshDirectory(t)
  await (await openLmdbStore({ directory })).close()
  await putFormat(directory, 9)
  await refused(directory, `${directory} was written by a newer Binnacle (format 9; this one knows 2)`)
})

const value = Buffer.from(JSON.stringify({ kind: 'Pod', readinessProbe: { failureThreshold: 3 } }).repeat(100))

test('values are compressed', async t => {
  const directory = await freshDirectory(t)
  const store = await openLmdbStore({ directory })
  await store.commit([{ key: '/pod', value }])
  await store.close()
  const root = lmdb(directory)
  const [stored] = [...root.openDB(table('log')).getRange()]
  assert.ok((stored!.value as Buffer).length < value.length / 2)
  await root.close()
})

test('a database of the previous format, without compression, is read and written', async t => {
  const directory = await freshDirectory(t)
  await (await openLmdbStore({ directory })).close()
  const root = lmdb(directory)
  const entry = { deleted: false, createRevision: 2, version: 1, revision: 2, sub: 0 }
  const key = Buffer.from('/old')
  await root.openDB(table('log')).put(encodePosition(entry), encodeRecord(entry, nowhere, key, value))
  await root.openDB(table('index')).put(key, encodeEntry(entry))
  await root.close()
  await putFormat(directory, 1)
  for (const revision of [3, 4]) {
    const store = await openLmdbStore({ directory })
    assert.deepEqual((await store.get('/old'))?.value, value)
    assert.deepEqual(await store.commit([{ key: '/new', value }]), { ok: true, revision })
    await store.close()
  }
})

test('a path that cannot be a directory is reported in one line', async t => {
  const directory = await freshDirectory(t)
  writeFileSync(join(directory, 'file'), '')
  await refused(join(directory, 'file'), `cannot use ${join(directory, 'file')}: it is not a directory`)
  await refused(
    join(directory, 'file', 'below'),
    `cannot use ${join(directory, 'file', 'below')}: a part of the path is not a directory`
  )
})
