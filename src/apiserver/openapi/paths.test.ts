import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createServer } from '../../server/server.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }

test('the v2 document is compressed for clients that accept gzip', async () => {
  const server = createServer({ log: silentLogger })
  await server.start()
  const plain = await server.inject({ url: '/openapi/v2', user })
  const packed = await server.inject({ url: '/openapi/v2', user, headers: { 'accept-encoding': 'gzip' } })
  await server.stop()
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.deepEqual(
    [plain, packed].map(answer => answer.headers.vary),
    ['Accept-Encoding, Accept', 'Accept-Encoding, Accept']
  )
  assert.ok(gunzipSync(packed.body).equals(plain.body))
})

test('the documents are sent in part, and not again to a client that has them', async () => {
  const clock = new FakeClock()
  const server = createServer({ log: silentLogger, clock })
  await server.start()
  const get = (url: string, headers: Record<string, string>) => server.inject({ url, user, headers })
  const found = []
  for (const url of ['/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1']) {
    await get(url, {})
    await clock.pass(1000)
    const part = await get(url, { range: 'bytes=0-0' })
    const { headers } = part
    const since = await get(url, { 'if-modified-since': String(headers['last-modified']) })
    const tag = await get(url, { 'if-none-match': headers.etag ? `"x", W/${headers.etag}` : '*' })
    found.push([part.status, String(part.body), headers['accept-ranges'], since.status, tag.status])
  }
  const stale = await get('/openapi/v3/api/v1?hash=x', {})
  await server.stop()
  assert.deepEqual(found, Array(3).fill([206, '{', 'bytes', 304, 304]))
  assert.deepEqual([stale.status, stale.headers.vary, typeof stale.headers.etag], [301, 'Accept', 'string'])
})

test('the index is sent again to a client that asked in the second of a change', async () => {
  const clock = new FakeClock()
  const server = createServer({ log: silentLogger, clock })
  await server.start()
  const index = async (headers: Record<string, string> = {}) => server.inject({ url: '/openapi/v3', user, headers })
  const since = async () => ({ 'if-modified-since': String((await index()).headers['last-modified']) })
  const before = await since()
  await server.apply({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boats.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'boats', kind: 'Boat' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]
    }
  })
  const { status, body } = await index(before)
  assert.deepEqual([status, body.includes('apis/example.com/v1')], [200, true])
  await clock.pass(1000)
  assert.equal((await index(await since())).status, 304)
  await server.stop()
})
