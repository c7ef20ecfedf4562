import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FeatureGates } from '../apimachinery/features/feature-gates.js'
import { Registry } from '../registry/registry.js'
import { openLmdbStore } from '../storage/lmdb/store.js'
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

/** In which versions the migrations of a data folder are stored. */
async function storedIn(dataDir: string): Promise<unknown[]> {
  const store = await openLmdbStore({ directory: join(dataDir, 'store'), compactionInterval: 0 })
  const { items } = await store.list('/registry/storageversionmigrations/')
  await store.close()
  return items.map(({ value }) => JSON.parse(value.toString()).apiVersion)
}

test('a data folder of the release before is read, goes on, and goes back to it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'storage-version-'))
  const migrations = (version: string) => `/apis/storagemigration.k8s.io/${version}/storageversionmigrations`
  const migration = (name: string) => ({ metadata: { name }, spec: { resource: { group: 'apps', resource: 'deployments' } } })
  const attributes = '/apis/storage.k8s.io/v1/volumeattributesclasses'
  /** What `use` returns of a server on the folder that speaks as a release. */
  const as = async <T>(
    emulated: string,
    use: (ask: (method: string, url: string, body?: object) => Promise<any>) => Promise<T>
  ) => {
    const runtimeConfig = { 'storagemigration.k8s.io/v1beta1': true }
    const featureGates = { StorageVersionMigrator: true }
    const server = createServer({
      log: silentLogger,
      dataDir,
      emulatedVersion: [emulated],
      runtimeConfig,
      featureGates,
      controllers: []
    })
    await server.start()
    try {
      const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
      return await use(async (method, url, body) => {
        const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
        return (await server.inject({ method, url, user, headers, ...(body && { body }) })).json()
      })
    } finally {
      await server.stop()
    }
  }
  try {
    await as('1.36', async ask => {
      await ask('POST', attributes, { metadata: { name: 'a' }, driverName: 'd', parameters: { a: 'b' } })
      assert.equal((await ask('POST', migrations('v1beta1'), migration('old'))).metadata.name, 'old')
    })
    await as('1.37', async ask => {
      const { apiVersion, spec } = await ask('GET', `${migrations('v1')}/old`)
      assert.deepEqual([apiVersion, spec], ['storagemigration.k8s.io/v1', migration('old').spec])
      assert.deepEqual((await ask('GET', attributes)).items[0].parameters, { a: 'b' })
      await ask('PATCH', `${migrations('v1')}/old`, { metadata: { labels: { seen: 'yes' } } })
      await ask('POST', migrations('v1'), migration('new'))
    })
    // 1.36 has to read what 1.37 wrote
    assert.deepEqual(await storedIn(dataDir), ['storagemigration.k8s.io/v1beta1', 'storagemigration.k8s.io/v1beta1'])
    await as('1.36', async ask => {
      const { items } = await ask('GET', migrations('v1beta1'))
      assert.deepEqual(
        items.map(({ metadata, spec }: any) => [metadata.name, metadata.labels?.seen, spec]),
        [
          ['new', undefined, migration('new').spec],
          ['old', 'yes', migration('old').spec]
        ]
      )
    })
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
