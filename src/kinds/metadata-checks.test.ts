/** Kinds validate metadata in orders of their own: finalizers without a domain show which checks ran, and when. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../server/binnacle-server.js'
import { createServer } from '../server/server.js'
import { send } from '../testkit/send.js'
import { silentLogger } from '../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
  const account = '/api/v1/namespaces/default/serviceaccounts/default'
  while ((await server.inject({ method: 'GET', url: account, user })).status === 404) await new Promise(setImmediate)
})
after(() => server.stop())

const ask = (method: string, url: string, body?: unknown) => send(server, method, url, body)

const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIV01IOENBUUF3SFRFTU1Bb0dBMVVFQ2d3RFpHVjJNUTB3Q3dZRFZRUUREQVJqYjI1bU1Ga3dFd1lIS29aSQp6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUVkZ0JGZmVXTXl4a21pYUc4WFpabjRMVStwUXU5dU00SENpckd0c0JlCjluUTRQNXVldy9weldacS9yVDVVMWw3dnkzd2ZLVEJ1M2VIa3pUcjFjelpQU2FBQU1Bb0dDQ3FHU000OUJBTUMKQTBjQU1FUUNJQjVaMFBWSm5qd1dVQUpRMmJJYjBvcTVHcHdpYXJvRG1WdTVuUk44VUIzRUFpQlVrZzc5TmFFdwphWFd1T3FKMnp0bWtwL09rQkljWjZINC9CZHJvWmpWWUtnPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=='
const inDefault = (group: string) => `${group}/namespaces/default`
const generic = 'finalizers'
const own = 'finalizers[1]'

for (const [title, collection, body, expected, subresource = ''] of [
  ['a ConfigMap', `${inDefault('/api/v1')}/configmaps`, {}, [generic, own]],
  [
    'a Pod',
    `${inDefault('/api/v1')}/pods`,
    { spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false } },
    [generic, own]
  ],
  [
    'a claim',
    `${inDefault('/api/v1')}/persistentvolumeclaims`,
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    [generic, own]
  ],
  ['a ControllerRevision', `${inDefault('/apis/apps/v1')}/controllerrevisions`, { revision: 1, data: {} }, [generic, own]],
  ['a Namespace', '/api/v1/namespaces', {}, [generic, own]],
  ['a Role', `${inDefault('/apis/rbac.authorization.k8s.io/v1')}/roles`, {}, [generic, own]],
  ['a ClusterRole', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {}, [generic, own]],
  ['a ResourceClaim', `${inDefault('/apis/resource.k8s.io/v1')}/resourceclaims`, {}, [generic, own]],
  ['a DeviceClass', '/apis/resource.k8s.io/v1/deviceclasses', { spec: {} }, [generic, own]],
  ...['', '/approval', '/status'].map(
    subresource =>
      [
        `a CertificateSigningRequest${subresource && ` through ${subresource}`}`,
        '/apis/certificates.k8s.io/v1/certificatesigningrequests',
        { spec: { request, signerName: 'example.com/s', usages: ['client auth'] } },
        [generic, own],
        subresource
      ] as const
  )
] as const)
  test(`${title} has its finalizers checked in kube-apiserver's order`, async () => {
    const name = `f${subresource.slice(1)}`
    const created = await ask('POST', collection, { ...body, metadata: { name } })
    assert.equal(created.status, 201, created.body.message)
    const updated = await ask('PUT', `${collection}/${name}${subresource}`, {
      ...created.body,
      metadata: { ...created.body.metadata, finalizers: ['/abs', 'b', 'example.com/c'] }
    })
    assert.equal(updated.status, 422)
    assert.deepEqual(
      updated.body.details.causes.map((cause: any) => cause.field.replace('metadata.', '')),
      expected
    )
  })

test('the finalize subresource of a Namespace checks only what it changes', async () => {
  const { body } = await ask('POST', '/api/v1/namespaces', { metadata: { name: 'fin' } })
  const metadata = { ...body.metadata, finalizers: ['b'] }
  const { body: refused } = await ask('PUT', '/api/v1/namespaces/fin/finalize', { ...body, metadata })
  assert.deepEqual(
    refused.details.causes.map((cause: any) => cause.field),
    ['metadata.finalizers[0]']
  )
})

test('every controller after the first is refused where it stands', async () => {
  const owner = (name: string, uid = name) => ({ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true })
  const ownerReferences = [owner('a'), owner('b'), owner('c', '')]
  const url = '/api/v1/namespaces/default/configmaps'
  const { body } = await ask('POST', url, { metadata: { name: 'owned', ownerReferences } })
  const causes: string[] = body.details.causes.map((cause: any) => cause.message.replace(/^.*]: |^Required value: /, ''))
  const both = (other: string) =>
    `Only one reference can have Controller set to true. Found "true" in references for Pod/a and Pod/${other}`
  assert.deepEqual(causes.slice(0, 3), [both('b'), 'must not be empty', both('c')])
})
