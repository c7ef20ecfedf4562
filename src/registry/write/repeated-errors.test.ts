/** How often an error of the metadata is told: kinds validate metadata in their own way, beside what the generic code does. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory', listen: false })
before(() => server.start())
after(() => server.stop())

const definition = {
  group: 'e.io',
  scope: 'Cluster',
  names: { plural: 'things', kind: 'Thing' },
  versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]
}
const apiService = {
  group: 'e.io',
  version: 'v1',
  groupPriorityMinimum: 1,
  versionPriority: 1,
  service: { name: 'a', namespace: 'b' }
}
const wrong = 'x'.repeat(64)

for (const [url, name, spec, once, twice] of [
  ['/api/v1/namespaces/default/configmaps', 'a', undefined, 2, 3],
  ['/apis/coordination.k8s.io/v1/namespaces/default/leases', 'a', {}, 1, 1],
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'things.e.io', definition, 1, 1],
  ['/apis/apiregistration.k8s.io/v1/apiservices', 'v1.e.io', { ...apiService, insecureSkipTLSVerify: true }, 1, 1]
] as const)
  test(`of ${url}`, async () => {
    const causes = async (finalizers: readonly string[]) => {
      const body = { metadata: { name, finalizers }, ...(spec && { spec }) }
      return (await server.inject({ method: 'POST', url, user, body })).json().details.causes.length
    }
    // as kube-apiserver 1.37.2 counts them
    assert.deepEqual([await causes([wrong]), await causes([wrong, wrong])], [once, twice])
  })
