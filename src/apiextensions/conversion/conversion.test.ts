/** Custom resources with a conversion webhook, in a whole server. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { startWebhook, type TestWebhook } from '../../testkit/webhook-server.js'
import { silentLogger } from '../../util/logger.js'

let server: BinnacleServer
let hook: TestWebhook
/** The error text of the webhook; '' when it converts. */
let refusal: string | undefined
/** The end of the only version to which it does not convert. */
let refusedVersion = ''
/** What the webhook puts before an address. */
let mark = ''

/** v1 has spec.host and spec.port, v2 has spec.address: "host:port". */
function convert({ request }: any): unknown {
  const { uid, desiredAPIVersion, objects } = request
  if (refusal && desiredAPIVersion.endsWith(refusedVersion))
    return review({ uid, result: { status: 'Failure', message: refusal } })
  const convertedObjects = objects.map(({ spec, ...object }: any) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: desiredAPIVersion.endsWith('/v2') ? toV2(spec) : toV1(spec)
  }))
  return review({ uid, result: { status: 'Success' }, convertedObjects })
}
const review = (response: unknown) => ({ kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response })
const toV2 = ({ host, port }: any) => ({ address: `${mark}${host}:${port}` })
const toV1 = ({ address }: any) => ({ host: address.split(':')[0], port: Number(address.split(':')[1]) })

const schemaOf = (properties: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } }
})
const version = (name: string, storage: boolean, properties: object) => ({
  name,
  served: true,
  storage,
  schema: schemaOf(properties)
})

const ask = (url: string, body?: unknown, method = body === undefined ? 'GET' : 'POST', type = 'application/json') =>
  send(server, method, url, body, { type })
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

