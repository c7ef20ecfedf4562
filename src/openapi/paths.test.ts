import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createServer } from '../server/server.js'
import { silentLogger } from '../util/logger.js'

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
