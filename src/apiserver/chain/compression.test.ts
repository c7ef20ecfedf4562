import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }

for (const [APIResponseCompression, encoding] of [
  [true, 'gzip'],
  [false, undefined]
] as const)
  it(`large answers are ${encoding ?? 'not compressed'} with APIResponseCompression=${APIResponseCompression}`, async () => {
    const server = createServer({ log: silentLogger, featureGates: { APIResponseCompression } })
    await server.start()
    try {
      const url = '/api/v1/namespaces/default/configmaps'
      const body = { metadata: { name: 'large' }, data: { x: 'x'.repeat(300_000) } }
      await server.inject({ method: 'POST', url, user, body })
      const answer = await server.inject({ url, user, headers: { 'accept-encoding': 'gzip' } })
      assert.equal(answer.headers['content-encoding'], encoding)
    } finally {
      await server.stop()
    }
  })
