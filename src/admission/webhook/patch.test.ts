import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { StatusError } from '../../apimachinery/status/status.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { startWebhook, type TestWebhook } from '../../testkit/webhook-server.js'
import { silentLogger } from '../../util/logger.js'
import { WebhookFailure } from './call.js'
import { applyPatch } from './patch.js'

/** Applies the patch in an answer to an object; returns whether that changed, or the error. */
const applied = (patch: string, shown: object | null, patchType = 'JSONPatch') =>
  applyPatch({} as never, 'h', { patch, patchType } as never, {} as never, shown).catch((error: unknown) => error)

test('an empty patch changes nothing, also where there is no object', async () => {
  for (const patch of ['', '[]', ' []']) assert.deepEqual(await applied(patch, null), undefined)
})

test('where there is no object, as for a deletion, there is nothing to patch', async () => {
  const error = await applied('[{"op":"add","path":"/a","value":1}]', null)
  assert.ok(error instanceof StatusError)
  assert.deepEqual(
    [error.code, error.message],
    [
      500,
      'Internal error occurred: admission webhook "h" attempted to modify the object, which is not supported for this operation'
    ]
  )
})

test('a patch of another type, or that cannot be decoded, is a failure of the webhook', async () => {
  for (const [patch, type, code, message] of [
    ['[{"op":"add","path":"/a","value":1}]', 'X', 400, /: unsupported patch type "X"$/],
    ['{', 'JSONPatch', 503, /: received undecodable patch in webhook response: /]
  ] as const) {
    const error = await applied(patch, {}, type)
    assert.ok(error instanceof WebhookFailure)
    assert.equal(error.code, code)
    assert.match(error.message, message)
  }
})

test('others have their turns between the operations of a long patch', async () => {
  const adding = Array.from({ length: 5000 }, () => ({ op: 'add', path: '/l/100000', value: 1 }))
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const error = await applied(JSON.stringify([...adding, { op: 'remove', path: '/none' }]), { l: Array(200_000).fill(0) })
  isOver = true
  assert.match((error as Error).message, /Unable to remove nonexistent key: none/)
  assert.ok(turns > 3, `${turns} turns`)
})

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
let server: BinnacleServer
let hook: TestWebhook
let operations: object[]
const send = async (url: string, body: object) => (await server.inject({ method: 'POST', url, user, body })).json() as any

before(async () => {
  hook = await startWebhook(({ apiVersion, kind, request }) => {
    const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
    return { apiVersion, kind, response: { uid: request.uid, allowed: true, patchType: 'JSONPatch', patch } }
  })
  server = createServer({ log: silentLogger })
  await server.start()
  const properties = {
    text: { type: 'string' },
    filled: { type: 'string', default: 'd' },
    free: { type: 'string', nullable: true }
  }
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties } }
  const versions = ['v1', 'v2'].map(name => ({ name, served: true, storage: name === 'v1', schema }))
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' }
  const definition = {
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Cluster', names, versions }
  }
  assert.equal(
    (await send('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).kind,
    'CustomResourceDefinition'
  )
  const webhook = {
    name: 'hook.example.com',
    clientConfig: { url: hook.url, caBundle: hook.caBundle },
    rules: [
      { apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] },
      { apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps'] }
    ],
    sideEffects: 'None',
    admissionReviewVersions: ['v1']
  }
  await send('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'w' },
    webhooks: [webhook]
  })
})
after(async () => {
  await server.stop()
  await hook.close()
})

/** Creates a custom resource, which the webhook patches. */
async function patched(...patch: object[]) {
  operations = patch
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' }, a: 1 }
  return send('/apis/example.com/v1/things?dryRun=All', thing)
}

test('a patch may change the version of a custom resource to another one that is served, and not its kind', async () => {
  const version = (value: string) => ({ op: 'replace', path: '/apiVersion', value })
  const made = await patched(version('example.com/v2'), { op: 'add', path: '/a', value: 2 })
  assert.deepEqual([made.apiVersion, made.kind, made.a], ['example.com/v1', 'Thing', 2], made.message)
  for (const [wrong, expected] of [
    [version('example.com/v3'), 500],
    [version('other.com/v2'), 500],
    [{ op: 'replace', path: '/kind', value: 'Other' }, 422]
  ] as const) {
    const { code, message } = await patched(wrong)
    assert.equal(code, expected, message)
  }
})

test('a null that a patch sets stays for the validation, unless a default takes its place', async () => {
  const { code, details } = await patched({ op: 'add', path: '/text', value: null }, { op: 'add', path: '/free' })
  assert.equal(code, 422)
  const wrong = 'Invalid value: "null": text in body must be of type string: "null"'
  assert.deepEqual(
    details.causes.map(({ message }: any) => message),
    [wrong]
  )
  assert.equal((await patched({ op: 'add', path: '/filled', value: null })).filled, 'd')
})

test('metadata of null can be given no uid', async () => {
  const { code, message } = await patched({ op: 'add', path: '/metadata', value: null })
  assert.deepEqual([code, message], [500, 'Internal error occurred: system metadata was not initialized'])
  assert.equal((await patched({ op: 'remove', path: '/metadata' })).code, 422)
})

test('metadata that a patch removes from an object comes back, but not its name', async () => {
  const url = '/api/v1/namespaces/default/configmaps'
  const { metadata } = await send(url, { metadata: { name: 'c', labels: { a: 'b' } } })
  const update = async (...patch: object[]) => {
    operations = patch
    return (await server.inject({ method: 'PUT', url: `${url}/c`, user, body: { metadata: { name: 'c' } } })).json()
  }
  const { namespace, uid, creationTimestamp, labels } = (await update({ op: 'add', path: '/metadata', value: { name: 'c' } }))
    .metadata
  assert.deepEqual({ namespace, uid, creationTimestamp, labels }, { ...metadataOf(metadata), labels: undefined })
  assert.equal(
    (await update({ op: 'remove', path: '/metadata/name' })).message,
    'ConfigMap "" is invalid: [metadata.name: Required value: name or generateName is required, metadata.name: Invalid value: "": field is immutable]'
  )
  const { code } = await update({ op: 'replace', path: '/metadata/namespace', value: 'other' })
  assert.equal(code, 400)
})

const metadataOf = ({ namespace, uid, creationTimestamp }: any) => ({ namespace, uid, creationTimestamp })
