/** Zero values of the metadata that clients may not change, and metadata without a name. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory' })

async function send(method: string, url: string, body: unknown, type = 'application/json') {
  const { status, json } = await server.inject({ method, url, user, body: body as object, headers: { 'content-type': type } })
  return { status, body: json() as any }
}

const definition = {
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing' },
    versions: [
      { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: { type: 'object' } } }
    ]
  }
}
const kinds = {
  map: { url: '/api/v1/namespaces/default/configmaps', body: { apiVersion: 'v1', kind: 'ConfigMap' } },
  thing: { url: '/apis/example.com/v1/namespaces/default/things', body: { apiVersion: 'example.com/v1', kind: 'Thing' } }
}

before(async () => {
  await server.start()
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  for (const { url, body } of Object.values(kinds)) {
    const create = () => send('POST', url, { ...body, metadata: { name: 'a' } })
    const made = await eventually('the kind is served', create, ({ status }) => status !== 404)
    assert.equal(made.status, 201)
  }
})
after(() => server.stop())

async function written({ url, body }: (typeof kinds)['map'], way: 'put' | 'merge' | 'apply', deletionTimestamp: string | null) {
  const { resourceVersion } = (await send('GET', `${url}/a`, undefined)).body.metadata
  const at = `${url}/a?dryRun=All&fieldManager=m`
  if (way === 'put') return send('PUT', at, { ...body, metadata: { name: 'a', resourceVersion, deletionTimestamp } })
  const metadata = { name: 'a', deletionTimestamp }
  return way === 'merge'
    ? send('PATCH', at, { metadata }, 'application/merge-patch+json')
    : send('PATCH', at, JSON.stringify({ ...body, metadata }), 'application/apply-patch+yaml')
}

const immutable = /metadata\.deletionTimestamp: Invalid value: null: field is immutable$/

test('a deletionTimestamp that is zero is not one that is missing', async () => {
  for (const way of ['put', 'merge', 'apply'] as const) {
    for (const zero of ['0001-01-01T00:00:00Z', '0001-01-01T01:00:00+01:00']) {
      const { status, body } = await written(kinds.map, way, zero)
      assert.deepEqual([way, status], [way, 422])
      assert.match(body.message, immutable)
    }
    const { status, body } = await written(kinds.map, way, null)
    assert.deepEqual([status, 'deletionTimestamp' in body.metadata], [200, false])
  }
})

test('the zero deletionTimestamp of a custom resource is lost when it is decoded, which that of an apply is not', async () => {
  for (const way of ['put', 'merge'] as const) {
    const { status, body } = await written(kinds.thing, way, '0001-01-01T00:00:00Z')
    assert.deepEqual([way, status, 'deletionTimestamp' in body.metadata], [way, 200, false])
  }
  const { status, body } = await written(kinds.thing, 'apply', '0001-01-01T00:00:00Z')
  assert.equal(status, 422)
  assert.match(body.message, immutable)
})

test('a time that cannot be read is refused where an apply of a custom resource would change it, and is lost elsewhere', async () => {
  const { url, body } = kinds.thing
  const apply = async (name: string, metadata: object, subresource = '') => {
    const config = JSON.stringify({ ...body, metadata: { name, ...metadata } })
    const at = `${url}/${name}${subresource}?dryRun=All&fieldManager=m`
    return send('PATCH', at, config, 'application/apply-patch+yaml')
  }
  for (const time of ['yesterday', 5]) {
    const changed = await apply('a', { deletionTimestamp: time })
    assert.equal(changed.status, 422)
    assert.match(
      changed.body.message,
      /^Thing\.example\.com "a" is invalid: metadata: Invalid value: \{"creationTimestamp":"2.*"\}: (?:parsing time|json:)/
    )
    const created = await apply('b', { deletionTimestamp: time })
    assert.equal(created.status, 201)
    assert.equal(created.body.metadata.deletionTimestamp, undefined)
    assert.deepEqual(created.body.metadata.managedFields[0].fieldsV1, { 'f:metadata': { 'f:deletionTimestamp': {} } })
    for (const [name, subresource, field] of [
      ['a', '/status', 'deletionTimestamp'],
      ['a', '', 'creationTimestamp'],
      ['b', '', 'creationTimestamp']
    ] as const) {
      const { status, body } = await apply(name, { [field]: time }, subresource)
      assert.equal(status, name === 'a' ? 200 : 201)
      assert.match(body.metadata.creationTimestamp, /^2/)
    }
  }
})

test('a namespace without a name is told so', async () => {
  const { status, body } = await send('POST', '/api/v1/namespaces', { metadata: {} })
  assert.equal(status, 422)
  assert.match(body.message, /metadata\.name: Required value: name or generateName is required$/)
})
