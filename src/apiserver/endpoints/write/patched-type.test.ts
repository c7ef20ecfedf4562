/** Patches that change the kind or version of an object, names that no object can have, and conditions that are an empty list. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory' })
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const widgets = '/apis/example.com/v1/namespaces/default/widgets'
const scalers = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`
const schema = { openAPIV3Schema: { type: 'object' } }
const json = 'application/json-patch+json'

async function send(method: string, url: string, body?: object | string, type = 'application/merge-patch+json') {
  const headers = { 'content-type': method === 'PATCH' ? type : 'application/json' }
  const answer = await server.inject({ method, url, user, body, headers })
  return { status: answer.status, warning: String(answer.headers.warning ?? ''), body: answer.json() }
}

before(async () => {
  await server.start()
  const spec = {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema }]
  }
  assert.equal((await send('POST', definitions, { metadata: { name: 'widgets.example.com' }, spec })).status, 201)
  assert.equal(
    (await send('POST', widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } })).status,
    201
  )
  const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
  const scaler = { metadata: { name: 'h' }, spec: { maxReplicas: 3, scaleTargetRef: target } }
  assert.equal((await send('POST', scalers('v2'), scaler)).status, 201)
})
after(() => server.stop())

test('a custom resource keeps its kind and version', async () => {
  const { status, body } = await send('PATCH', `${widgets}/w`, { kind: 'X', apiVersion: 'y/v2' })
  assert.equal(status, 422)
  const [kind, version] = [
    'kind: Invalid value: "X": must be Widget',
    'apiVersion: Invalid value: "y/v2": must be example.com/v1'
  ]
  assert.equal(body.message, `X.y "w" is invalid: [${kind}, ${version}]`)
  const none = await send('PATCH', `${widgets}/w`, [{ op: 'add', path: '/apiVersion', value: null }], json)
  assert.equal(none.status, 422)
  assert.match(none.body.message, /: \.apiVersion accessor error: <nil> is of the type <nil>, expected string$/)
})

test('a patched object of another version of its kind is read as that', async () => {
  for (const [from, to, unknown] of [
    ['v2', 'v1', 'spec.metrics'],
    ['v1', 'v2', 'spec.targetCPUUtilizationPercentage']
  ]) {
    const url = `${scalers(from!)}/h?dryRun=All`
    const patch = [
      { op: 'replace', path: '/apiVersion', value: `autoscaling/${to}` },
      { op: 'replace', path: '/spec/maxReplicas', value: 7 }
    ]
    const { status, body, warning } = await send('PATCH', url, patch, json)
    assert.deepEqual([status, body.apiVersion, body.spec.maxReplicas], [200, `autoscaling/${from}`, 7])
    assert.ok(warning.includes(`unknown field \\"${unknown}\\"`), warning)
    const strict = await send('PATCH', `${url}&fieldValidation=Strict`, patch, json)
    assert.match(strict.body.message, new RegExp(`strict decoding error: .*unknown field "${unknown}"`))
  }
})

test('what is wrong with a write is told before its name', async () => {
  for (const at of [widgets, '/api/v1/namespaces/default/configmaps', '/api/v1/nodes']) {
    const name = `${at}/a%25b`
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      assert.equal((await send(method, `${name}?dryRun=x`, method === 'DELETE' ? undefined : '{}')).status, 422)
    assert.match((await send('PUT', name, '{')).body.message, /unexpected end of JSON input/)
    for (const method of ['GET', 'PATCH'])
      assert.equal(
        (await send(method, name, method === 'GET' ? undefined : '{}')).body.message,
        'Name parameter invalid: "a%b": may not contain \'%\''
      )
  }
})

test("a definition's conditions may be an empty list", async () => {
  const url = `${definitions}/widgets.example.com/status?dryRun=All`
  const conditions = async (value: unknown) =>
    (await send('PATCH', url, { status: { conditions: value } })).body.status.conditions
  assert.deepEqual(await conditions([]), [])
  assert.equal(await conditions(null), null)
})

test('OpenAPI says that the deletion of a Namespace answers with a Status', async () => {
  const { body } = await send('GET', '/openapi/v3/api/v1')
  const answer = body.paths['/api/v1/namespaces/{name}'].delete.responses[200].content['application/json'].schema.$ref
  assert.equal(answer, '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Status')
})
