import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger })
before(() => server.start())
after(() => server.stop())

async function define(group: string, openAPIV3Schema: unknown): Promise<void> {
  const body = JSON.stringify({
    metadata: { name: `things.${group}` },
    spec: {
      group,
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Cluster',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }]
    }
  })
  const headers = { 'content-type': 'application/json' }
  const url = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  assert.equal((await server.inject({ url, method: 'POST', user, headers, body })).status, 201)
}

const read = async (url: string) => (await server.inject({ url, user, headers: { accept: 'application/json' } })).json()
const v2Schema = async (group: string) =>
  (await read('/openapi/v2')).definitions[`${group.split('.').reverse().join('.')}.v1.Thing`]

test('a definition whose root preserves unknown fields publishes no fields in v2, so that kubectl accepts all', async () => {
  await define('open.example.com', {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { spec: { type: 'object' } }
  })
  const { 'x-kubernetes-group-version-kind': kinds, ...schema } = await v2Schema('open.example.com')
  assert.deepEqual(schema, { type: 'object' })
  assert.deepEqual(kinds, [{ group: 'open.example.com', kind: 'Thing', version: 'v1' }])
})

test('v2 omits defaults, nullable fields from the required ones, and schemas that preserve unknown fields', async () => {
  const documented = { example: 'e', externalDocs: { url: 'https://example.com' } }
  const spec = {
    type: 'object',
    required: ['a', 'b'],
    properties: {
      a: { type: 'string', nullable: true },
      b: { type: 'string', default: 'x', ...documented },
      empty: { type: 'string', default: '', example: '' },
      c: { type: 'array', 'x-kubernetes-preserve-unknown-fields': true, items: { type: 'object' } }
    }
  }
  await define('rich.example.com', { type: 'object', properties: { spec } })
  const shown = (await v2Schema('rich.example.com')).properties.spec
  assert.deepEqual(shown.required, ['b'])
  assert.deepEqual(shown.properties.b, { type: 'string', ...documented })
  assert.deepEqual(shown.properties.c, { 'x-kubernetes-preserve-unknown-fields': true })
  const { components } = await read('/openapi/v3/apis/rich.example.com/v1')
  const { b, empty } = components.schemas['com.example.rich.v1.Thing'].properties.spec.properties
  assert.equal(b.default, 'x')
  assert.deepEqual(empty, { type: 'string', default: '' })
})
