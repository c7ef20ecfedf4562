import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { attempt } from '../../../testkit/admission.js'
import { silentLogger } from '../../../util/logger.js'
import { namespaceExists } from './namespace-existence.js'

test('NamespaceExists refuses writes to a namespace that does not exist', async () => {
  const stored = { namespaces: [{ metadata: { name: 'there' } }] }
  const refusal = async (namespace: string, operation: 'CREATE' | 'DELETE' | 'CONNECT' = 'CREATE', resource = 'configmaps') =>
    (await attempt(namespaceExists, { operation, resource, namespace, object: { metadata: { name: 'a' } }, stored })).refused
  assert.equal(await refusal('there'), undefined)
  assert.equal(await refusal('missing'), 'namespaces "missing" not found')
  assert.equal(await refusal('missing', 'DELETE'), 'namespaces "missing" not found')
  assert.equal(await refusal('missing', 'CONNECT'), undefined)
  assert.equal(await refusal(''), undefined)
  assert.equal(await refusal('missing', 'CREATE', 'namespaces'), undefined)
})

test('NamespaceAutoProvision creates the namespace that a request writes to', async t => {
  const server = createServer({ log: silentLogger, enableAdmissionPlugins: ['NamespaceAutoProvision'] })
  await server.start()
  t.after(() => server.stop())
  const user = { name: 'admin', groups: ['system:masters'] }
  const post = (url: string, body: object) => server.inject({ method: 'POST', url, body, user })
  const body = { metadata: { name: 'a' } }
  assert.equal((await post('/api/v1/namespaces/new/configmaps?dryRun=All', body)).status, 404)
  assert.equal((await post('/api/v1/namespaces/new/configmaps', body)).status, 201)
  const { metadata, status } = (await server.inject({ method: 'GET', url: '/api/v1/namespaces/new', user })).json() as any
  assert.equal(metadata.labels['kubernetes.io/metadata.name'], 'new')
  assert.equal(status.phase, 'Active')
  const together = await Promise.all(['a', 'b'].map(name => post('/api/v1/namespaces/both/configmaps', { metadata: { name } })))
  assert.deepEqual(
    together.map(({ status }) => status),
    [201, 201]
  )
  const invalid = await post('/api/v1/namespaces/New_/configmaps', body)
  assert.equal(invalid.status, 403)
})