async function define(group: string, clientConfig: object): Promise<void> {
  const made = await ask(definitions, {
    metadata: { name: `targets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'targets', kind: 'Target' },
      versions: [
        version('v1', true, { host: { type: 'string' }, port: { type: 'integer', default: 80 } }),
        version('v2', false, { address: { type: 'string' } })
      ],
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } }
    }
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  while ((await ask(`/apis/${group}/v1/targets`)).status !== 200) await new Promise(setImmediate)
}
const path = (group: string, version: string, name = '') => `/apis/${group}/${version}/namespaces/default/targets/${name}`
const target = (group: string, version: string, name: string, spec: object) => ({
  kind: 'Target',
  apiVersion: `${group}/${version}`,
  metadata: { name },
  spec
})

before(async () => {
  hook = await startWebhook(convert, ['hooks.default.svc'])
  server = createServer({ log: silentLogger, resolveService: { 'default/hooks': hook.host } })
  await server.start()
  await define('by-url.example.com', { url: `${hook.url}/convert`, caBundle: hook.caBundle })
})
after(async () => {
  await server.stop()
  await hook.close()
})

test('an object written in one version can be read in the other', async () => {
  const group = 'by-url.example.com'
  await ask(path(group, 'v1'), target(group, 'v1', 'a', { host: 'x' }))
  const two = await ask(path(group, 'v2'), target(group, 'v2', 'b', { address: 'y:81' }))
  assert.deepEqual([two.status, two.body.spec], [201, { address: 'y:81' }])
  assert.deepEqual((await ask(path(group, 'v2', 'a'))).body.spec, { address: 'x:80' })
  assert.deepEqual((await ask(path(group, 'v1', 'b'))).body.spec, { host: 'y', port: 81 })
  const list = await ask(path(group, 'v2'))
  assert.deepEqual(
    list.body.items.map((o: any) => [o.apiVersion, o.spec.address]),
    [
      [`${group}/v2`, 'x:80'],
      [`${group}/v2`, 'y:81']
    ]
  )
})

test('patches and applies through the other version change the stored object, and track its field managers', async () => {
  const group = 'by-url.example.com'
  await ask(path(group, 'v1'), target(group, 'v1', 'p', { host: 'x' }))
  const patched = await ask(path(group, 'v2', 'p'), { spec: { address: 'z:82' } }, 'PATCH', 'application/merge-patch+json')
  assert.deepEqual([patched.status, patched.body.spec], [200, { address: 'z:82' }])
  assert.deepEqual((await ask(path(group, 'v1', 'p'))).body.spec, { host: 'z', port: 82 })
  const applied = await ask(
    `${path(group, 'v2', 'p')}?fieldManager=me&force=true`,
    target(group, 'v2', 'p', { address: 'w:83' }),
    'PATCH',
    'application/apply-patch+yaml'
  )
  assert.deepEqual([applied.status, applied.body.spec], [200, { address: 'w:83' }])
  const managers = applied.body.metadata.managedFields.map((m: any) => [m.manager, m.operation, m.apiVersion.split('/')[1]])
  assert.ok(managers.some((m: string[]) => m.join() === 'me,Apply,v2'))
})

test('a service is resolved by its override, and its certificate is for its name', async () => {
  const group = 'by-service.example.com'
  await define(group, { service: { namespace: 'default', name: 'hooks', path: '/convert' }, caBundle: hook.caBundle })
  await ask(path(group, 'v1'), target(group, 'v1', 'a', { host: 'x' }))
  assert.deepEqual((await ask(path(group, 'v2', 'a'))).body.spec, { address: 'x:80' })
})

test('the answer for one object is not larger than an object may be', async () => {
  const group = 'by-url.example.com'
  refusal = 'x'.repeat(4 * 1024 * 1024)
  const large = await ask(path(group, 'v2'), target(group, 'v2', 'large', { address: 'a:1' }))
  refusal = undefined
  assert.equal(large.status, 500)
  assert.match(large.body.message, /the answer is larger than 3\d{6} bytes$/)
  assert.equal((await ask(path(group, 'v1', 'large'))).status, 404)
})

test('a webhook that refuses or cannot be reached is a clear error, and nothing is written', async () => {
  const group = 'refused.example.com'
  await define(group, { url: `${hook.url}/convert`, caBundle: hook.caBundle })
  refusal = 'not today'
  const refused = await ask(path(group, 'v2'), target(group, 'v2', 'a', { address: 'x:1' }))
  refusal = undefined
  assert.equal(refused.status, 500)
  assert.equal(refused.body.message, `conversion webhook for ${group}/v2, Kind=Target failed: not today`)
  assert.equal((await ask(path(group, 'v1', 'a'))).status, 404)
  await define('away.example.com', { url: 'https://127.0.0.1:1/convert', caBundle: hook.caBundle })
  const away = await ask(path('away.example.com', 'v2'), target('away.example.com', 'v2', 'a', { address: 'x:1' }))
  assert.equal(
    away.body.message,
    'conversion webhook for away.example.com/v2, Kind=Target failed: Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused'
  )
})

test('reads and deletions ask the webhook each time, unless they take what is cached', async () => {
  const group = 'by-url.example.com'
  for (const name of ['m1', 'm2', 'm3']) await ask(path(group, 'v1'), target(group, 'v1', name, { host: name }))
  const two = (name: string) => path(group, 'v2', name)
  assert.equal((await ask(two('m1'))).body.spec.address, 'm1:80')
  const addresses = ({ body }: any) =>
    body.items.flatMap(({ metadata, spec }: any) => (metadata.name.startsWith('m') ? [spec.address] : []))
  assert.deepEqual(addresses(await ask(two('?limit=500'))), ['m1:80', 'm2:80', 'm3:80'])
  mark = 'new-'
  try {
    assert.equal((await ask(two('m1'))).body.spec.address, 'new-m1:80')
    assert.equal((await ask(two('m1?resourceVersion=0'))).body.spec.address, 'm1:80')
    assert.deepEqual(addresses(await ask(two(''))), ['new-m1:80', 'new-m2:80', 'new-m3:80'])
    assert.deepEqual(addresses(await ask(two('?fieldSelector=metadata.name=m2'))), ['new-m2:80'])
    assert.deepEqual(addresses(await ask(two('?resourceVersion=0'))), ['m1:80', 'm2:80', 'm3:80'])
    const patched = await ask(two('m1?dryRun=All'), { metadata: { labels: { a: 'b' } } }, 'PATCH', 'application/merge-patch+json')
    // converted for the patch, and once more as it would be read
    assert.equal(patched.body.spec.address, 'new-new-m1:80')
    const removed = await ask(two('m3?dryRun=All'), undefined, 'DELETE')
    assert.equal(removed.status, 200)
    refusal = 'not today'
    const refused = `object not decodable revision=\\d+: conversion webhook for ${group}/v1, Kind=Target failed: not today`
    const message = new RegExp(`AdditionalErrorMsg: ${refused}( \\(and \\d more\\))?$`)
    for (const answer of [
      await ask(two('m1')),
      await ask(two('')),
      await ask(two('m1'), undefined, 'DELETE'),
      await ask(two('m1?dryRun=All'), undefined, 'DELETE'),
      await ask(two('?labelSelector=none'), undefined, 'DELETE'),
      await ask(two('m1?dryRun=All'), { spec: {} }, 'PATCH', 'application/merge-patch+json')
    ]) {
      assert.equal(answer.status, 500)
      assert.match(answer.body.message, message)
    }
    // an update that is refused by what the cache has is tried again with what the store has
    const blind = await ask(two('m1'), target(group, 'v2', 'm1', { address: 'x:1' }), 'PUT')
    const failure = `object not decodable revision=\\d+: conversion webhook for ${group}/v1, Kind=Target failed: not today`
    assert.equal(blind.status, 500)
    assert.match(blind.body.message, new RegExp(failure))
    const { causes } = (await ask(two(''))).body.details
    for (const name of ['m1', 'm2', 'm3']) assert.ok(causes.some(({ field }: any) => field.endsWith(`/${name}`)))
    const rehearsed = await ask(two('?dryRun=All'), target(group, 'v2', 'm4', { address: 'x:1' }))
    assert.equal(rehearsed.body.message, `conversion webhook for ${group}/v2, Kind=Target failed: not today`)
    assert.equal((await ask(two('none'))).status, 404)
    assert.equal((await ask(two('m1?resourceVersion=0'))).body.spec.address, 'm1:80')
    assert.equal((await ask(path(group, 'v1', 'm1'))).body.spec.host, 'm1')
    assert.equal((await ask(path(group, 'v1', 'm3'), undefined, 'DELETE')).status, 200)
  } finally {
    mark = ''
    refusal = undefined
  }
  const blind = await ask(two('m1'), target(group, 'v2', 'm1', { address: 'x:1' }), 'PUT')
  assert.match(blind.body.message, /metadata\.resourceVersion: Invalid value: 0: must be specified for an update$/)
})

test('a webhook that fails for the version of an entry does not stop an update, which leaves the entries as they were', async () => {
  const group = 'by-url.example.com'
  await ask(path(group, 'v2'), target(group, 'v2', 'w', { address: 'y:81' }))
  await ask(path(group, 'v1', 'w'))
  refusal = 'not today'
  try {
    const merge = 'application/merge-patch+json'
    const patched = await ask(`${path(group, 'v1', 'w')}?fieldManager=other`, { spec: { port: 82 } }, 'PATCH', merge)
    assert.deepEqual([patched.status, patched.body.spec], [200, { host: 'y', port: 82 }])
    assert.deepEqual(
      patched.body.metadata.managedFields.map((entry: any) => entry.apiVersion),
      [`${group}/v2`]
    )
  } finally {
    refusal = undefined
  }
  await ask(path(group, 'v1', 'w'), undefined, 'DELETE')
})

test('writes over a cache that stays behind because the webhook fails end', async () => {
  const group = 'by-url.example.com'
  await ask(path(group, 'v1'), target(group, 'v1', 'behind', { host: 'x' }))
  assert.equal((await ask(path(group, 'v2', 'behind'))).status, 200)
  const merge = 'application/merge-patch+json'
  // only what is read fails
  refusal = 'not today'
  refusedVersion = 'v2'
  try {
    const changed = await ask(path(group, 'v1', 'behind'), { spec: { port: 82 } }, 'PATCH', merge)
    assert.equal(changed.status, 200)
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { spec: { address: 'y:1' } } : undefined
      const answer = await ask(path(group, 'v2', 'behind'), body, method, merge)
      assert.equal(answer.status, 500)
      assert.match(answer.body.message, /conversion webhook for .* failed: not today$/)
    }
    // the cache shows what it was, and the rest is read from the store
    const cached = await ask(path(group, 'v2', 'behind?resourceVersion=0'))
    assert.deepEqual([cached.status, cached.body.spec.address], [200, 'x:80'])
    assert.equal((await ask(path(group, 'v2', 'nothing'))).status, 404)
    for (const name of ['behind', '']) assert.match((await ask(path(group, 'v2', name))).body.message, /corrupt object/)
  } finally {
    refusal = undefined
    refusedVersion = ''
  }
  assert.equal((await ask(path(group, 'v1', 'behind'), undefined, 'DELETE')).status, 200)
})
