/** Raw values are compared by their text: by validation, by what counts generations, and by what skips writes without a change. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger, controllers: [] })
before(() => server.start())
after(() => server.stop())

async function write(method: 'POST' | 'PUT', url: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const { status, json } = await server.inject({ method, url, user, headers, body: JSON.stringify(body) })
  return { status, body: json() }
}

const config = (parameters: object) => [{ opaque: { driver: 'd.example.com', parameters } }]

test('a claim refuses raw values of another text', async () => {
  const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims'
  const claim = (parameters: object) => ({ metadata: { name: 'c' }, spec: { devices: { config: config(parameters) } } })
  assert.equal((await write('POST', claims, claim({ a: null, b: [] }))).status, 201)
  const statusOf = async (parameters: object) => (await write('PUT', `${claims}/c`, claim(parameters))).status
  assert.equal(await statusOf({ a: null, b: [] }), 200)
  for (const parameters of [{ b: [] }, { a: null }, { b: [], a: null }]) assert.equal(await statusOf(parameters), 422)
})

test('another order of keys is another generation of a class', async () => {
  const classes = '/apis/resource.k8s.io/v1/deviceclasses'
  const deviceClass = (parameters: object) => ({ metadata: { name: 'c' }, spec: { config: config(parameters) } })
  const { body: first } = await write('POST', classes, deviceClass({ a: 1, b: 2 }))
  const { body: same } = await write('PUT', `${classes}/c`, deviceClass({ a: 1, b: 2 }))
  assert.equal(same.metadata.resourceVersion, first.metadata.resourceVersion)
  const { body: other } = await write('PUT', `${classes}/c`, deviceClass({ b: 2, a: 1 }))
  assert.equal(other.metadata.generation, 2)
  assert.notEqual(other.metadata.resourceVersion, first.metadata.resourceVersion)
})
