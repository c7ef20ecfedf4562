/** Server-side apply to custom resources whose versions have different fields. The answers are kube-apiserver's. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const group = 'versions.example.com'
let server: BinnacleServer

const text = { type: 'string' }
const version = (name: string, storage: boolean, properties: object) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } }
})

const ask = (method: string, url: string, body?: unknown, type = 'application/json') => send(server, method, url, body, { type })

before(async () => {
  server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
  const made = await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [version('v1', true, { a: text, old: text, t: text }), version('v2', false, { a: text, t: { type: 'integer' } })]
    }
  })
  assert.equal(made.status, 201)
  while ((await ask('GET', `/apis/${group}/v2/things`)).status !== 200) await new Promise(setImmediate)
})
after(() => server.stop())

const path = (version: string, name: string) => `/apis/${group}/${version}/namespaces/default/things/${name}`
const apply = (version: string, name: string, spec: object, manager: string, metadata = {}) =>
  ask(
    'PATCH',
    `${path(version, name)}?fieldManager=${manager}&force=true`,
    { apiVersion: `${group}/${version}`, kind: 'Thing', metadata: { name, ...metadata }, spec },
    'application/apply-patch+yaml'
  )
const managers = (body: any) => (body.metadata.managedFields ?? []).map(({ manager }: any) => manager)
const fails = async (answer: Promise<{ status: number; body: any }>, message: string) => {
  const { status, body } = await answer
  assert.deepEqual([status, body.message], [500, message])
}

it('a manager may give up fields of the metadata in another version', async () => {
  const finalizers = ['example.com/one']
  const first = await apply('v1', 'metadata', { a: 'x' }, 'me', { finalizers })
  assert.deepEqual(first.body.metadata.finalizers, finalizers)
  const { status, body } = await apply('v2', 'metadata', { a: 'x' }, 'me')
  assert.equal(status, 200)
  assert.deepEqual([body.metadata.finalizers, body.metadata.uid, body.spec], [undefined, first.body.metadata.uid, { a: 'x' }])
})

describe('a field that another version lacks', () => {
  it('cannot be applied beside a manager of that version', async () => {
    await apply('v2', 'one', { a: 'x' }, 'second')
    await fails(
      apply('v1', 'one', { old: 'x' }, 'first'),
      'failed to convert new object: .spec.old: field not declared in schema'
    )
    assert.equal((await apply('v1', 'one', { a: 'y' }, 'first')).status, 200)
  })

  it('cannot be applied by a manager who applied that version last', async () => {
    await apply('v2', 'two', { a: 'x' }, 'me')
    await fails(
      apply('v1', 'two', { a: 'x', old: 'x' }, 'me'),
      'failed to prune fields: failed to convert merged object to last applied version: .spec.old: field not declared in schema'
    )
  })

  it('cannot be applied again beside a manager of that version', async () => {
    await apply('v1', 'three', { a: 'x' }, 'first')
    await apply('v2', 'three', { a: 'x' }, 'second')
    await fails(
      apply('v1', 'three', { old: 'x' }, 'first'),
      `failed to prune fields: failed add back owned items: failed to convert merged object at version ${group}/v2: .spec.old: field not declared in schema`
    )
  })

  it('leaves the managedFields as they were when it is updated', async () => {
    assert.deepEqual(managers((await apply('v2', 'four', { a: 'x' }, 'second')).body), ['second'])
    const patched = await ask('PATCH', path('v1', 'four'), { spec: { old: 'x' } }, 'application/merge-patch+json')
    assert.deepEqual([patched.status, managers(patched.body)], [200, ['second']])
    await fails(apply('v1', 'four', { a: 'x' }, 'first'), '.spec.old: field not declared in schema')
  })

  it('is gone from the store once the object is written in that version, even if nothing changes', async () => {
    await apply('v1', 'six', { a: 'x', old: 'x' }, 'first')
    const patched = await ask('PATCH', path('v2', 'six'), [], 'application/json-patch+json')
    assert.equal(patched.status, 200)
    assert.deepEqual((await ask('GET', path('v1', 'six'))).body.spec, { a: 'x' })
  })
})

describe('a field with another type in another version', () => {
  it('keeps the object from being applied to in that version', async () => {
    const why = `(default/five; ${group}/v2, Kind=Thing)`
    const problem = ': .spec.t: expected numeric (int or float), got string'
    await apply('v1', 'five', { t: 'x' }, 'first')
    await fails(apply('v2', 'five', { a: 'x' }, 'second'), `failed to create typed live object ${why}${problem}`)
    const cleared = await ask('PATCH', path('v1', 'five'), { metadata: { managedFields: [{}] } }, 'application/merge-patch+json')
    assert.deepEqual(managers(cleared.body), [])
    await fails(
      apply('v2', 'five', { a: 'x' }, 'second'),
      `failed to create manager for existing fields: failed to convert new object ${why} to smd typed${problem}`
    )
  })
})
