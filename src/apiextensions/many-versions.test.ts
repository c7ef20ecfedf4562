import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Resource } from '../registry/resource.js'
import { createServer } from '../server/server.js'
import { silentLogger } from '../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const count = 100

function definition(plural: string) {
  const openAPIV3Schema = { type: 'object', properties: { a: { type: 'string' } } }
  const versions = Array.from({ length: count }, (_, i) => ({
    name: `v${i + 1}`,
    served: true,
    storage: i === 0,
    schema: { openAPIV3Schema }
  }))
  const spec = { group: 'many.example.com', scope: 'Cluster', names: { plural, kind: plural.toUpperCase() }, versions }
  return { metadata: { name: `${plural}.many.example.com` }, spec }
}

test('OpenAPI of several definitions with many versions does not parse them for each version', async t => {
  const server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
  t.after(() => server.stop())
  const url = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  for (const plural of ['as', 'bs']) {
    assert.equal((await server.inject({ method: 'POST', url, user, body: definition(plural) })).status, 201)
    while ((await server.inject({ url: `/apis/many.example.com/v${count}/${plural}`, user })).status !== 200)
      await new Promise(setImmediate)
  }
  const parse = t.mock.method(Resource.prototype, 'parse')
  const { status, body } = await server.inject({ url: '/openapi/v2', user })
  assert.equal(status, 200)
  assert.ok(body.includes(`/apis/many.example.com/v${count}/bs/{name}`))
  const parsed = parse.mock.calls.filter(({ this: resource }) => (resource as Resource).resource === 'customresourcedefinitions')
  // what is parsed may be collected as garbage in between
  assert.ok(parsed.length < count / 2, `${parsed.length} times`)
})
