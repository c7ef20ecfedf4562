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

test('what all kinds ask of a generateName comes only where nothing else is wrong', async () => {
  const url = '/apis/resource.k8s.io/v1/deviceclasses'
  const metadata = { name: 'c', generateName: 'a/b' }
  const wrong = await refusal(url, metadata, { config: [{ opaque: { parameters: {} } }] })
  assert.match(wrong, /^DeviceClass\.resource\.k8s\.io "c" is invalid: spec\.config\[0\]\.opaque\.driver: Required value$/)
  assert.match(await refusal(url, metadata, {}), /metadata\.generateName: Invalid value: "a\/b": may not contain '\/'$/)
})

test('a name that is taken is told of otherwise beside a generateName', async () => {
  const url = '/api/v1/namespaces/default/configmaps'
  const metadata = { name: 'taken', finalizers: ['example.com/f'] }
  assert.equal(await refusal(url, metadata, {}), undefined)
  const create = () => server.inject({ method: 'POST', url, user, body: { metadata: { ...metadata, generateName: 't-' } } })
  const answer = await create()
  const { code, reason, message, details } = answer.json() as any
  const text = 'configmaps "taken" already exists, the server was not able to generate a unique name for the object'
  assert.deepEqual([code, reason, message], [409, 'AlreadyExists', text])
  assert.equal(details.retryAfterSeconds, 1)
  assert.equal(answer.headers['retry-after'], '1')
  await server.inject({ method: 'DELETE', url: `${url}/taken`, user })
  assert.equal(((await create()).json() as any).message, `object is being deleted: ${text}`)
})
