/** Servers that come and go in one process, as in a test suite that starts one for each test, leave nothing behind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createServer } from '../../index.js'
import { freshDirectory } from '../../storage/testing/fresh-directory.js'
import { silentLogger } from '../../util/logger.js'

const url = '/api/v1/namespaces/default/configmaps'
const user = { name: 'admin', groups: ['system:masters'] }

async function cycle(): Promise<void> {
  const server = createServer({ log: silentLogger })
  await server.start()
  // a megabyte, so that a server that is kept is seen
  const data = { text: 'x'.repeat(1_000_000) }
  assert.equal((await server.inject({ url, user, body: { metadata: { name: 'large' }, data } })).status, 201)
  await server.stop()
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What is open and what is used, after everything that a stop leaves to the event loop. */
async function left(): Promise<{ handles: string; heap: number }> {
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  collect()
  return { handles: process.getActiveResourcesInfo().sort().join(' '), heap: process.memoryUsage().heapUsed }
}

test('fifty servers one after the other leave no handle and no memory', async () => {
  const atFirst = await left()
  // the first ones compile code and fill what is made once for all servers
  for (let i = 0; i < 10; i++) await cycle()
  const before = await left()
  for (let i = 0; i < 40; i++) await cycle()
  const after = await left()
  assert.equal(after.handles, atFirst.handles)
  assert.ok(after.heap - before.heap < 4_000_000, `${Math.round((after.heap - before.heap) / 40)} bytes are left of each server`)
})

test('a server that has stopped has no handle any more', async () => {
  const before = process.getActiveResourcesInfo().sort()
  const server = createServer({ log: silentLogger })
  await server.start()
  await server.stop()
  assert.deepEqual(process.getActiveResourcesInfo().sort(), before)
})

test('servers with all that they have beside objects are freed: forks, snapshots, hosted ones, watches, faults', async t => {
  const gone: WeakRef<object>[] = []
  const keep = <T extends object>(object: T): T => {
    gone.push(new WeakRef(object))
    return object
  }
  const all = async (dataDir?: string) => {
    const server = keep(createServer({ log: silentLogger, recorder: true, ...(dataDir ? { dataDir } : {}) }))
    await server.start()
    const snapshot = keep(await server.snapshot())
    const fork = keep(await snapshot.fork())
    const hosted = keep(await server.host('one', { snapshot }))
    const maps = keep(hosted.client().of('v1', 'ConfigMap'))
    const informer = keep(maps.informer())
    await informer.synced
    fork.faults.add({ webhook: '*', error: 'timeout' })
    await server.restore(snapshot)
    await snapshot.dispose()
    // what is hosted ends with its host, and an informer with its server
    await Promise.all([fork.stop(), server.stop()])
  }
  await all()
  await all(await freshDirectory(t))
  const kept = () => gone.map(reference => reference.deref()?.constructor.name).filter(Boolean)
  // an object that has been looked at stays until the next turn
  for (let tries = 0; tries < 20 && kept().length > 0; tries++) await left()
  assert.deepEqual(kept(), [])
})
