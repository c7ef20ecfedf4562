import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const migrations = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const widgets = '/apis/example.com/v2/namespaces/default/widgets'

let server: BinnacleServer
const clock = new FakeClock()

const ask = async (method: string, url: string, body?: unknown) => (await send(server, method, url, body)).body

const conditionsOf = ({ status }: any, type?: string) =>
  (status.conditions ?? []).filter((c: any) => !type || c.type === type).map((c: any) => `${c.type}=${c.status} ${c.reason}`)

async function ended(name: string): Promise<any> {
  for (;;) {
    const migration = await ask('GET', `${migrations}/${name}`)
    if (conditionsOf(migration).includes('Running=False MigrationCompleted')) return migration
    clock.advance(1000)
    await setImmediate()
  }
}

const migrate = (name: string, resource: object) => ask('POST', migrations, { metadata: { name }, spec: { resource } })

before(async () => {
  server = createServer({
    log: silentLogger,
    clock,
    featureGates: { StorageVersionMigrator: true },
    runtimeConfig: { 'storagemigration.k8s.io/v1beta1': true }
  })
  await server.start()
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  await ask('POST', definitions, {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: ['v1', 'v2'].map(name => ({ name, served: true, storage: name === 'v1', schema }))
    }
  })
  while ((await ask('GET', widgets)).kind !== 'WidgetList') await setImmediate()
})
after(() => server.stop())

it('custom resources are written in the new storage version of their definition', async () => {
  const created = await ask('POST', widgets, {
    apiVersion: 'example.com/v2',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { x: 1 }
  })
  await ask('PATCH', `${definitions}/widgets.example.com`, {
    spec: {
      versions: ['v1', 'v2'].map(name => ({
        name,
        served: true,
        storage: name === 'v2',
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
      }))
    }
  })
  assert.deepEqual((await ask('GET', `${definitions}/widgets.example.com`)).status.storedVersions, ['v1', 'v2'])
  await migrate('widgets', { group: 'example.com', resource: 'widgets' })
  const migration = await ended('widgets')
  assert.deepEqual(conditionsOf(migration), [
    'Running=False MigrationCompleted',
    'Succeeded=True StorageVersionMigrationSucceeded'
  ])
  const migrated = await ask('GET', `${widgets}/a`)
  assert.notEqual(migrated.metadata.resourceVersion, created.metadata.resourceVersion)
  const rest = ({ resourceVersion: _, ...metadata }: any) => metadata
  assert.deepEqual(rest(migrated.metadata), rest(created.metadata))
  const definition = await ask('GET', `${definitions}/widgets.example.com`)
  assert.deepEqual(definition.status.storedVersions, ['v2'])
  assert.deepEqual(conditionsOf(definition, 'StorageMigrating'), ['StorageMigrating=False MigrationSucceeded'])

  // what is in the storage version already is not written again
  await migrate('again', { group: 'example.com', resource: 'widgets' })
  await ended('again')
  assert.equal((await ask('GET', `${widgets}/a`)).metadata.resourceVersion, migrated.metadata.resourceVersion)
})

it('a migration fails for a resource that does not exist, after a minute, and for one that cannot be written', async () => {
  await migrate('none', { group: 'example.org', resource: 'nothing' })
  await migrate('reviews', { group: 'authentication.k8s.io', resource: 'tokenreviews' })
  const messages = async (name: string) => (await ended(name)).status.conditions.map((c: any) => c.message)
  assert.deepEqual(await messages('none'), ['Migration completed', 'resource does not exist in discovery'])
  assert.deepEqual(await messages('reviews'), [
    'Migration completed',
    'resource "authentication.k8s.io/v1, Resource=tokenreviews" does not support discovery operations: [update patch list]'
  ])
})

it('the spec of a migration is checked, and its status keeps the outcome', async () => {
  const causes = async (method: string, url: string, body: object) =>
    (await ask(method, url, body)).details.causes.map((c: any) => `${c.field}: ${c.message}`.slice(0, 110))
  assert.deepEqual(await causes('POST', migrations, { metadata: { name: 'x' }, spec: { resource: { group: 'A_b' } } }), [
    'spec.resource.resource: Required value: resource is required to be set',
    'spec.resource.group: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanume'
  ])
  await migrate('kept', { resource: 'configmaps' })
  const kept = await ended('kept')
  assert.deepEqual(kept.spec, { resource: { group: '', resource: 'configmaps' } })
  const url = `${migrations}/kept`
  assert.deepEqual(await causes('PATCH', url, { spec: { resource: { group: 'x' } } }), [
    'spec: Invalid value: {"Resource":{"group":"x","resource":"configmaps"}}: field is immutable'
  ])
  assert.deepEqual(await causes('PATCH', `${url}/status`, { status: { resourceVersion: '010', conditions: null } }), [
    'status.resourceVersion: Invalid value: "010": resource version is not well formed: 010',
    'status.resourceVersion: Invalid value: "010": field is immutable',
    'status.conditions: Invalid value: null: Success condition cannot be set to false once it is true'
  ])
})
