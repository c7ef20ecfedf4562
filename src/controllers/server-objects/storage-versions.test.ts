import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const versions = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions'

it('a server says in which versions it stores and reads objects, and servers that are gone are removed', async () => {
  const server = createServer({
    log: silentLogger,
    featureGates: { StorageVersionAPI: true },
    runtimeConfig: { 'internal.apiserver.k8s.io/v1alpha1': true }
  })
  await server.start()
  try {
    const ask = async (method: string, url: string, body?: object) =>
      (await server.inject({ method, url, user, body, headers: { 'content-type': 'application/json' } })).json()
    const events = await ask('GET', `${versions}/core.events`)
    const { apiServerID, ...own } = events.status.storageVersions[0]
    assert.match(apiServerID, /^apiserver-[a-z2-7]{26}$/)
    assert.deepEqual(own, { encodingVersion: 'v1', decodableVersions: ['v1', 'events.k8s.io/v1'], servedVersions: ['v1'] })
    assert.equal(events.status.commonEncodingVersion, 'v1')
    assert.equal(events.status.conditions[0].status, 'True')
    const scalers = await ask('GET', `${versions}/autoscaling.horizontalpodautoscalers`)
    assert.deepEqual(scalers.status.storageVersions[0].servedVersions, ['autoscaling/v2', 'autoscaling/v1'])
    const leases = await ask('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases')
    assert.ok(leases.items.some((lease: any) => lease.metadata.name === apiServerID))

    const version = await ask('GET', `${versions}/core.pods`)
    version.status.storageVersions.push({
      apiServerID: 'gone',
      encodingVersion: 'v0',
      decodableVersions: ['v0'],
      servedVersions: ['v0']
    })
    delete version.status.commonEncodingVersion
    await ask('PUT', `${versions}/core.pods/status`, version)
    for (;;) {
      const { status } = await ask('GET', `${versions}/core.pods`)
      if (status.storageVersions.length === 1 && status.commonEncodingVersion === 'v1') break
      await setImmediate()
    }
  } finally {
    await server.stop()
  }
})
