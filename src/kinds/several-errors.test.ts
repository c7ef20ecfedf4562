/** Objects with several errors at once, or odd ones: which of them kube-apiserver reports, and in which order. Observed, beside each other. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../server/binnacle-server.js'
import { createServer } from '../server/server.js'

const user = { name: 'tester', groups: ['system:masters'] }
const namespaced = (api: string) => `/${api.includes('/') ? 'apis' : 'api'}/${api}/namespaces/default/`
let server: BinnacleServer

before(async () => {
  server = createServer({ log: { info() {}, warn() {}, error() {} } as never })
  await server.start()
})
after(() => server.stop())

async function send(method: string, path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const answer = await server.inject({ method, url: `${path}?dryRun=All`, user, body, headers })
  return { status: answer.status, body: answer.json() }
}

/** The fields of the errors. */
async function fields(path: string, body: object, method = 'POST'): Promise<string[]> {
  const answer = await send(method, path, body)
  assert.equal(answer.status, 422, JSON.stringify(answer.body))
  return answer.body.details.causes.map((cause: any) => cause.field)
}

async function store(path: string, body: object): Promise<void> {
  const answer = await server.inject({ method: 'POST', url: path, user, body, headers: { 'content-type': 'application/json' } })
  assert.equal(answer.status, 201)
}

const selector = { matchLabels: { app: 'web' } }
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }

test("a DaemonSet's limits are read before they are compared with 100 %", async () => {
  const rollingUpdate = { maxUnavailable: '120%', maxSurge: 'x' }
  const spec = { selector, template, updateStrategy: { type: 'RollingUpdate', rollingUpdate } }
  const at = 'spec.updateStrategy.rollingUpdate'
  assert.deepEqual(await fields(`${namespaced('apps/v1')}daemonsets`, { metadata: { name: 'd' }, spec }), [
    `${at}.maxSurge`,
    `${at}.maxUnavailable`
  ])
})

test("a ReplicaSet's observed generation comes before the Pods that end", async () => {
  const path = `${namespaced('apps/v1')}replicasets`
  const object = { metadata: { name: 'counted' }, spec: { selector, template } }
  await store(path, object)
  const status = { replicas: 0, observedGeneration: -1, terminatingReplicas: -1 }
  assert.deepEqual(await fields(`${path}/counted/status`, { ...object, status }, 'PUT'), [
    'status.observedGeneration',
    'status.terminatingReplicas'
  ])
})

test("a claim's sources are compared before its attributes class is looked at", async () => {
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
    dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
    volumeAttributesClassName: 'A'
  }
  assert.deepEqual(await fields(`${namespaced('v1')}persistentvolumeclaims`, { metadata: { name: 'c' }, spec }), [
    'spec',
    'spec.volumeAttributesClassName'
  ])
})

test('the missing right to administer devices comes first', async () => {
  const requests = [{ name: 'a', exactly: { deviceClassName: 'c', adminAccess: true } }, { name: 'A' }]
  const claim = { devices: { requests } }
  const all = await fields(`${namespaced('resource.k8s.io/v1')}resourceclaimtemplates`, {
    metadata: { name: 't', labels: { a: 'b c' } },
    spec: { spec: claim }
  })
  assert.deepEqual(all.slice(0, 3), [
    'spec.devices.requests[0].adminAccess',
    'metadata.labels',
    'spec.spec.devices.requests[1].name'
  ])
})

test('a device at the path of a mount is told of the last mount of each name', async () => {
  const volumeMounts = [
    { name: 'v', mountPath: '/a' },
    { name: 'v', mountPath: '/b' }
  ]
  const container = (devicePath: string) => ({
    ...template.spec.containers[0],
    volumeMounts,
    volumeDevices: [{ name: 'w', devicePath }]
  })
  const volumes = ['v', 'w'].map(name => ({ name, persistentVolumeClaim: { claimName: name } }))
  const pod = (devicePath: string) => ({ metadata: { name: 'p' }, spec: { containers: [container(devicePath)], volumes } })
  const path = `${namespaced('v1')}podtemplates`
  const body = (devicePath: string) => ({ metadata: { name: 'p' }, template: pod(devicePath) })
  assert.deepEqual(await fields(path, body('/a')), ['template.spec.containers[0].volumeMounts[0].mountPath'])
  assert.deepEqual(await fields(path, body('/b')), [
    'template.spec.containers[0].volumeMounts[1].mountPath',
    'template.spec.containers[0].volumeDevices[0].devicePath'
  ])
})

test('the generateName of a CertificateSigningRequest is validated when all else is right', async () => {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
  const metadata = { name: 'c', generateName: 'a/b' }
  const errors = await fields(path, { metadata, spec: { request: 'YQ==', signerName: 'a.b/c', usages: ['any'] } })
  assert.deepEqual(errors, ['spec.request'])
})

test('an empty list counts as a field at the root of a schema with status', async () => {
  const schema = (more: object) => ({ openAPIV3Schema: { type: 'object', ...more } })
  const definition = (more: object) => ({
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: schema(more) }]
    }
  })
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  assert.equal((await send('POST', path, definition({ required: [] }))).status, 201)
  assert.deepEqual(await fields(path, definition({ allOf: [] })), ['spec.validation.openAPIV3Schema'])
})

test('an empty schema for additional items keeps a definition from being structural', async () => {
  const openAPIV3Schema = { type: 'object', additionalItems: {} }
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, selectableFields: [{ jsonPath: '.spec' }] }
  ]
  const names = { plural: 'things', kind: 'Thing' }
  const body = { metadata: { name: 'things.example.com' }, spec: { group: 'example.com', scope: 'Namespaced', names, versions } }
  const all = await fields('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body)
  assert.ok(all.includes('spec.schema.openAPIV3Schema'), all.join())
})
