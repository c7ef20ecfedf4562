import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openMemoryStore } from '../storage/memory/store.js'
import { eventually } from '../testkit/eventually.js'
import { FakeClock } from '../testkit/fake-clock.js'
import { silentLogger } from '../util/logger.js'
import type { ServerOptions } from './options.js'
import { inJson } from './prepared-objects.js'
import { createServer } from './server.js'

const user = { name: 'admin', groups: ['system:masters'] }
const flowSchemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas'
const paths = [
  '/api/v1/namespaces',
  '/api/v1/configmaps',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  flowSchemas,
  '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  '/apis/apiregistration.k8s.io/v1/apiservices',
  '/apis/networking.k8s.io/v1/servicecidrs'
]

/** That of the authority for front proxies. */
const otherCertificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\\n/g

/** The objects that a new server has: as they are, and without what is different on each server. */
async function begun(options: ServerOptions): Promise<{ objects: any[]; common: string[] }> {
  const server = createServer({ log: silentLogger, controllers: [], clock: new FakeClock(), ...options })
  await server.start()
  try {
    // conditions are written after the start
    await eventually(
      'the conditions of the flow schemas',
      async () => (await server.inject({ url: flowSchemas, user })).json().items as any[],
      items => items.every(({ status }) => status.conditions?.length > 0)
    )
    const lists = await Promise.all(paths.map(async url => (await server.inject({ url, user })).json().items as any[]))
    const objects = lists.flat()
    const alike = objects.map(({ metadata: { uid, resourceVersion, ...metadata }, ...object }) => ({ ...object, metadata }))
    const texts = alike.map(object => JSON.stringify(object).replaceAll(inJson(server.caCertificate), 'the authority'))
    return { objects, common: texts.map(text => text.replaceAll(otherCertificate, 'another authority')) }
  } finally {
    await server.stop()
  }
}

describe('the objects that a server begins with', () => {
  it('are those that it would make itself, written in one commit', async () => {
    const prepared = await begun({})
    const made = await begun({ featureGates: {} })
    assert.deepEqual(prepared.common, made.common)
    assert.equal(prepared.common.filter(text => text.includes('the authority') && text.includes('another authority')).length, 1)
    const versions = (of: any[]) => new Set(of.map(({ metadata }) => metadata.resourceVersion)).size
    assert.equal(versions(prepared.objects), 1)
    assert.ok(versions(made.objects) > 10)
    assert.equal(new Set(prepared.objects.map(({ metadata }) => metadata.uid)).size, prepared.objects.length)
  })

  it('are left alone in a store that has some', async () => {
    const store = openMemoryStore()
    const other = Buffer.from('{"kind":"Secret","apiVersion":"v1","metadata":{"name":"a","namespace":"default"}}')
    await store.commit([{ key: `${store.root}/secrets/default/a`, value: other }])
    const { objects, common } = await begun({ store })
    assert.ok(new Set(objects.map(({ metadata }) => metadata.resourceVersion)).size > 10)
    assert.deepEqual(common, (await begun({})).common)
  })
})
