import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger })
const things = '/apis/documents.example.com/v1/things'

before(async () => {
  await server.start()
  const spec = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: {
      whole: { type: 'integer' },
      wide: { type: 'integer', format: 'int64' },
      replicas: { type: 'integer' },
      list: { type: 'array', items: { type: 'object', properties: { map: { type: 'object' } } } }
    }
  }
  const names = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } }
  const status = {
    type: 'object',
    default: { phase: 'New' },
    properties: { phase: { type: 'string' }, tries: { type: 'integer', default: 5 }, names }
  }
  const subresources = { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } }
  await server.inject({
    method: 'POST',
    url: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    user,
    body: {
      metadata: { name: 'things.documents.example.com' },
      spec: {
        group: 'documents.example.com',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema, subresources }]
      }
    }
  })
  for (let i = 0; i < 500 && (await server.inject({ url: things, user })).status !== 200; i++) await new Promise(setImmediate)
})
after(() => server.stop())

let made = 0
async function create(spec: string, more = '', query = '') {
  const body = `{"apiVersion":"documents.example.com/v1","kind":"Thing","metadata":{"name":"a${++made}"},"spec":${spec}${more}}`
  const headers = { 'content-type': 'application/json' }
  const answer = await server.inject({ method: 'POST', url: `${things}${query}`, user, headers, body: Buffer.from(body) })
  return { status: answer.status, body: answer.json(), text: answer.body.toString() }
}

test('the last of two equal keys replaces the first and is not merged with it', async () => {
  assert.deepEqual((await create('{"a":{"x":1},"a":{"y":2},"b":{"z":1},"b":{}}')).body.spec, { a: { y: 2 }, b: {} })
  assert.deepEqual((await create('{"a":1}', ',"spec":{"b":2}')).body.spec, { b: 2 })
})

test('a status with a default in the schema exists from creation', async () => {
  for (const [given, query] of [
    ['', ''],
    ['', '?dryRun=All'],
    [',"status":{"phase":"Mine"}', '']
  ] as const) {
    const { body } = await create('{}', given, query)
    assert.deepEqual(body.status, { phase: 'New', tries: 5 })
    assert.ok(!JSON.stringify(body.metadata.managedFields).includes('f:status'))
  }
})

test('an object whose status does not fit the schema is stored without managedFields', async () => {
  for (const status of ['{"tries":"x"}', '{"phase":5}', '[]', '"text"']) {
    const { status: code, body } = await create('{"whole":1}', `,"status":${status}`)
    assert.deepEqual([code, body.metadata.managedFields, body.status], [201, undefined, { phase: 'New', tries: 5 }], status)
  }
  assert.equal((await create('{"whole":1}', ',"status":{"phase":null}')).body.metadata.managedFields.length, 1)
})

test('items that repeat in a status that is dropped keep nobody from owning the rest', async () => {
  const { status, body } = await create('{"whole":1}', ',"status":{"names":["a","a"]}')
  assert.deepEqual([status, body.status.names, body.metadata.managedFields.length], [201, undefined, 1])
})

test('an integer that Go holds as a float is no integer', async () => {
  for (const value of ['9223372036854775808', '-9223372036854775809', '1e18', '1e19'])
    for (const field of ['whole', 'wide']) assert.equal((await create(`{"${field}":${value}}`)).status, 422, `${field} ${value}`)
  for (const value of ['9223372036854775807', '-9223372036854775808', '1000000000000000000']) {
    const { status, text } = await create(`{"whole":${value}}`)
    assert.equal(status, 201)
    assert.ok(text.includes(`"whole":${value}`), value)
  }
})

test('a number beyond the range of a double is refused', async () => {
  const { status, body } = await create('{"a":"1e999","b":[-1e400]}')
  const why = 'json: cannot unmarshal number -1e400 into Go value of type float64'
  assert.deepEqual([status, body.message], [400, `Thing in version "v1" cannot be handled as a Thing: ${why}`])
  assert.deepEqual((await create('{"a":"1e400","b":1e300,"c":true}')).body.spec, { a: '1e400', b: 1e300, c: true })
})

