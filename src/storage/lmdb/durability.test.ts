import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CompactedError, type KeyValue, StoreUnavailableError } from '../contract.js'
import { freshDirectory } from '../testing/fresh-directory.js'
import { brief, line, put, record, remove, text } from '../testing/helpers.js'
import { openLmdbStore } from './store.js'

const reopen = (directory: string) => openLmdbStore({ directory, compactionInterval: 0 })

test('a reopened store has its state, history, revision and compaction', async t => {
  const directory = await freshDirectory(t)
  let store = await reopen(directory)
  const one = await put(store, '/a', 'one')
  const two = await put(store, '/a', 'two')
  await put(store, '/b', 'x')
  const gone = await remove(store, '/b')
  await store.compact(two)
  await store.close()
  store = await reopen(directory)
  t.after(() => store.close())
  assert.equal(store.currentRevision(), gone)
  assert.deepEqual(brief((await store.list('/')).items), ['/a=two'])
  assert.deepEqual(brief((await store.list('/', { revision: gone - 1 })).items), ['/a=two', '/b=x'])
  await assert.rejects(store.get('/a', { revision: one }), CompactedError)
  const watch = await record(store, '/', two + 1)
  assert.deepEqual((await watch.have(2)).map(line), [`${gone - 1} /b=x`, `${gone} /b=gone (x)`])
  assert.equal(await put(store, '/c', 'next'), gone + 1)
})

test('an empty store can be closed and opened again', async t => {
  const directory = await freshDirectory(t)
  for (let round = 0; round < 3; round++) {
    const store = await reopen(directory)
    assert.deepEqual(await store.list('/'), { items: [], revision: 1, more: false, count: 0 })
    await store.close()
  }
})

test('no reader sees a write before it is durable', async t => {
  const store = await openLmdbStore({ directory: await freshDirectory(t, () => store.close()) })
  const before = await store.currentRevision()
  const writing = store.commit([{ key: '/a', value: text('one') }])
  assert.equal(store.currentRevision(), before)
  assert.equal(await store.get('/a'), undefined)
  assert.equal((await store.list('/')).count, 0)
  assert.ok((await writing).ok)
  assert.equal(store.currentRevision(), before + 1)
})

test('later writes reuse the space that compaction frees', async t => {
  const directory = await freshDirectory(t, () => store.close())
  const store = await reopen(directory)
  const value = Buffer.alloc(3400)
  const size = () => statSync(join(directory, 'data.mdb')).size
  const write = async () => {
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 50 }, (_, at) => store.commit([{ key: `/${at}`, value }])))
    await store.compact(await store.currentRevision())
  }
  await write()
  await write()
  const settled = size()
  for (let more = 0; more < 4; more++) await write()
  assert.ok(size() < settled * 1.5, `${settled} bytes became ${size()}`)
})

test('a killed process loses no acknowledged write and leaves no half commit', async t => {
  const directory = await freshDirectory(t)
  const script = fileURLToPath(new URL('../testing/crash-writer.js', import.meta.url))
  const acknowledged = new Map<string, { step: number; revision: number }>()
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, [script, directory, String(round)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', chunk => {
      if (output === '') setTimeout(() => child.kill('SIGKILL'), Math.random() * 150)
      output += chunk
    })
    await once(child, 'close')
    assert.equal(child.signalCode, 'SIGKILL')
    for (const [name = '', step, revision] of output
      .split('\n')
      .slice(0, -1)
      .map(one => one.split(' '))) {
      acknowledged.set(`/${name}/${step}/`, { step: Number(step), revision: Number(revision) })
    }
    const store = await reopen(directory)
    const commits = new Map<string, KeyValue[]>()
    for (const item of (await store.list('/')).items) {
      const prefix = item.key.slice(0, item.key.lastIndexOf('/') + 1)
      commits.set(prefix, [...(commits.get(prefix) ?? []), item])
    }
    const steps = new Map<string, number>()
    for (const [prefix, items] of commits) {
      const [, name = '', step = ''] = prefix.split('/')
      if (step === '') continue
      assert.equal(items.length, 3, `${prefix} is whole`)
      assert.equal(new Set(items.map(item => `${item.modRevision} ${item.value}`)).size, 1)
      steps.set(name, Math.max(steps.get(name) ?? 0, Number(step)))
    }
    for (const [prefix, { revision }] of acknowledged)
      assert.equal(commits.get(prefix)?.[0]?.modRevision, revision, `${prefix} is there`)
    for (const [name, step] of steps) assert.equal((await store.get(`/${name}/last`))?.value.toString(), String(step))
    await store.close()
  }
  assert.ok(acknowledged.size > 0)
})

test('on a full disk commits fail and stay invisible; the store keeps working', {
  skip: process.platform === 'win32'
}, async t => {
  const directory = await freshDirectory(t)
  const code = `
    const { randomBytes } = await import('node:crypto')
    const { openLmdbStore } = await import(${JSON.stringify(new URL('./store.js', import.meta.url).href)})
    const store = await openLmdbStore({ directory: process.argv[1] })
    const value = randomBytes(3400)
    const kept = []
    const errors = new Set()
    await Promise.all(Array.from({ length: 16 }, async (_, writer) => {
      for (let step = 0; step < 40; step++) {
        const key = '/' + writer + '/' + step
        await store.commit([{ key, value, expected: 0 }]).then(() => kept.push(key), error => errors.add(error.name))
      }
    }))
    const listed = (await store.list('/')).items.map(item => item.key)
    await store.commit([{ key: kept[0], value: undefined }])
    await store.commit([{ key: '/small', value: Buffer.from('x') }])
    await store.health()
    await store.close()
    console.log(JSON.stringify({ kept: kept.sort(), listed: listed.sort(), errors: [...errors] }))`
  // To LMDB a limit on the size of files looks like a full disk, and the test needs no disk.
  const command = `ulimit -f 2000 && exec "$0" --input-type=module -e "$1" "$2"`
  const child = spawn('sh', ['-c', command, process.execPath, code, directory], { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  await once(child, 'close')
  const { kept, listed, errors } = JSON.parse(output)
  assert.deepEqual(errors, [StoreUnavailableError.name])
  assert.deepEqual(listed, kept)
  const store = await reopen(directory)
  t.after(() => store.close())
  assert.equal((await store.list('/')).count, kept.length)
})

test('a long list yields the event loop', async t => {
  const store = await openLmdbStore({ directory: await freshDirectory(t, () => store.close()) })
  const value = text('x')
  for (let part = 0; part < 20; part++)
    await store.commit(Array.from({ length: 1000 }, (_, at) => ({ key: `/${part}/${at}`, value })))
  let turns = 0
  const count = (): void => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const { items } = await store.list('/')
  clearImmediate(timer)
  assert.equal(items.length, 20_000)
  assert.ok(turns > 1)
})
