import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { corsStage } from './cors.js'

let server: BinnacleServer
before(async () => {
  server = createServer({ log: silentLogger, controllers: [], corsAllowedOrigins: ['^https://(www\\.)?example\\.com(:|$)'] })
  await server.start()
})
after(() => server.stop())

const user = { name: 'admin', groups: ['system:masters'] }
const ask = async (method: string, origin: string | undefined, as?: typeof user) => {
  const headers: Record<string, string> = origin === undefined ? {} : { origin }
  const answer = await server.inject({ method, url: '/api/v1/nodes', headers, ...(as ? { user: as } : {}) })
  return [answer.status, answer.headers['access-control-allow-origin']]
}

describe('web pages of other origins', () => {
  it('may use the server when one of its expressions matches', async () => {
    for (const origin of ['https://example.com', 'https://www.example.com:8080'])
      assert.deepEqual(await ask('GET', origin, user), [200, origin])
    for (const origin of ['https://example.com.evil.org', 'http://example.com', 'https://evil.org', 'x'.repeat(5000), undefined])
      assert.deepEqual(await ask('GET', origin, user), [200, undefined])
  })

  it('may ask without credentials, and see why they are refused', async () => {
    const origin = 'https://example.com'
    assert.deepEqual(await ask('OPTIONS', origin), [204, origin])
    assert.deepEqual(await ask('GET', origin), [403, origin])
    assert.deepEqual(await ask('OPTIONS', 'https://evil.org'), [403, undefined])
  })

  it('learn what is allowed', async () => {
    const { headers } = await server.inject({ method: 'OPTIONS', url: '/', headers: { origin: 'https://example.com' } })
    assert.equal(headers['access-control-allow-methods'], 'POST, GET, OPTIONS, PUT, DELETE, PATCH')
    assert.equal(headers['access-control-allow-credentials'], 'true')
    assert.equal(headers['access-control-expose-headers'], 'Date')
    assert.match(String(headers['access-control-allow-headers']), /Authorization/)
  })

  for (const expression of ['', 'example.com', 'example\\.com$', '^localhost', '//[$'])
    it(`must be told by whole hosts: "${expression}"`, () => assert.throws(() => corsStage([expression]), UserError))
})
