import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startServerProcess } from './server-process.js'

test('at SIGTERM a pending request finishes, watches close, and written data stay', { timeout: 60_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-stop-'))
  try {
    const server = await startServerProcess(directory)
    const watching = server
      .request('GET', '/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=1')
      .catch(() => 'closed')
    const writing = server.request('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'last' } })
    const written = await writing
    assert.equal(written.status, 201)
    await server.kill('SIGTERM')
    assert.equal(server.child.exitCode, 0)
    await watching
    const again = await startServerProcess(directory)
    assert.equal(
      (await again.request('GET', '/api/v1/namespaces/default/configmaps/last')).body.metadata.uid,
      written.body.metadata.uid
    )
    await again.kill('SIGTERM')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
