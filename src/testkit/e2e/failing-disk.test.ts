/** A server whose disk refuses its writes: nothing acknowledged is lost, and the log says what happened. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { failCalls, withoutStrace } from '../strace.js'
import { type ServerProcess, startServerProcess } from './server-process.js'

const configMaps = '/api/v1/namespaces/default/configmaps'
const faults = [
  { what: 'that has become read-only', calls: ['access', 'faccessat'], error: 'EROFS', log: /the file system is read-only/ },
  { what: 'that cannot sync', calls: ['fsync', 'fdatasync'], error: 'EIO', log: /Input\/output error/i }
]

for (const { what, calls, error, log } of faults)
  test(`a disk ${what}: writes are refused, reads are answered, and all is well when it is back`, {
    skip: withoutStrace ?? false,
    timeout: 120_000
  }, async t => {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-disk-'))
    t.after(() => rmSync(directory, { recursive: true, force: true }))
    const server = await startServerProcess(directory)
    t.after(() => server.kill('SIGKILL'))
    let text = ''
    server.child.stderr!.on('data', data => (text += data))
    const acknowledged = new Set<string>()
    const create = async (name: string) => {
      const { status, body } = await server.request('POST', configMaps, { metadata: { name } })
      if (status === 201) acknowledged.add(name)
      return { status, body }
    }
    for (let i = 0; i < 3; i++) assert.equal((await create(`before-${i}`)).status, 201)

    const path = join(directory, 'store', 'data.mdb')
    const repair = await failCalls({ pid: server.child.pid!, path, calls, error })
    for (let i = 0; i < 3; i++) {
      const { status, body } = await create(`during-${i}`)
      assert.equal(status, 500)
      assert.match(body.message, log)
    }
    assert.deepEqual(await names(server), acknowledged)
    assert.match((await server.request('GET', '/readyz?verbose')).body, /\[-\]etcd failed/)
    await repair()

    assert.match(text, log)
    for (let i = 0; i < 3; i++) assert.equal((await create(`after-${i}`)).status, 201)
    assert.deepEqual(await names(server), acknowledged)
    assert.equal((await server.request('GET', '/readyz')).status, 200)
    await server.kill('SIGKILL')
    const again = await startServerProcess(directory)
    assert.deepEqual(await names(again), acknowledged)
    await again.kill('SIGTERM')
  })

async function names(server: ServerProcess): Promise<Set<string>> {
  const { body } = await server.request('GET', `${configMaps}?fieldSelector=metadata.name!=kube-root-ca.crt`)
  return new Set(body.items.map((item: { metadata: { name: string } }) => item.metadata.name))
}
