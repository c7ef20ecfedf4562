/** What webhooks see of a custom resource that those before them have changed, and what becomes of it. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { startWebhook, type TestWebhook } from '../../testkit/webhook-server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const things = '/apis/example.com/v1/things'
let server: BinnacleServer
let hook: TestWebhook
/** The patch of the first webhook. */
let operations: object[]
let seen: { readonly hook: string; readonly object: any }[]

const send = async (method: string, url: string, body?: object, type = 'application/json') => {
  const answer = await server.inject({ method, url, user, ...(body ? { body, headers: { 'content-type': type } } : {}) })
  return answer.json() as any
}

before(async () => {
  seen = []
  operations = []
  hook = await startWebhook(({ apiVersion, kind, request }, path) => {
    const name = path.slice(1, 2)
    seen.push({ hook: name, object: request.object })
    const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
    const patched = name === 'a' && operations.length > 0 && request.object !== null
    return {
      apiVersion,
      kind,
      response: { uid: request.uid, allowed: true, ...(patched ? { patchType: 'JSONPatch', patch } : {}) }
    }
  })
  server = createServer({ log: silentLogger })
  await server.start()
  const spec = { type: 'object', properties: { a: { type: 'integer' } } }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
  const versions = ['v1', 'v2'].map(name => ({
    name,
    served: true,
    storage: name === 'v1',
    schema,
    subresources: { status: {} }
  }))
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' }
  const definition = {
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Cluster', names, versions }
  }
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  const webhook = (name: string, more: object = {}) => ({
    name: `${name}.example.com`,
    clientConfig: { url: `${hook.url}/${name}`, caBundle: hook.caBundle },
    rules: [
      {
        apiGroups: ['example.com', ''],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['things', 'configmaps']
      }
    ],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more
  })
  const registration = '/apis/admissionregistration.k8s.io/v1'
  const selective = webhook('c', { objectSelector: { matchLabels: { odd: 'yes' } } })
  const mutating = [webhook('r', { reinvocationPolicy: 'IfNeeded' }), webhook('a'), webhook('b'), selective]
  await send('POST', `${registration}/mutatingwebhookconfigurations`, { metadata: { name: 'm' }, webhooks: mutating })
  await send('POST', `${registration}/validatingwebhookconfigurations`, { metadata: { name: 'v' }, webhooks: [webhook('v')] })
})
after(async () => {
  await server.stop()
  await hook.close()
})
beforeEach(() => {
  seen = []
})

let count = 0
const thing = () => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: `t${count++}`, labels: { x: '1' } },
  spec: { a: 1 }
})
async function created(...patch: object[]) {
  operations = patch
  return send('POST', things, thing())
}
const shownTo = (name: string) => seen.filter(call => call.hook === name).map(({ object }) => object)
const names = () => seen.map(call => call.hook).join('')

test('fields that the schema does not have are seen until the object is stored', async () => {
  const made = await created(
    { op: 'add', path: '/unknown', value: 1 },
    { op: 'add', path: '/spec/more', value: 2 },
    { op: 'add', path: '/metadata/odd', value: 3 },
    { op: 'add', path: '/metadata/annotations', value: null }
  )
  for (const name of ['b', 'v']) {
    const [{ unknown, spec, metadata }] = shownTo(name)
    assert.deepEqual([unknown, spec.more, metadata.odd, metadata.annotations], [1, 2, 3, null], name)
  }
  const stored = await send('GET', `${things}/${made.metadata.name}`)
  for (const object of [made, stored]) {
    assert.deepEqual(object.spec, { a: 1 })
    assert.deepEqual([object.unknown, object.metadata.odd, 'annotations' in object.metadata], [undefined, undefined, false])
  }
  assert.equal(made.metadata.generation, 1)
})

test('metadata that do not fit are refused by the validation, with what the object has', async () => {
  for (const [path, value, why] of [
    ['labels/y', 1, 'cannot convert int64 to string'],
    ['labels', [], 'cannot restore map from slice'],
    ['finalizers', 'x', 'cannot restore slice from string'],
    ['generateName', true, 'unrecognized type: string']
  ] as const) {
    const { code, details } = await created({ op: 'add', path: `/metadata/${path}`, value })
    assert.equal(code, 422, path)
    const [{ field, message }] = details.causes
    assert.equal(field, 'metadata')
    assert.match(message, /^Invalid value: \{"creationTimestamp":"[^"]+",.*"name":"t\d+","uid":"[^"]+"\}: /)
    assert.ok(message.endsWith(`: ${why}`), message)
  }
})

