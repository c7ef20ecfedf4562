/** Names that kinds make, and how they refuse others. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory' })
before(() => server.start())
after(() => server.stop())

const refusal = async (collection: string, metadata: object, spec: object) =>
  ((await server.inject({ method: 'POST', url: collection, user, body: { metadata, spec } })).json() as any).message as string

test('the name of an IPAddress is its generateName as it is', async () => {
  const spec = { parentRef: { resource: 'gateways', name: 'g' } }
  const message = await refusal('/apis/networking.k8s.io/v1/ipaddresses', { generateName: 'a.' }, spec)
  assert.match(message, /^IPAddress\.networking\.k8s\.io "a\." is invalid/)
})

test('a name that is validated declaratively has a limit in bytes', async () => {
  const name = 'b'.repeat(254)
  assert.match(await refusal('/apis/resource.k8s.io/v1/deviceclasses', { name }, {}), /must be no more than 253 bytes$/)
  assert.match(await refusal('/api/v1/namespaces/default/secrets', { name }, {}), /must be no more than 253 characters$/)
})
