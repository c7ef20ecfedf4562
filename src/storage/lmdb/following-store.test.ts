import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
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
async function follow(t: TestContext): Promise<Followed> {
  const directory = await freshDirectory(t, async () => {
    await store?.close()
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
  })
  const writer = spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] })
  let store: FollowingStore | undefined
  await once(writer.stdout!, 'data')
  let isOver = () => {}
  const ended = new Promise<void>(resolve => {
    isOver = resolve
  })
  store = await openFollowingStore({ directory, pipe: writer.stdio[3] as Duplex, ended: isOver })
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