test('a field that the server sets is right, whatever a webhook has given for it', async () => {
  const made = await created(
    { op: 'add', path: '/metadata/uid', value: 5 },
    { op: 'add', path: '/metadata/generation', value: 'x' }
  )
  assert.equal(made.metadata.generation, 1, made.message)
  assert.equal(typeof made.metadata.uid, 'string')
})

test('a status takes none of the metadata and not the kind, so that they may be anything', async () => {
  const { metadata } = await created()
  operations = [
    { op: 'add', path: '/metadata/labels', value: 'x' },
    { op: 'add', path: '/kind', value: 'Other' }
  ]
  const webhooks = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/m'
  const rule = '/webhooks/1/rules/0/resources/-'
  await send('PATCH', webhooks, [{ op: 'add', path: rule, value: 'things/status' }], 'application/json-patch+json')
  const changed = await send('PATCH', `${things}/${metadata.name}/status`, { status: {} }, 'application/merge-patch+json')
  assert.deepEqual([changed.kind, changed.metadata?.labels], ['Thing', { x: '1' }], changed.message)
  assert.equal(shownTo('a').at(-1).kind, 'Thing')
})

test('kind and apiVersion have to be texts, and an apiVersion has one slash at most', async () => {
  for (const [path, value, why] of [
    [
      '/kind',
      5,
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string"
    ],
    [
      '/apiVersion',
      {},
      "couldn't get version/kind; json parse error: json: cannot unmarshal object into Go struct field .apiVersion of type string"
    ],
    ['/apiVersion', 'a/b/c', 'unexpected GroupVersion string: a/b/c']
  ] as const) {
    const { code, message } = await created({ op: 'add', path, value })
    assert.deepEqual([code, message], [500, `Internal error occurred: ${why}`])
  }
})

test('an update without metadata lacks its version; so does an apply that loses it', async () => {
  const { metadata } = await created()
  const wrong = `things.example.com "${metadata.name}" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`
  const config = { apiVersion: 'example.com/v1', kind: 'Thing', spec: { a: 2 } }
  for (const patch of [
    { op: 'add', path: '/metadata', value: null },
    { op: 'remove', path: '/metadata' },
    { op: 'remove', path: '/metadata/resourceVersion' }
  ]) {
    operations = [patch]
    const url = `${things}/${metadata.name}`
    assert.equal((await send('PATCH', url, { spec: { a: 2 } }, 'application/merge-patch+json')).message, wrong)
    const applied = await send('PATCH', `${url}?fieldManager=m&force=true`, config, 'application/apply-patch+yaml')
    assert.equal(applied.message, wrong)
  }
})

test('an apply that creates reads the version that a webhook has set', async () => {
  const { apiVersion, kind, metadata } = thing()
  const apply = (value: string) => {
    operations = [{ op: 'add', path: '/metadata/resourceVersion', value }]
    const config = { apiVersion, kind, metadata: { name: metadata.name } }
    return send('PATCH', `${things}/${metadata.name}?fieldManager=m`, config, 'application/apply-patch+yaml')
  }
  assert.equal((await apply('x')).message, 'strconv.ParseUint: parsing "x": invalid syntax')
  assert.equal(
    (await apply('18446744073709551616')).message,
    'strconv.ParseUint: parsing "18446744073709551616": value out of range'
  )
})

test('labels that a webhook has set select the next one, if they can be read', async () => {
  await created({ op: 'add', path: '/metadata/labels/odd', value: 'yes' })
  assert.equal(names(), 'rabcrv')
  seen = []
  await created({ op: 'add', path: '/metadata/labels', value: { odd: 'yes', other: 1 } })
  assert.equal(names(), 'rabr')
})

test('the new time of an owner is a change of a built-in object, but not of a custom resource', async () => {
  const same = { op: 'test', path: '/metadata/labels/x', value: '1' }
  const url = '/api/v1/namespaces/default/configmaps'
  operations = [same]
  await send('POST', url, { metadata: { name: 'c', labels: { x: '1' } } })
  assert.equal(names(), 'rabrv')
  seen = []
  // nothing changes, so that the owner keeps the time that was stored
  await send('PATCH', `${url}/c`, { metadata: { labels: { x: '1' } } }, 'application/merge-patch+json')
  assert.equal(names(), 'rabv')
  seen = []
  await created(same)
  assert.equal(names(), 'rabv')
})

test('a changed kind is seen by the next webhook, but not when webhooks are asked again', async () => {
  const kinds = (name: string) => shownTo(name).map(({ kind }) => kind)
  const { code } = await created({ op: 'replace', path: '/kind', value: 'Other' })
  assert.deepEqual([kinds('b'), kinds('r')], [['Other'], ['Thing', 'Thing']])
  assert.equal(code, 422)
})
