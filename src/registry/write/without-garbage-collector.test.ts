import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const url = '/api/v1/namespaces/default/configmaps'

it('without the garbage collector, a deletion leaves dependents and finalizers alone', async t => {
  const server = createServer({ log: silentLogger, enableGarbageCollector: false })
  t.after(() => server.stop())
  await server.start()
  const ask = async (method: string, path: string, body?: object) =>
    (await server.inject({ method, url: url + path, user, ...(body ? { body } : {}) })).json()
  const owner = await ask('POST', '', { metadata: { name: 'owner' } })
  const { uid } = owner.metadata
  await ask('POST', '', {
    metadata: { name: 'owned', ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }] }
  })
  const deleted = await ask('DELETE', '/owner', { propagationPolicy: 'Foreground' })
  assert.equal(deleted.status, 'Success')
  assert.equal((await ask('GET', '/owner')).code, 404)
  assert.equal((await ask('GET', '/owned')).metadata.ownerReferences.length, 1)
})
