import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const server = createServer({ log: silentLogger, storageBackend: 'memory' })
before(() => server.start())
after(() => server.stop())

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const write = async (method: string, url: string, body: object) =>
  (await server.inject({ method, url, body, user })).json() as { metadata: { generation: number } }

/** Returns the generations of an object after its creation with the first document and an update with each other one. */
async function generations(collection: string, name: string, ...documents: object[]): Promise<number[]> {
  const [first, ...others] = documents.map(document => ({ metadata: { name }, ...document }))
  const found = [(await write('POST', collection, first!)).metadata.generation]
  for (const document of others) found.push((await write('PUT', `${collection}/${name}`, document)).metadata.generation)
  return found
}

test('for some kinds an empty list in place of a missing one is a change', async () => {
  const spec = { podSelector: {}, policyTypes: ['Ingress'] }
  const given = [{ spec }, { spec }, { spec: { ...spec, ingress: [] } }, { spec: { ...spec, ingress: [] } }]
  const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies'
  assert.deepEqual(await generations(policies, 'a', ...given), [1, 1, 2, 3])
})

test('in metadata it is not', async () => {
  const spec = { controller: 'example.com/x' }
  const classes = '/apis/networking.k8s.io/v1/ingressclasses'
  assert.deepEqual(await generations(classes, 'a', { spec }, { spec, metadata: { name: 'a', labels: {} } }), [1, 1])
})
