import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeatureGates } from '../apimachinery/features/feature-gates.js'
import { Registry } from '../registry/registry.js'
import { openMemoryStore } from '../storage/memory/store.js'
import { systemClock } from '../util/clock.js'
import { silentLogger } from '../util/logger.js'
import { addBuiltinResources } from './builtin-resources.js'
import { createServer } from './server.js'

const resourceOf = (minCompatibility: number, group: string, resource: string) => {
  const version = { emulated: 37, minCompatibility }
  const store = openMemoryStore()
  const registry = new Registry()
  const features = new FeatureGates({}, version)
  const storage = { storeOf: () => store }
  addBuiltinResources(registry, { options: {}, features, version, storage, clock: systemClock, log: silentLogger })
  return registry.resource(group, resource)
}
const encoded = (minCompatibility: number) => {
  const resource = resourceOf(minCompatibility, 'resource.k8s.io', 'deviceclasses')
  const object = { kind: 'DeviceClass', apiVersion: 'resource.k8s.io/v1', metadata: { name: 'a', uid: 'u' }, spec: {} }
  return { resource, value: resource.stored(object).value.toString() }
}

test('objects are stored in the newest version that the oldest release knows', () => {
  assert.match(encoded(34).value, /^{"kind":"DeviceClass","apiVersion":"resource.k8s.io\/v1","metadata"/)
  const group = 'certificates.k8s.io'
  assert.deepEqual(resourceOf(36, group, 'clustertrustbundles').storageVersion, { group, version: 'v1beta1' })
  assert.deepEqual(resourceOf(37, group, 'clustertrustbundles').storageVersion, { group, version: 'v1' })
})

test('kinds that stay with an older version, and versions that no older release knows', () => {
  const policies = resourceOf(35, 'admissionregistration.k8s.io', 'mutatingadmissionpolicies')
  assert.equal(policies.storageVersion.version, 'v1beta1')
  assert.equal(resourceOf(34, 'apps', 'deployments').storageVersion.version, 'v1')
  assert.equal(resourceOf(34, 'apiextensions.k8s.io', 'customresourcedefinitions').storageVersion.version, 'v1beta1')
})

test('an object that is stored in an older version is served in all versions, also after an update', async () => {
  const server = createServer({ log: silentLogger, storageBackend: 'memory', emulatedVersion: ['1.34'] })
  await server.start()
  try {
    const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
    const ask = async (method: string, url: string, body?: object) => {
      const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
      return (await server.inject({ method, url, user, headers, ...(body && { body }) })).json()
    }
    const classes = '/apis/storage.k8s.io/v1/volumeattributesclasses'
    await ask('POST', classes, { metadata: { name: 'a' }, driverName: 'd', parameters: { a: 'b' } })
    await ask('PATCH', `${classes}/a`, { metadata: { labels: { x: 'y' } } })
    const found = await ask('GET', `${classes}/a`)
    assert.equal(found.apiVersion, 'storage.k8s.io/v1')
    assert.deepEqual([found.driverName, found.parameters, found.metadata.labels], ['d', { a: 'b' }, { x: 'y' }])
    assert.equal((await ask('GET', classes)).items.length, 1)
  } finally {
    await server.stop()
  }
})
