/** No stored object prevents a server from starting: readable objects are served, unreadable ones are reported and left alone. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtinKinds } from '../../kinds/index.js'
import { createServer } from '../../server/server.js'
import { openLmdbStore } from '../../storage/lmdb/store.js'
import { systemClock } from '../../util/clock.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const definitions = 'apiextensions.k8s.io/customresourcedefinitions'

const object = (name: string, kind: string, apiVersion: string, more: object = {}) =>
  JSON.stringify({ kind, apiVersion, metadata: { name, uid: '7d4a3b7c-0f0e-4e53-9d4c-7b3c2f1a9d10' }, ...more })

/** Values that the server cannot read. */
const unreadable = ['', 'no JSON', 'null', '[]', '{}', '{"metadata":', 'k8s\0\x0a\xff\xff\xff', object('x', 'Other', 'v1')].map(
  text => Buffer.from(text, 'latin1')
)

function definition(plural: string, group: string, schema: unknown, more: object = {}): string {
  const names = { plural, kind: `K${plural}`, singular: plural, listKind: `K${plural}List` }
  const conditions = [
    { type: 'NamesAccepted', status: 'True' },
    { type: 'Established', status: 'True' }
  ]
  return object(`${plural}.${group}`, 'CustomResourceDefinition', 'apiextensions.k8s.io/v1', {
    spec: { group, names, scope: 'Cluster', versions: [{ name: 'v1', served: true, storage: true, schema }], ...more },
    status: { conditions, acceptedNames: names, storedVersions: ['v1'] }
  })
}

test('a server starts on any store', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-poisoned-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const store = await openLmdbStore({ directory: join(dataDir, 'store'), clock: systemClock })
  const put = (key: string, value: Buffer | string) =>
    store.commit([{ key: `${store.root}/${key}`, value: Buffer.from(value), expected: 0 }])
  for (const { virtual, storage, resource, namespaced } of builtinKinds) {
    if (virtual) continue
    for (const [i, value] of unreadable.entries())
      await put(`${storage?.path ?? resource}/${namespaced ? 'default/' : ''}bad-${i}`, value)
  }
  const schema = { openAPIV3Schema: { type: 'object' } }
  const stored = {
    'clusterrolebindings.rbac.authorization.k8s.io': definition('clusterrolebindings', 'rbac.authorization.k8s.io', schema),
    'tokenreviews.authentication.k8s.io': definition('tokenreviews', 'authentication.k8s.io', schema),
    'goods.example.com': definition('goods', 'example.com', schema),
    'noversions.example.com': definition('noversions', 'example.com', schema, { versions: [] }),
    'noschemas.example.com': definition('noschemas', 'example.com', undefined),
    'oddschemas.example.com': definition('oddschemas', 'example.com', { openAPIV3Schema: { type: 5, properties: [1] } })
  }
  for (const [name, value] of Object.entries(stored)) await put(`${definitions}/${name}`, value)
  await put('example.com/goods/fine', object('fine', 'Kgoods', 'example.com/v1', { n: 1 }))
  await put('configmaps/default/fine', object('fine', 'ConfigMap', 'v1', { data: { a: 'b' } }))
  await store.close()

  const lines: string[] = []
  const log = { error: (line: string) => void lines.push(line), warn() {}, info() {} }
  const server = createServer({ storageBackend: 'lmdb', dataDir, log })
  await server.start()
  t.after(() => server.stop())
  const get = async (url: string) => {
    const { status, json } = await server.inject({ url, user })
    return { status, body: json() }
  }
  const maps = '/api/v1/namespaces/default/configmaps'
  assert.equal((await get(`${maps}/fine`)).body.data.a, 'b')
  // a list without them would look as if they were deleted
  const list = await get(maps)
  assert.deepEqual([list.status, list.body.reason], [500, 'StorageReadError'])
  assert.deepEqual(
    list.body.details.causes.map(({ field }: any) => field),
    unreadable.map((_, i) => `/registry/configmaps/default/bad-${i}`)
  )
  assert.match(list.body.message, /^failed to read one or more configmaps from the storage: StorageError: .* \(and 7 more\)$/)
  const cached = await get(`${maps}?resourceVersion=0`)
  assert.equal(cached.status, 429)
  assert.match(
    cached.body.message,
    /^storage is \(re\)initializing: failed to list <unspecified>: failed to read one or more configmaps/
  )
  assert.equal((await get(maps.replace('default', 'other'))).status, 200)
  const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start: 'c' })).toString('base64url')
  const page = await get(`${maps}?limit=1&continue=${token}`)
  assert.deepEqual([page.status, page.body.items?.[0].metadata.name], [200, 'fine'])
  for (const [name, status] of [
    ['fine', 200],
    ['bad-1', 500]
  ] as const)
    assert.equal((await get(`${maps}?fieldSelector=metadata.name%3D${name}`)).status, status)
  assert.equal((await get('/api/v1/namespaces/default/configmaps/bad-1')).status, 500)
  assert.ok(lines.some(line => line.startsWith('/registry/configmaps/default/bad-1 in the store is not shown: ')))
  const fine = await get('/apis/example.com/v1/goods/fine')
  assert.equal(fine.status, 200, fine.body.message)
  assert.equal((await get('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin')).status, 200)
  assert.ok(lines.some(line => line.includes('clusterrolebindings.rbac.authorization.k8s.io is not served')))
  const body = { spec: { token: 'x' } }
  assert.equal((await server.inject({ url: '/apis/authentication.k8s.io/v1/tokenreviews', user, body })).status, 201)
})
