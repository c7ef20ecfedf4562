import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { StoreUnavailableError } from '../contract.js'
import { runStoreContract } from '../testing/contract-suite.js'
import { freshDirectory } from '../testing/fresh-directory.js'
import { brief, line, put, record, text } from '../testing/helpers.js'
import { type FollowingStore, openFollowingStore } from './following-store.js'

const program = fileURLToPath(new URL('../testing/lmdb-writer.js', import.meta.url))

interface Followed {
  readonly directory: string
  readonly store: FollowingStore
  readonly writer: ChildProcess
  readonly ended: Promise<void>
}

/** Opens a store that another process keeps. */
async function follow(t: TestContext, mapSize?: number): Promise<Followed> {
  const directory = await freshDirectory(t, async () => {
    await store?.close()
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
  })
  const size = mapSize === undefined ? [] : [String(mapSize)]
  const writer = spawn(process.execPath, [program, directory, ...size], { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] })
  let store: FollowingStore | undefined
  await once(writer.stdout!, 'data')
  let isOver: () => void = () => {}
  const ended = new Promise<void>(resolve => {
    isOver = resolve
  })
  store = await openFollowingStore({ directory, pipe: writer.stdio[3] as Duplex, ended: isOver, mapSize })
  return { directory, store, writer, ended }
}

/** A pipe over which nothing is ever told. */
const silent = () => new Duplex({ read() {}, write: (_, __, done) => done() })

runStoreContract('lmdb, in a process beside the one that writes', async t => (await follow(t)).store)

test('a write is seen by a look at the file, before anything has been told', async t => {
  const { directory, store } = await follow(t)
  const other = await openFollowingStore({
    directory,
    pipe: silent(),
    ended() {}
  })
  t.after(() => other.close())
  const watch = await record(other, '/', 1)
  const revision = await put(store, '/a', 'one')
  assert.equal(other.currentRevision(), revision)
  assert.deepEqual((await watch.have(1)).map(line), [`${revision} /a=one`])
  assert.deepEqual(brief((await other.list('/')).items), ['/a=one'])
})

test('watchers that ask for the revision while they are given events are told of what they have been given', async t => {
  const { directory, store } = await follow(t)
  const other = await openFollowingStore({ directory, pipe: silent(), ended() {} })
  t.after(() => other.close())
  const seen: string[] = []
  const asked: [number, number][] = []
  const watching = (name: string) => ({
    onEvents(events: readonly { readonly revision: number }[]) {
      for (const { revision } of events) seen.push(`${name} ${revision - first}`)
      asked.push([other.currentRevision(), events.at(-1)!.revision])
    },
    onError() {}
  })
  const first = other.currentRevision() + 1
  for (const name of ['a', 'b']) await other.watch('/', first, watching(name))
  // more than is followed in one step
  for (let i = 0; i < 3; i++) await store.commit([{ key: `/${i}`, value: randomBytes(400 * 1024) }])
  other.currentRevision()
  assert.deepEqual(
    seen.filter(line => line.startsWith('a')),
    ['a 0', 'a 1', 'a 2']
  )
  assert.deepEqual(
    seen.filter(line => line.startsWith('b')),
    ['b 0', 'b 1', 'b 2']
  )
  assert.ok(asked.length > 2)
  for (const [revision, given] of asked) assert.equal(revision, given)
})

test('a close waits for commits that are under way', async t => {
  const { store } = await follow(t)
  const commit = store.commit([{ key: '/a', value: text('one') }])
  await Promise.all([store.close(), assert.doesNotReject(commit)])
})

test('an attachment comes back only with the value that it was given with', async t => {
  const { store } = await follow(t)
  const attachments: unknown[] = []
  await store.watch('/', store.revision + 1, {
    onEvents: events => attachments.push(...events.map(({ attachment }) => attachment)),
    onError() {}
  })
  const [own] = await Promise.all([
    store.commit([{ key: '/a', value: text('one'), attachment: 'of one' }]),
    store.commit([{ key: '/a', value: text('two') }])
  ])
  assert.ok(own.ok)
  assert.deepEqual(new Set(attachments), new Set(['of one', undefined]))
})

test('a file that outgrows its first map is followed, by readers of any state of it', async t => {
  const mapSize = 1 << 20
  const { directory, store } = await follow(t, mapSize)
  const other = await openFollowingStore({ directory, pipe: silent(), ended() {}, mapSize })
  t.after(() => other.close())
  const watch = await record(other, '/', 1)
  // bytes that cannot be compressed, so that the file grows by as many
  const values = Array.from({ length: 64 }, () => randomBytes(256 * 1024))
  let first = 0
  for (const [i, value] of values.entries()) {
    const result = await store.commit([{ key: `/${i}`, value }])
    if (i === 0) first = result.ok ? result.revision : 0
    assert.ok((await other.get(`/${i}`))?.value.equals(value))
    // a list that takes several turns of the event loop has a state of its own
    if (i % 8 === 0) assert.equal((await other.list('/', { revision: first })).items.length, 1)
  }
  assert.ok(statSync(join(directory, 'data.mdb')).size > 16 * mapSize)
  const listed = await other.list('/')
  assert.equal(listed.items.length, values.length)
  for (const { key, value } of listed.items) assert.ok(value.equals(values[Number(key.slice(1))]!))
  await watch.have(values.length)
  // one that opens the file now reads it as well
  const late = await openFollowingStore({ directory, pipe: silent(), ended() {}, mapSize })
  t.after(() => late.close())
  assert.ok((await late.get('/63'))?.value.equals(values[63]!))
})

test('what a process missed while history was forgotten ends its watches', async t => {
  const { directory, store } = await follow(t)
  const other = await openFollowingStore({ directory, pipe: silent(), ended() {} })
  t.after(() => other.close())
  let why: Error | undefined
  await other.watch('/', other.seenRevision + 1, { onEvents() {}, onError: error => (why = error) })
  await put(store, '/a', 'one')
  await put(store, '/a', 'two')
  const newest = await put(store, '/a', 'three')
  await store.compact(newest)
  t.mock.method(performance, 'now', () => Number.MAX_SAFE_INTEGER)
  assert.equal(other.currentRevision(), newest)
  assert.equal(why?.name, 'CompactedError')
})

test('the end of the process that writes ends what waits for it', async t => {
  const { store, writer, ended } = await follow(t)
  writer.kill('SIGSTOP')
  const writing = store.commit([{ key: '/a', value: text('one') }])
  writer.kill('SIGKILL')
  await assert.rejects(writing, new StoreUnavailableError('the process that writes has ended'))
  await ended
  await assert.rejects(store.commit([{ key: '/a', value: text('one') }]), StoreUnavailableError)
  await assert.rejects(store.health(), StoreUnavailableError)
})
