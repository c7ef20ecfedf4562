/** What webhooks see of subresources, and what becomes of objects that they make another kind of. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { startWebhook, type TestWebhook } from '../../testkit/webhook-server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters'] }
const core = '/api/v1/namespaces/default'
const deployments = '/apis/apps/v1/namespaces/default/deployments'
let server: BinnacleServer
let hook: TestWebhook
let reviews: any[]
/** JSON Patches of the webhooks that are to be asked. */
let patches: object[][]
const ask = (method: string, url: string, body?: unknown) => send(server, method, url, body, { user })

before(async () => {
  hook = await startWebhook(({ apiVersion, kind, request }) => {
    reviews.push(request)
    const operations = patches.shift()
    const patch = operations && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') }
    return { apiVersion, kind, response: { uid: request.uid, allowed: true, ...patch } }
  })
  server = createServer({ log: silentLogger, controllers: ['token-cleaner-controller'] })
  await server.start()
  const webhook = (name: string, rules: object, more: object = {}) => ({
    name: `${name}.example.com`,
    clientConfig: { url: hook.url, caBundle: hook.caBundle },
    rules: [{ apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], ...rules }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more
  })
  const subresources = {
    apiGroups: ['*'],
    resources: ['deployments/scale', 'things/scale', 'pods/binding', 'serviceaccounts/token']
  }
  const objects = { apiGroups: ['', 'example.com'], resources: ['configmaps', 'things'] }
  const configurations: [string, object[]][] = [
    [
      'mutatingwebhookconfigurations',
      [webhook('a', subresources), webhook('b', objects, { reinvocationPolicy: 'IfNeeded' }), webhook('c', objects)]
    ],
    ['validatingwebhookconfigurations', [webhook('d', subresources)]]
  ]
  const replicas = { type: 'object', properties: { replicas: { type: 'integer' } } }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: replicas, status: replicas } } }
  const subresourcesOfThings = { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } }
  const names = { plural: 'things', kind: 'Thing' }
  const spec = {
    group: 'example.com',
    scope: 'Cluster',
    names,
    versions: [{ name: 'v1', served: true, storage: true, schema, subresources: subresourcesOfThings }]
  }
  await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: { name: 'things.example.com' }, spec })
  await ask('POST', `${core}/serviceaccounts`, { metadata: { name: 'default' } })
  const pod = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  await ask('POST', `${core}/pods`, { ...pod, metadata: { name: 'p' } })
  await ask('POST', deployments, { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template: pod } })
  for (const [kind, webhooks] of configurations) {
    const { status } = await ask('POST', `/apis/admissionregistration.k8s.io/v1/${kind}`, { metadata: { name: 'w' }, webhooks })
    assert.equal(status, 201)
  }
})
after(async () => {
  await server.stop()
  await hook.close()
})
beforeEach(() => {
  reviews = []
  patches = []
})

test('those who may change a Scale see it as it was sent, with its owners', async () => {
  assert.equal((await ask('PUT', `${deployments}/d/scale`, { metadata: { name: 'd' }, spec: { replicas: 2 } })).status, 200)
  const [mutating, validating] = reviews
  assert.deepEqual(mutating.object.status, { replicas: 0 })
  assert.deepEqual(mutating.oldObject.status, { replicas: 0, selector: 'a=b' })
  const [entry] = mutating.object.metadata.managedFields
  assert.deepEqual(
    [entry.apiVersion, entry.subresource, entry.fieldsV1],
    ['autoscaling/v1', 'scale', { 'f:spec': { 'f:replicas': {} } }]
  )
  assert.ok(entry.time)
  assert.equal(mutating.oldObject.metadata.managedFields[0].subresource, undefined)
  assert.equal(validating.object.metadata.managedFields, undefined)
  assert.deepEqual(validating.object.status, { replicas: 0, selector: 'a=b' })
  assert.equal(reviews.length, 2)
})

test('replicas that stay have the same owner in the review', async () => {
  const owners = async (replicas: number) => {
    reviews = []
    await ask('PUT', `${deployments}/d/scale`, { metadata: { name: 'd' }, spec: { replicas } })
    return reviews[0].object.metadata.managedFields?.map(({ manager, subresource }: any) => [manager, subresource])
  }
  const [first] = await owners(5)
  assert.deepEqual(await owners(5), [first])
  assert.equal(await owners(0), undefined)
  await owners(2)
})

