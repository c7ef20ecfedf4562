import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { StorageVersionUpdates } from './storage-version-updates.js'

test('writes wait for the StorageVersion of their resource', () => {
  const updates = new StorageVersionUpdates()
  updates.expect(['pods', 'deployments.apps', 'leases.coordination.k8s.io', 'storageversions.internal.apiserver.k8s.io'])
  updates.failed(['deployments.apps'], 'no luck')
  const ask = (verb: string, resource: string, group = '', namespace = 'default') => {
    const info = { isResourceRequest: true, verb, group, resource, namespace }
    try {
      updates.stage.handle({ info } as RequestContext, () => ({ status: 200 }) as never)
      return 200
    } catch (error) {
      assert.ok(error instanceof StatusError)
      return error.message
    }
  }
  const wait = (name: string, error: string) =>
    `wait for storage version registration to complete for resource: ${name}, last seen error: ${error}`
  assert.equal(ask('create', 'pods'), wait('pods', '<nil>'))
  assert.equal(ask('patch', 'deployments', 'apps'), wait('deployments.apps', 'no luck'))
  for (const verb of ['get', 'list', 'watch']) assert.equal(ask(verb, 'pods'), 200)
  assert.equal(ask('create', 'tokenreviews', 'authentication.k8s.io'), 200)
  assert.equal(ask('update', 'leases', 'coordination.k8s.io', 'kube-system'), 200)
  assert.notEqual(ask('update', 'leases', 'coordination.k8s.io'), 200)
  assert.equal(ask('create', 'storageversions', 'internal.apiserver.k8s.io', ''), 200)
  updates.done(['pods', 'deployments.apps', 'leases.coordination.k8s.io', 'storageversions.internal.apiserver.k8s.io'])
  assert.equal(ask('create', 'pods'), 200)
  assert.ok(updates.isComplete)
})
