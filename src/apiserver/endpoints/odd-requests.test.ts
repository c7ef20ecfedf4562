/** Rare requests that once caused a 500 or ended the process. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }
const core = '/api/v1/namespaces/default'
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
})
after(() => server.stop())

async function ask(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
  const { status, body: bytes } = await server.inject({ method, url, user, body, headers })
  const text = bytes.toString()
  // parsed on access only: the frames of a watch are not a single document
  return {
    status,
    text,
    get body() {
      return JSON.parse(text)
    }
  }
}

async function define(plural: string, scope: string, schema: object, subresources: object = {}): Promise<string> {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources }
  const names = { plural, kind: `${plural[0]!.toUpperCase()}${plural.slice(1, -1)}` }
  const made = await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `${plural}.odd.example.com` },
    spec: { group: 'odd.example.com', scope, names, versions: [version] }
  })
  assert.equal(made.status, 201, made.text)
  const base = `/apis/odd.example.com/v1/${plural}`
  for (let tries = 0; tries < 500 && (await ask('GET', base)).status !== 200; tries++) await new Promise(setImmediate)
  return scope === 'Cluster' ? base : base.replace('/v1/', '/v1/namespaces/default/')
}

describe('property names of every JavaScript object', () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']

  it('match no method, path or parameter', async () => {
    const urls = ['/pods', '/pods/x', '/pods/x/log', '/pods/x/status'].map(path => core + path)
    for (const name of names) {
      for (const url of [...urls, '/apis', '/healthz', '/']) assert.ok((await ask(name, url)).status < 500, `${name} ${url}`)
      for (const url of [`${core}/pods/x/${name}`, `${core}/${name}`, `/apis/${name}/v1`, `/${name}`, `/readyz?exclude=${name}`])
        assert.ok((await ask('GET', url)).status < 500, url)
      for (const selector of ['labelSelector', 'fieldSelector'])
        assert.ok((await ask('GET', `${core}/pods?${selector}=${name}%3Dx`)).status < 500)
    }
  })

  it('are ordinary names of types and resources', async () => {
    for (const name of names) {
      const secret = await ask('POST', `${core}/secrets?dryRun=All`, { metadata: { name: 's' }, type: name })
      assert.equal(secret.status, 201, secret.text)
      const limits = [{ type: 'Container', default: JSON.parse(`{"${name}":"1"}`) }]
      const range = await ask('POST', `${core}/limitranges?dryRun=All`, { metadata: { name: 'r' }, spec: { limits } })
      assert.equal(range.status, 422, range.text)
      const broken = { type: 'object', properties: { a: { type: name, format: name } } }
      const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: broken } }]
      const definition = await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'as.b.c' },
        spec: { group: 'b.c', scope: 'Cluster', names: { plural: 'as', kind: 'A' }, versions }
      })
      assert.equal(definition.status, 422, definition.text)
    }
  })
})

describe('a name of thousands of bytes', () => {
  it('is valid for kinds whose names have no length limit', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles'
    const name = 'r'.repeat(5000)
    assert.equal((await ask('POST', roles, { metadata: { name }, rules: [] })).status, 201)
    assert.equal((await ask('GET', `${roles}/${name}`)).status, 200)
    assert.equal((await ask('DELETE', `${roles}/${name}`)).status, 200)
    assert.equal((await ask('POST', roles, { metadata: { name: 'r'.repeat(100_000) }, rules: [] })).status, 413)
  })
})

describe('a user without groups', () => {
  it('is granted nothing', async () => {
    for (const groups of [undefined, null as never]) {
      const answer = await server.inject({ method: 'GET', url: `${core}/pods`, user: { name: 'u', groups } })
      assert.equal(answer.status, 403)
    }
  })
})

describe('Tables', () => {
  it('show the same cells for Events of either group', async () => {
    const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' }
    const event = { metadata: { name: 'e' }, involvedObject, reason: 'Began', message: 'hello', source: { component: 'c' } }
    assert.equal((await ask('POST', `${core}/events`, event)).status, 201)
    const rows = async (url: string) => (await ask('GET', url, undefined, table)).body.rows[0].cells.slice(1)
    const cells = await rows(`${core}/events`)
    assert.ok(cells.includes('pod/p') && cells.includes('hello'))
    for (const query of ['', '?pretty=true', '/e'])
      assert.deepEqual(await rows(`/apis/events.k8s.io/v1/namespaces/default/events${query}`), cells)
  })

  it('show the bookmarks of a watch for every kind', async () => {
    const groups = (await ask('GET', '/apis')).body.groups.flatMap((group: any) => group.versions.map((v: any) => v.groupVersion))
    const options = 'watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
    const watches: Promise<void>[] = []
    for (const path of ['/api/v1', ...groups.map((group: string) => `/apis/${group}`)]) {
      const { resources } = (await ask('GET', path)).body
      for (const { name, verbs } of resources) {
        if (!verbs.includes('watch')) continue
        const url = `${path}/${name}?${options}`
        watches.push(
          ask('GET', url, undefined, table).then(({ status, text }) => {
            assert.equal(status, 200, url)
            assert.ok(!text.includes('"type":"ERROR"') && text.includes('"type":"BOOKMARK"'), `${url}: ${text.slice(-300)}`)
          })
        )
      }
    }
    assert.ok(watches.length > 50)
    await Promise.all(watches)
  })
})

describe('the Scale of a custom resource', () => {
  const integer = { type: 'integer' }
  const inner = { type: 'object', nullable: true, properties: { replicas: integer } }
  const part = { type: 'object', nullable: true, properties: { a: inner } }
  const schema = { type: 'object', properties: { spec: part, status: part } }
  const scale = { specReplicasPath: '.spec.a.replicas', statusReplicasPath: '.status.a.replicas' }
  const json = { 'content-type': 'application/json-patch+json' }
  const merge = { 'content-type': 'application/merge-patch+json' }

  for (const [plural, scope] of [
    ['ships', 'Namespaced'],
    ['seas', 'Cluster']
  ] as const)
    it(`of a ${scope.toLowerCase()} kind can be patched, and set where its path is missing or null`, async () => {
      const base = await define(plural, scope, schema, { status: {}, scale })
      const kind = plural === 'ships' ? 'Ship' : 'Sea'
      const make = async (name: string, spec?: object | null) => {
        const made = await ask('POST', base, { apiVersion: 'odd.example.com/v1', kind, metadata: { name }, spec })
        assert.equal(made.status, 201, made.text)
        return `${base}/${name}/scale`
      }
      const full = await make('full', { a: { replicas: 1 } })
      assert.equal((await ask('PATCH', full, { spec: { replicas: 2 } }, merge)).body.spec.replicas, 2)
      const patched = await ask('PATCH', full, [{ op: 'replace', path: '/spec/replicas', value: 3 }], json)
      assert.equal(patched.body.spec.replicas, 3)
      assert.equal('namespace' in patched.body.metadata, scope === 'Namespaced')

      const none = await make('none')
      assert.match((await ask('GET', none)).body.message, /the spec replicas field ".spec.a.replicas" does not exist/)
      const empty = await ask('PATCH', none, { metadata: { labels: {} } }, merge)
      assert.deepEqual([empty.status, empty.body.message], [400, 'the spec replicas field ".spec.a.replicas" cannot be empty'])
      assert.equal((await ask('PATCH', none, { spec: { replicas: 2 } }, merge)).body.spec.replicas, 2)

      for (const [name, spec, place] of [
        ['outer', null, '.spec'],
        ['inner', { a: null }, '.spec.a']
      ] as const) {
        const { body } = await ask('PATCH', await make(name, spec), { spec: { replicas: 2 } }, merge)
        assert.equal(body.message, `value cannot be set because ${place} is not a map[string]interface{}`)
      }
    })
})

describe('50,000 unknown fields of a custom resource', () => {
  it('are reported up to a limit', async () => {
    const base = await define('boxes', 'Namespaced', { type: 'object', properties: { spec: { type: 'object' } } })
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`f${i}`, 0]))
    const object = { apiVersion: 'odd.example.com/v1', kind: 'Boxe', metadata: { name: 'b' }, spec: many }
    const made = await ask('POST', base, object)
    assert.equal(made.status, 201, made.text.slice(0, 300))
    assert.equal(made.body.spec.f0, undefined)
    const refused = await ask('POST', `${base}?fieldValidation=Strict`, object)
    assert.equal(refused.status, 400)
    assert.match(refused.body.message, /strict decoding error: unknown field "spec.f0", unknown field "spec.f1",/)
    assert.ok(refused.text.length < 100_000)
  })
})
