/** What an apply says about the version of the object that it expects. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory', controllers: [] })
before(() => server.start())
after(() => server.stop())

const kinds = [
  ['policy/v1', 'PodDisruptionBudget', '/apis/policy/v1/namespaces/default/poddisruptionbudgets'],
  ['coordination.k8s.io/v1', 'Lease', '/apis/coordination.k8s.io/v1/namespaces/default/leases'],
  ['v1', 'ConfigMap', '/api/v1/namespaces/default/configmaps']
] as const

for (const [apiVersion, kind, collection] of kinds)
  test(`a version of null or "" is none, which a ${kind} does${kind === 'ConfigMap' ? '' : ' not'} allow`, async () => {
    const apply = async (version: object, label: string) => {
      const { status, body } = await server.inject({
        method: 'PATCH',
        url: `${collection}/x?fieldManager=m`,
        user,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: JSON.stringify({ apiVersion, kind, metadata: { name: 'x', labels: { label }, ...version } })
      })
      return [status, String(JSON.parse(body.toString()).message)] as const
    }
    assert.equal((await apply({}, 'a'))[0], 201)
    assert.equal((await apply({}, 'b'))[0], 200)
    for (const resourceVersion of [null, '']) {
      const [status, message] = await apply({ resourceVersion }, `c${resourceVersion}`)
      assert.equal(status, kind === 'ConfigMap' ? 200 : 422)
      if (status === 422) assert.match(message, /metadata\.resourceVersion: Invalid value: 0: must be specified for an update$/)
    }
    assert.equal((await apply({ resourceVersion: '1' }, 'd'))[0], 409)
  })
