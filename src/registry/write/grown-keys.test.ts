import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxKeys } from '../../apimachinery/formats/value-limit.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const url = '/api/v1/namespaces/default/configmaps'

test('patches cannot give an object more keys than a body may have', async () => {
  const server = createServer({ listen: false, log: silentLogger })
  await server.start()
  const keys = (from: number, length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [`k${from + i}`, 'v']))
  const created = await server.inject({
    method: 'POST',
    url,
    user,
    body: { metadata: { name: 'a' }, data: keys(0, maxKeys - 10) }
  })
  assert.equal(created.status, 201)
  const patch = async (data: object) => {
    const headers = { 'content-type': 'application/merge-patch+json' }
    const { status, body } = await server.inject({ method: 'PATCH', url: `${url}/a`, user, headers, body: { data } })
    return status === 200 ? status : `${status} ${JSON.parse(body.toString()).message}`
  }
  assert.equal(await patch(keys(maxKeys, 10)), 200)
  assert.equal(await patch(keys(maxKeys + 10, 10)), '413 Request entity too large: limit is 51200 keys in an object')
  assert.equal(await patch({ k0: null }), 200)
  await server.stop()
})
