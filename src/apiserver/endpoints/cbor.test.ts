/** CBOR through a server with the feature gate CBORServingAndStorage. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { diagnose } from '../../apimachinery/formats/cbor/diagnostic.js'
import { readCbor } from '../../apimachinery/formats/cbor/read.js'
import { encodeCbor } from '../../apimachinery/formats/cbor/write.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const cbor = 'application/cbor'
const maps = '/api/v1/namespaces/default/configmaps'
const widgets = '/apis/example.com/v1/namespaces/default/widgets'
const schema = { type: 'object', properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } } }
const definition = {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }]
  }
}

let server: BinnacleServer
let plain: BinnacleServer
before(async () => {
  server = createServer({ log: silentLogger, featureGates: { CBORServingAndStorage: true } })
  plain = createServer({ log: silentLogger })
  await Promise.all([server.start(), plain.start()])
  await server.inject({ method: 'POST', url: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', user, body: definition })
  await eventually(
    'widgets are served',
    () => server.inject({ url: widgets, user }),
    ({ status }) => status === 200
  )
})
after(() => Promise.all([server.stop(), plain.stop()]))

interface Asked {
  readonly method?: string
  readonly body?: Buffer | object
  readonly accept?: string
  readonly type?: string
  readonly to?: BinnacleServer
}

async function ask(url: string, { method = 'GET', body, accept = cbor, type = cbor, to = server }: Asked = {}) {
  const headers = { accept, ...(body ? { 'content-type': type } : {}) }
  const answer = await to.inject({ method, url, user, headers, body })
  const contentType = String(answer.headers['content-type'])
  const value: any = contentType.includes('cbor') ? readCbor(answer.body) : JSON.parse(answer.body.toString() || 'null')
  return { status: answer.status, type: contentType, value, bytes: answer.body, warning: answer.headers.warning }
}

const widget = (name: string, spec: object) =>
  encodeCbor({ kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name }, spec })
const configMap = (name: string, more: object) =>
  encodeCbor({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, ...more }, loadSchema().type('core.v1.ConfigMap'))

describe('CBOR', () => {
  it('creates and shows built-in objects', async () => {
    const body = configMap('a', { data: { k: 'v' }, binaryData: { b: '/wA=' } })
    const created = await ask(maps, { method: 'POST', body })
    assert.deepEqual([created.status, created.type], [201, cbor])
    assert.deepEqual(created.value.binaryData, { b: '/wA=' })
    const { bytes } = await ask(`${maps}/a`)
    assert.match(
      diagnose(bytes),
      /^55799\(\{'kind': 'ConfigMap', .*'data': \{'k': 'v'\}, 'binaryData': \{'b': 22\(h'ff00'\)\}\}\)$/
    )
    const list = await ask(`${maps}?fieldSelector=metadata.name=a`)
    assert.match(diagnose(list.bytes), /'items': \[\{'metadata': .*22\(h'ff00'\)\}\}\]\}\)$/)
  })

  it('creates, updates and applies custom resources', async () => {
    assert.equal((await ask(widgets, { method: 'POST', body: widget('a', { n: 1 }) })).value.spec.n, 1)
    const type = 'application/apply-patch+cbor'
    const applied = await ask(`${widgets}/b?fieldManager=m`, { method: 'PATCH', body: widget('b', { n: 2 }), type })
    assert.deepEqual([applied.status, applied.value.spec], [201, { n: 2 }])
    const { metadata } = applied.value
    const changed = { ...applied.value, metadata, spec: { n: 3 } }
    assert.equal((await ask(`${widgets}/b`, { method: 'PUT', body: encodeCbor(changed) })).value.spec.n, 3)
    const { value } = await ask(widgets)
    assert.deepEqual(
      value.items.map((item: any) => [item.kind, item.metadata.name]),
      [
        ['Widget', 'a'],
        ['Widget', 'b']
      ]
    )
    assert.deepEqual((await ask(`${widgets}?labelSelector=a=b`)).value.items, [])
  })

  it('shows metadata alone, but no Table', async () => {
    const as = (kind: string) => `${cbor};as=${kind};g=meta.k8s.io;v=v1`
    assert.equal((await ask(`${maps}/a`, { accept: as('PartialObjectMetadata') })).value.kind, 'PartialObjectMetadata')
    assert.equal((await ask(maps, { accept: as('PartialObjectMetadataList') })).value.items[0].kind, 'PartialObjectMetadata')
    assert.equal((await ask(maps, { accept: as('Table') })).status, 406)
    assert.equal((await ask(maps, { accept: `${as('Table')},application/json` })).type, 'application/json')
  })

  it('is a sequence of documents in a watch', async () => {
    const query = '?watch=1&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name=a'
    for (const accept of [cbor, `${cbor};stream=watch`]) {
      const headers = { accept }
      const answer = await server.inject({ url: `${maps}${query}`, user, headers })
      assert.equal(answer.headers['content-type'], 'application/cbor-seq')
      assert.match(diagnose(answer.body), /^55799\(\{'type': 'ADDED', 'object': 55799\(\{'kind': 'ConfigMap', .*22\(h'ff00'\)/)
    }
  })

  it('is the form of errors, where it is the form of answers', async () => {
    const missing = await ask(`${maps}/none`)
    assert.deepEqual([missing.status, missing.type, missing.value.message], [404, cbor, 'configmaps "none" not found'])
    assert.equal((await ask('/api/v1/things')).type, 'application/json')
    const refused = await ask(maps, { method: 'POST', body: configMap('b', { data: { k: 1 } }) })
    assert.equal(
      refused.value.message,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: cbor: cannot unmarshal positive integer into Go struct field v1.ConfigMap.data of type string'
    )
    const broken = await ask(widgets, { method: 'POST', body: Buffer.from('a1', 'hex') })
    assert.equal(
      broken.value.message,
      'the object provided is unrecognized (must be of type Widget): unable to determine group/version/kind: unexpected EOF (a1)'
    )
  })

  it('reports unknown fields of built-in kinds only', async () => {
    const asked = (fieldValidation: string, body: Buffer, path: string) =>
      ask(`${path}?dryRun=All&fieldValidation=${fieldValidation}`, { method: 'POST', body })
    const unknown = 'cbor: found unknown field at map element index 3'
    const strict = await asked('Strict', configMap('c', { foo: 1 }), maps)
    assert.equal(
      strict.value.message,
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${unknown}`
    )
    assert.match(String((await asked('Warn', configMap('c', { foo: 1 }), maps)).warning), new RegExp(unknown))
    assert.equal((await asked('Ignore', configMap('c', { foo: 1 }), maps)).warning, undefined)
    assert.equal((await asked('Strict', widget('c', { foo: 1 }), widgets)).status, 201)
  })

  it('quotes a custom resource without a kind', async () => {
    const { value } = await ask(widgets, { method: 'POST', body: encodeCbor({ spec: { n: [1] } }) })
    assert.match(value.message, /: Object 'Kind' is missing in '55799\(\{'spec': \{'n': \[1\]\}\}\)' \(d9d9f7/)
    const versionless = await ask(widgets, { method: 'POST', body: encodeCbor({ kind: 'Widget' }) })
    assert.match(
      versionless.value.message,
      /^Widget in version "" cannot be handled as a Widget: Object 'apiVersion' is missing in/
    )
  })

  it('shows the lists of built-in resources, but no other discovery', async () => {
    assert.equal((await ask('/apis/apps/v1')).value.kind, 'APIResourceList')
    for (const path of ['/api', '/apis', '/apis/apps', '/apis/example.com/v1']) assert.equal((await ask(path)).status, 406, path)
  })

  it('stands in OpenAPI', async () => {
    const { paths } = (await ask('/openapi/v3/api/v1', { accept: 'application/json' })).value
    const { get, patch } = paths['/api/v1/namespaces/{namespace}/configmaps/{name}']
    assert.ok(cbor in get.responses['200'].content)
    assert.ok('application/apply-patch+cbor' in patch.requestBody.content)
  })

  it('is unknown without its feature gate', async () => {
    assert.equal((await ask(maps, { to: plain })).status, 406)
    assert.equal((await ask(maps, { to: plain, method: 'POST', body: configMap('a', {}), accept: '*/*' })).status, 415)
    const type = 'application/apply-patch+cbor'
    const applied = { to: plain, method: 'PATCH', body: configMap('a', {}), accept: '*/*', type }
    assert.equal((await ask(`${maps}/a?fieldManager=m`, applied)).status, 415)
    assert.equal((await ask('/apis/apps/v1', { to: plain })).status, 406)
    const { paths } = (await ask('/openapi/v3/api/v1', { accept: 'application/json', to: plain })).value
    assert.ok(!(cbor in paths['/api/v1/namespaces/{namespace}/configmaps/{name}'].get.responses['200'].content))
  })
})
