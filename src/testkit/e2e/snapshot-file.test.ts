import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { ServerOptions } from '../../server/options.js'
import { createServer } from '../../server/server.js'
import { freshDirectory } from '../../storage/testing/fresh-directory.js'
import { silentLogger } from '../../util/logger.js'

async function started(t: TestContext, options: ServerOptions = {}) {
  const server = createServer({ listen: false, log: silentLogger, ...options })
  t.after(() => server.stop())
  await server.start()
  return server
}

/** A server with some objects, and the file of its snapshot. */
async function saved(t: TestContext, options: ServerOptions = {}) {
  const server = await started(t, options)
  const client = server.client()
  const map = await client.of('v1', 'ConfigMap').create({ metadata: { name: 'a' }, data: { text: 'ä\u2028"\\' } })
  await client.of('v1', 'Secret').create({ metadata: { name: 'password' }, stringData: { key: 'x' } })
  await client.of('v1', 'ConfigMap').patch('a', { data: { more: 'yes' } })
  await using snapshot = await server.snapshot()
  const path = join(await freshDirectory(t), 'seeded.snapshot')
  await snapshot.save(path)
  return { server, client, map, path }
}

describe('snapshots in files', () => {
  for (const storageBackend of ['memory', 'lmdb'] as const)
    test(`of ${storageBackend} have the objects with their uids, and resource versions go on`, async t => {
      const { client, map, path } = await saved(
        t,
        storageBackend === 'lmdb' ? { storageBackend, dataDir: await freshDirectory(t) } : {}
      )
      const before = await client.of('v1', 'ConfigMap').get('a')
      const other = (await started(t, { snapshot: path })).client()
      assert.deepEqual(await other.of('v1', 'ConfigMap').get('a'), before)
      assert.equal(before.metadata.uid, map.metadata.uid)
      assert.deepEqual((await other.of('v1', 'Secret').get('password')).data, { key: 'eA==' })
      const made = await other.of('v1', 'ConfigMap').create({ metadata: { name: 'b' } })
      assert.ok(Number(made.metadata.resourceVersion) > Number(before.metadata.resourceVersion))
      await assert.rejects(other.of('v1', 'ConfigMap').create({ metadata: { name: 'a' } }), { code: 409 })
    })

  test('are for their owner alone, and are as they were when a server from them has written', async t => {
    const { path } = await saved(t)
    if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600)
    const text = await readFile(path, 'utf8')
    const server = await started(t, { snapshot: path })
    await server.client().of('v1', 'ConfigMap').delete('a')
    const fork = await server.fork()
    t.after(() => fork.stop())
    await assert.rejects(fork.client().of('v1', 'ConfigMap').get('a'), { code: 404 })
    assert.equal(await readFile(path, 'utf8'), text)
  })

  test('that are broken, newer or none are refused', async t => {
    const { path } = await saved(t)
    const text = await readFile(path, 'utf8')
    const lines = text.trimEnd().split('\n')
    const refused = async (content: string | undefined, message: RegExp) => {
      const file = join(await freshDirectory(t), 'odd')
      if (content !== undefined) await writeFile(file, content)
      const server = createServer({ listen: false, log: silentLogger, snapshot: file })
      t.after(() => server.stop())
      await assert.rejects(server.start(), error => {
        assert.equal((error as Error).name, 'UserError')
        assert.match((error as Error).message, message)
        return true
      })
    }
    await refused(undefined, /odd: no such file/)
    await refused('', /is no snapshot: it is empty/)
    await refused('kind: List\n', /is no snapshot/)
    await refused(text.replace('"version":1', '"version":2'), /has version 2 of the format; this version of Binnacle reads 1/)
    await refused(lines.slice(0, -1).join('\n'), /is broken: its end is missing/)
    await refused(text.slice(0, text.length / 2), /is broken/)
    await refused(lines.toSpliced(3, 1).join('\n'), /is broken: it is not as it was written/)
    await refused(text.replace('password', 'passwort'), /is broken: it is not as it was written/)
    await refused(`${text}[]\n`, /is broken: something follows its last line/)
  })

  test('are for servers in memory', async t => {
    const { path } = await saved(t)
    const server = createServer({ listen: false, log: silentLogger, snapshot: path, dataDir: await freshDirectory(t) })
    t.after(() => server.stop())
    await assert.rejects(server.start(), /starts from a snapshot with the storage backend memory only/)
  })
})
