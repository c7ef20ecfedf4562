/** `binnacle history` and `binnacle undelete` against a server with TLS. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from '../../server/server.js'
import { main } from '../command.js'

test('an object is changed, deleted, looked at and brought back', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-history-'))
  const server = createServer({ storageBackend: 'memory', history: 3_600_000 })
  await server.start()
  const run = (...args: string[]) =>
    new Promise<{ out: string; error: string }>(resolve => {
      const env = { ...process.env, KUBECONFIG: join(directory, 'kubeconfig') }
      execFile(process.execPath, [main, ...args], { env }, (_, out, error) => resolve({ out, error }))
    })
  try {
    await writeFile(join(directory, 'kubeconfig'), server.kubeconfig(), { mode: 0o600 })
    const maps = server.client().of('v1', 'ConfigMap')
    const metadata = { name: 'web', namespace: 'default' }
    const created = await maps.create({ metadata, data: { a: 'one' } })
    const owners = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'a-b' }]
    await maps.create({ metadata: { name: 'owned', namespace: 'default', ownerReferences: owners } })
    await maps.delete({ metadata: { name: 'owned', namespace: 'default' } })
    await maps.delete({ metadata })
    const { out } = await run('history', 'configmap/web', '--diff')
    assert.match(out, /^\S+Z {2}\d+ {2}deleted {2}\S+$/m)
    assert.match(out, /^\+ {2}a: one$/m)
    const version = created.metadata.resourceVersion!
    assert.match((await run('history', 'get', 'cm', 'web', '--at', version)).out, /^ {2}a: one$/m)
    assert.match((await run('history', 'get', 'cm', '--at', version)).out, /name: web/)
    assert.match((await run('undelete', 'configmap/web')).out, /^configmap\/web is back as of version \d+$/m)
    assert.match((await run('undelete', 'configmap/web')).error, /already exists/)
    assert.match((await run('undelete', 'configmap/owned')).out, /its owner ConfigMap\/gone is gone/)
    assert.match((await run('history', 'get', 'cm/web')).error, /--at is missing/)
  } finally {
    await server.stop()
    await rm(directory, { recursive: true })
  }
})