test('replicas beyond 2^53 are out of range, and beyond int64 they have the wrong type', async () => {
  const { body } = await create('{"replicas":9223372036854775807}')
  assert.match(body.message, /\.spec\.replicas: Invalid value: 9223372036854775807: should be less than or equal to 2147483647$/)
  const float = await create('{"replicas":9223372036854775808}')
  assert.match(float.body.message, /accessor error: 9\.223372036854776e\+18 is of the type float64, expected int64/)
})

test('a whole number with a fraction or an exponent is a float until it is stored', async () => {
  const problem = '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1 is of the type float64, expected int64'
  assert.match((await create('{"replicas":1.0}')).body.message, new RegExp(`${problem.replaceAll('.', '\\.')}$`))
  assert.match((await create('{"replicas":1e7}')).body.message, /accessor error: 1e\+07 is of the type float64, expected int64$/)
  assert.equal((await create('{"whole":1.0,"wide":-1e3}')).status, 201)
  const map = await create('{"list":[{"map":1.0}]}')
  assert.equal(map.status, 422)
  assert.match(map.body.message, /spec\.list\[0\]\.map in body must be of type object: "number"$/)
  const { body } = await create('{"replicas":1}')
  for (const [type, patch] of [
    ['merge-patch', '{"spec":{"replicas":2.0}}'],
    ['json-patch', '[{"op":"replace","path":"/spec/replicas","value":2.0}]']
  ])
    for (const subresource of ['', '/status']) {
      const url = `${things}/${body.metadata.name}${subresource}`
      const headers = { 'content-type': `application/${type}+json` }
      const answer = await server.inject({ method: 'PATCH', url, user, headers, body: Buffer.from(patch!) })
      // a write of the status leaves the spec as it is
      assert.equal(answer.status, subresource === '' ? 422 : 200, type)
    }
})

test('a collection of custom resources is an object without a name for updates and patches', async () => {
  const answer = async (method: string, type: string) => {
    const { status, body } = await server.inject({ method, url: things, user, headers: { 'content-type': type }, body: '{}' })
    return [status, JSON.parse(body.toString()).message.slice(0, 21)]
  }
  assert.deepEqual(await answer('PUT', 'application/json'), [400, 'name must be provided'])
  assert.deepEqual(await answer('PATCH', 'application/merge-patch+json'), [400, 'name must be provided'])
  assert.deepEqual(await answer('PATCH', 'text/plain'), [415, 'the body of the reque'])
})

test('a repeated key of YAML is a warning of its own', async () => {
  const body = 'apiVersion: documents.example.com/v1\nkind: Thing\nmetadata: {name: yy}\nspec:\n  k: one\n  k: two\n'
  const headers = { 'content-type': 'application/yaml' }
  const sent = await server.inject({ method: 'POST', url: `${things}?dryRun=All`, user, headers, body })
  assert.equal(String(sent.headers.warning), '299 - "line 6: key \\"k\\" already set in map"')
})

test('custom resources have no routes: the verb and the subresource decide', async () => {
  const ask = async (method: string, path: string, body?: object) => {
    const { status, json } = await server.inject({ method, url: `${things}${path}`, user, body })
    return [status, json().message ?? json().metadata.name]
  }
  const thing = { apiVersion: 'documents.example.com/v1', kind: 'Thing', metadata: { name: 'routed' } }
  assert.deepEqual(await ask('POST', '/other', thing), [201, 'routed'])
  assert.deepEqual(await ask('POST', '/routed', thing), [409, 'things.documents.example.com "routed" already exists'])
  assert.deepEqual(await ask('GET', '/routed/status/more'), [200, 'routed'])
  assert.deepEqual(await ask('GET', '/routed/nothing'), [404, 'things.documents.example.com "routed" not found'])
  const unsupported = (verb: string) => [405, `${verb} is not supported on resources of kind "things.documents.example.com"`]
  assert.deepEqual(await ask('POST', '/routed/status', thing), unsupported('create'))
  assert.deepEqual(await ask('DELETE', '/routed/status/more'), unsupported('delete'))
})

test('a malformed apiVersion cannot be recognized', async () => {
  const { status, json } = await server.inject({
    method: 'POST',
    url: things,
    user,
    body: { apiVersion: 'a/b/c', kind: 'Thing', metadata: { name: 'x' } }
  })
  assert.equal(status, 400)
  assert.equal(
    json().message,
    'the object provided is unrecognized (must be of type Thing): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)'
  )
})