test('objects of subresources have owners, and are reviewed once', async () => {
  const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } }
  assert.equal((await ask('POST', `${core}/pods/p/binding`, binding)).status, 201)
  const token = await ask('POST', `${core}/serviceaccounts/default/token`, { spec: { expirationSeconds: 600 } })
  assert.equal(token.status, 201)
  assert.equal(token.body.metadata.managedFields.length, 1)
  const owned = ({ subResource, object }: any) => [subResource, object.metadata.managedFields?.[0].fieldsV1]
  assert.deepEqual(reviews.map(owned), [
    ['binding', { 'f:target': {} }],
    ['binding', { 'f:target': {} }],
    ['token', { 'f:spec': { 'f:expirationSeconds': {} } }],
    ['token', { 'f:spec': { 'f:expirationSeconds': {} } }]
  ])
})

const kindOf = (value: string) => [{ op: 'replace', path: '/kind', value }]
const configMap = { metadata: { name: 'x' }, data: { a: 'x' } }

test('an object of another kind is refused when all webhooks have been asked', async () => {
  patches = [[...kindOf('Secret'), { op: 'remove', path: '/data' }]]
  const { body } = await ask('POST', `${core}/configmaps`, configMap)
  assert.deepEqual(
    [body.code, body.reason, body.message],
    [500, undefined, 'converting (v1.Secret) to (core.ConfigMap): unknown conversion']
  )
  assert.deepEqual(
    reviews.map(({ object }) => object.kind),
    ['ConfigMap', 'Secret']
  )
})

test('it has the fields of the other kind', async () => {
  patches = [kindOf('Secret')]
  const { body } = await ask('POST', `${core}/configmaps`, configMap)
  assert.equal(body.message, 'Internal error occurred: illegal base64 data at input byte 0')
  assert.equal(reviews.length, 1)
})

test('a later patch may put it right', async () => {
  patches = [[...kindOf('Secret'), { op: 'remove', path: '/data' }], kindOf('ConfigMap')]
  const { status, body } = await ask('POST', `${core}/configmaps?dryRun=All`, configMap)
  assert.deepEqual([status, body.kind, body.data], [201, 'ConfigMap', undefined])
})

test('a custom resource needs a kind, and stays in its group', async () => {
  for (const [operation, code, message] of [
    [
      { op: 'remove', path: '/kind' },
      500,
      /^Internal error occurred: Object 'Kind' is missing in '{"apiVersion":"example.com\/v1"/
    ],
    [
      { op: 'replace', path: '/apiVersion', value: 'v2' },
      500,
      /^\/v2, Kind=Thing is unstructured and is not suitable for converting to "example.com\/v1"$/
    ],
    [
      { op: 'replace', path: '/apiVersion', value: 'example.com/v2' },
      500,
      /^request to convert CR from an invalid group\/version: example.com\/v2$/
    ],
    [{ op: 'replace', path: '/kind', value: 'Other' }, 422, /kind: Invalid value: "Other": must be Thing$/]
  ] as const) {
    patches = [[operation]]
    const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' } }
    const { body } = await ask('POST', '/apis/example.com/v1/things', thing)
    assert.equal(body.code, code, body.message)
    assert.match(body.message, message)
  }
})

test('a webhook is asked again when a later one adds a field to a custom resource, also one that is pruned', async () => {
  patches = [[], [{ op: 'add', path: '/unknown', value: 1 }]]
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'y' } }
  const { status, body } = await ask('POST', '/apis/example.com/v1/things', thing)
  assert.deepEqual([status, body.unknown, reviews.length], [201, undefined, 3])
})

test('a Scale without replicas has the least number before the change', async () => {
  const { status } = await ask('PUT', '/apis/example.com/v1/things/y/scale', { metadata: { name: 'y' }, spec: { replicas: 2 } })
  const [{ object, oldObject }] = reviews
  assert.deepEqual([status, object.spec.replicas, oldObject.spec.replicas], [200, 2, -(2 ** 31)])
})
