/** Long work within one request gives others their turns, and what grew too large can be made smaller. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import { silentLogger } from '../../util/logger.js'
import { turnsDuring } from '../turns.js'

const user = { name: 'admin', groups: ['system:masters'] }
const configMaps = '/api/v1/namespaces/default/configmaps'
const store = openMemoryStore()
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger, store, controllers: [] })
  await server.start()
})
after(() => server.stop())

async function send(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
  return server.inject({ method, url, user, headers, ...(body === undefined ? {} : { body: body as object }) })
}

async function create(url: string, body: object): Promise<void> {
  const { status, body: answer } = await send('POST', url, body)
  assert.equal(status, 201, answer.toString())
}

describe('others have their turns', () => {
  it('between the parameters of a policy, each of which is evaluated at once', async () => {
    const group = '/apis/admissionregistration.k8s.io/v1'
    const matchConstraints = {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }]
    }
    const params = 300
    for (let i = 0; i < params; i++)
      await create(configMaps, { metadata: { name: `p${i}`, labels: { params: i === 0 ? 'one' : 'many' } } })
    for (const amount of ['one', 'many']) {
      const spec = {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: { ...matchConstraints, objectSelector: { matchLabels: { amount } } },
        validations: [{ expression: 'lists.range(3000).all(i, i >= 0)' }]
      }
      await create(`${group}/validatingadmissionpolicies`, { metadata: { name: amount }, spec })
      const paramRef = { selector: { matchLabels: { params: amount } }, parameterNotFoundAction: 'Deny' }
      const bound = { policyName: amount, paramRef, validationActions: ['Deny'] }
      await create(`${group}/validatingadmissionpolicybindings`, { metadata: { name: amount }, spec: bound })
    }
    const turns = (amount: string) =>
      turnsDuring(() => create('/api/v1/namespaces/default/secrets?dryRun=All', { metadata: { name: 'a', labels: { amount } } }))
    const few = await turns('one')
    const many = await turns('many')
    assert.ok(many > few + 5, `${few} turns with one parameter, ${many} with ${params}`)
  })

  it('between the steps in which the fields of a large object get their owners', async () => {
    const dataOf = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key-${i}`, 'v']))
    const apply = (name: string, data: object) => {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
      return send('PATCH', `${configMaps}/${name}?fieldManager=a`, body, { 'content-type': 'application/apply-patch+yaml' })
    }
    await apply('small', dataOf(10))
    await apply('large', dataOf(20_000))
    const turns = (name: string, data: object) => turnsDuring(async () => assert.equal((await apply(name, data)).status, 200))
    const few = await turns('small', { ...dataOf(10), more: 'v' })
    const many = await turns('large', { ...dataOf(20_000), more: 'v' })
    assert.ok(many > few + 8, `${few} turns with 10 keys, ${many} with 20,000`)
  })

  it('while the rows of a Table are made that are not kept', async () => {
    for (let i = 0; i < 2000; i++) await create(configMaps, { metadata: { name: `row${i}` }, data: { a: 'b' } })
    const accept = 'application/yaml;as=Table;v=v1;g=meta.k8s.io'
    const rows = async (limit: number) => {
      const { status, body } = await send('GET', `${configMaps}?limit=${limit}&includeObject=Object`, undefined, { accept })
      assert.equal(status, 200)
      assert.equal(body.toString().match(/^- cells:/gm)!.length, limit)
    }
    await rows(1)
    const few = await turnsDuring(() => rows(1))
    const many = await turnsDuring(() => rows(2000))
    assert.ok(many > few + 5, `${few} turns for one row, ${many} for 2000`)
  })
})

describe('an object that is larger than a request may be', () => {
  const url = '/api/v1/namespaces/default/serviceaccounts/large'
  const named = (length: number) => [{ name: 'x'.repeat(length) }]
  const patch = (body: object) => send('PATCH', url, body, { 'content-type': 'application/merge-patch+json' })

  before(async () => {
    const metadata = { name: 'large', namespace: 'default', uid: '7d4a3b7c-0f0e-4e53-9d4c-7b3c2f1a9d10' }
    const content = { secrets: named(2_000_000), imagePullSecrets: named(1_500_000) }
    const value = Buffer.from(JSON.stringify({ kind: 'ServiceAccount', apiVersion: 'v1', metadata, ...content }))
    assert.ok((await store.commit([{ key: '/registry/serviceaccounts/default/large', value, expected: 0 }])).ok)
  })

  it('is read, and may not grow', async () => {
    assert.equal((await send('GET', url)).status, 200)
    assert.equal((await patch({ metadata: { labels: { one: 'more', another: 'much-more-than-before' } } })).status, 413)
  })

  it('may become smaller step by step, even while it is still too large', async () => {
    assert.equal((await patch({ imagePullSecrets: named(1_400_000) })).status, 200)
    assert.equal((await patch({ imagePullSecrets: named(1_450_000) })).status, 413)
    assert.equal((await patch({ secrets: null })).status, 200)
    assert.equal((await patch({ metadata: { labels: { one: 'more' } } })).status, 200)
    assert.equal((await send('DELETE', url)).status, 200)
  })
})

describe('a definition that gets larger defaults', () => {
  it('does not hide the objects that were stored before', async () => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const definition = (value?: string) => {
      const text = { type: 'string', ...(value === undefined ? {} : { default: value }) }
      const items = { type: 'object', properties: { text } }
      const openAPIV3Schema = { type: 'object', properties: { items: { type: 'array', items } } }
      const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }]
      return { group: 'grow.example.com', scope: 'Cluster', names: { plural: 'grows', kind: 'Grow' }, versions }
    }
    const own = createServer({ log: silentLogger })
    await own.start()
    try {
      const ask = (method: string, url: string, body?: object, headers = {}) =>
        own.inject({ method, url, user, headers, ...(body ? { body } : {}) })
      await ask('POST', definitions, { metadata: { name: 'grows.grow.example.com' }, spec: definition() })
      const url = '/apis/grow.example.com/v1/grows'
      while ((await ask('GET', url)).status !== 200) await new Promise(setImmediate)
      const body = { apiVersion: 'grow.example.com/v1', kind: 'Grow', metadata: { name: 'a' }, items: Array(1000).fill({}) }
      assert.equal((await ask('POST', url, body)).status, 201)
      const type = { 'content-type': 'application/merge-patch+json' }
      const grown = { spec: definition('x'.repeat(10_000)) }
      assert.equal((await ask('PATCH', `${definitions}/grows.grow.example.com`, grown, type)).status, 200)
      let length = 0
      while (length < 10_000_000) {
        const { status, body } = await ask('GET', `${url}/a`)
        assert.ok(status === 200 || status === 404, `${status}`)
        length = body.length
        await new Promise(setImmediate)
      }
      const same = { ...body, metadata: { name: 'b' } }
      assert.equal((await ask('POST', url, same)).status, 413)
      assert.equal((await ask('DELETE', `${url}/a`)).status, 200)
    } finally {
      await own.stop()
    }
  })
})
