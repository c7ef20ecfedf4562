import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeMessage } from '../../apimachinery/formats/protobuf/decode.js'
import { unwrap } from '../../apimachinery/formats/protobuf/envelope.js'
import { encodeProtobuf } from '../../apimachinery/formats/protobuf/object.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const protobuf = 'application/vnd.kubernetes.protobuf'
const asPartial = (kind: string) => `${protobuf};as=${kind};v=v1;g=meta.k8s.io`
const configMaps = '/api/v1/namespaces/default/configmaps'
const server = createServer({ log: silentLogger })
before(() => server.start())
after(() => server.stop())

/** Unwraps an answer into its kind and content. */
function opened(body: Buffer, type?: string): { kind: string; apiVersion: string; content: any } {
  const { kind, apiVersion, message } = unwrap(body)
  return { kind, apiVersion, content: decodeMessage(loadSchema().type(type ?? `core.v1.${kind}`), message) }
}

const ask = (url: string, accept = protobuf) => server.inject({ url, user, headers: { accept } })
const send = (url: string, body: unknown, method = 'POST') =>
  server.inject({
    url,
    method,
    user,
    headers: { accept: protobuf, 'content-type': protobuf },
    body: Buffer.isBuffer(body) ? body : encodeProtobuf(body)
  })

const configMap = (name: string, data: Record<string, string> = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, labels: { test: name } },
  data
})

test('an object is created, read, listed and deleted in Protobuf', async () => {
  const created = await send(configMaps, configMap('life', { k: 'v' }))
  assert.deepEqual([created.status, created.headers['content-type']], [201, protobuf])
  assert.equal(opened(created.body).content.metadata.name, 'life')
  const json = (await ask(`${configMaps}/life`, 'application/json')).json()
  const got = opened((await ask(`${configMaps}/life`)).body)
  assert.deepEqual(got.content.data, { k: 'v' })
  assert.equal(got.content.metadata.resourceVersion, json.metadata.resourceVersion)
  const list = opened((await ask(`${configMaps}?labelSelector=test%3Dlife`)).body, 'core.v1.ConfigMapList')
  assert.equal(list.kind, 'ConfigMapList')
  assert.deepEqual(list.content.items, [got.content])
  const wrong = await send(
    `${configMaps}/life`,
    { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } },
    'DELETE'
  )
  assert.equal(wrong.status, 409)
  assert.equal(opened(wrong.body, 'meta.v1.Status').content.reason, 'Conflict')
  assert.equal((await send(`${configMaps}/life`, { kind: 'DeleteOptions', apiVersion: 'v1' }, 'DELETE')).status, 200)
  assert.equal(opened((await ask(`${configMaps}/life`)).body, 'meta.v1.Status').content.code, 404)
})

test('a list larger than one chunk arrives whole', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `large-${i}`)
  await Promise.all(
    names.map(name =>
      send(configMaps, { ...configMap(name, { text: 'x'.repeat(20_000) }), metadata: { name, labels: { test: 'large' } } })
    )
  )
  const { content } = opened((await ask(`${configMaps}?labelSelector=test%3Dlarge`)).body, 'core.v1.ConfigMapList')
  assert.deepEqual(content.items.map((item: any) => item.metadata.name).sort(), names.sort())
})

test('watch events come as length-delimited frames', async () => {
  await send(configMaps, configMap('watched'))
  const { headers, body } = await ask(`${configMaps}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dwatched`)
  assert.equal(headers['content-type'], `${protobuf};stream=watch`)
  assert.equal(body.readUInt32BE(0), body.length - 4)
  const { type, object } = decodeMessage(watchEvent(), body.subarray(4)) as any
  assert.equal(type, 'ADDED')
  assert.equal(opened(Buffer.from(object.raw, 'base64')).content.metadata.name, 'watched')
})

/** The WatchEvent type as clients declare it: its object is a field of bytes. */
function watchEvent() {
  const field = (name: string, number: number, scalar: 'string' | 'bytes') =>
    ({
      name,
      type: { kind: 'scalar', scalar, go: scalar },
      presence: 'present',
      pointer: true,
      required: false,
      proto: [number],
      goName: name
    }) as const
  const raw = struct('RawExtension', [field('raw', 1, 'bytes')])
  return struct('WatchEvent', [field('type', 1, 'string'), { ...field('object', 2, 'bytes'), type: raw }])
}

function struct(name: string, fields: readonly any[]) {
  return {
    kind: 'struct',
    name,
    go: name,
    fields,
    byName: new Map(fields.map(f => [f.name, f])),
    required: [],
    gvks: []
  } as const
}

test('PartialObjectMetadata comes in Protobuf, a Table does not', async () => {
  await send(configMaps, configMap('partial', { k: 'v' }))
  const one = opened((await ask(`${configMaps}/partial`, asPartial('PartialObjectMetadata'))).body, 'core.v1.ConfigMap')
  assert.deepEqual(
    [one.kind, one.apiVersion, one.content.metadata.name, one.content.data],
    ['PartialObjectMetadata', 'meta.k8s.io/v1', 'partial', undefined]
  )
  const list = opened(
    (await ask(`${configMaps}?labelSelector=test%3Dpartial`, asPartial('PartialObjectMetadataList'))).body,
    'core.v1.ConfigMapList'
  )
  assert.deepEqual(
    [list.kind, list.content.items.length, list.content.items[0].data],
    ['PartialObjectMetadataList', 1, undefined]
  )
  const table = await ask(configMaps, asPartial('Table'))
  assert.deepEqual([table.status, table.json().reason], [406, 'NotAcceptable'])
})

test('the metadata form of an object is refused for a list, and that of a list for an object', async () => {
  await send(configMaps, configMap('forms'))
  const json = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`
  assert.equal(
    (await ask(configMaps, json('PartialObjectMetadata'))).json().message,
    'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)'
  )
  assert.equal(
    (await ask(`${configMaps}/forms`, json('PartialObjectMetadataList'))).json().message,
    'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)'
  )
})

const refused: [what: string, body: Buffer, message: RegExp][] = [
  [
    'a body without the magic',
    Buffer.from('{"kind":"ConfigMap"}'),
    /^the object provided is unrecognized .*expected prefix \[107 56 115 0\] \(\{"kind":"ConfigMap"\}\)$/
  ],
  [
    'a truncated envelope',
    encodeProtobuf(configMap('x')).subarray(0, 20),
    /^the object provided is unrecognized .*: unexpected EOF \(6b387300/
  ],
  [
    'another kind',
    encodeProtobuf({ kind: 'Secret', apiVersion: 'v1' }),
    /^Secret in version "v1" cannot be handled as a ConfigMap: converting \(v1.Secret\) to \(core.ConfigMap\): unknown conversion$/
  ],
  [
    'a broken message',
    Buffer.from('6b3873000a0f0a0276311209436f6e6669674d6170120208011a002200', 'hex'),
    /^ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: wrong wireType = 0 for field ObjectMeta$/
  ]
]
for (const [what, body, message] of refused) {
  test(`${what} is a bad request`, async () => {
    const answer = await send(configMaps, body)
    assert.equal(answer.status, 400)
    assert.match(opened(answer.body, 'meta.v1.Status').content.message, message)
  })
}
