/** Objects that were stored before the schema of their definition changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../server/server.js'
import { send } from '../testkit/send.js'
import { silentLogger } from '../util/logger.js'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const merge = { type: 'application/merge-patch+json' }

const definition = (size: object) => ({
  metadata: { name: 'things.changed.example.com' },
  spec: {
    group: 'changed.example.com',
    scope: 'Cluster',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { size, note: { type: 'string' } } } }
      }
    ]
  }
})

test('an update of an object that does not fit its schema any more leaves managedFields as they were', async t => {
  const server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
  t.after(() => server.stop())
  const ask = (method: string, url: string, body?: unknown, options = {}) => send(server, method, url, body, options)
  const things = '/apis/changed.example.com/v1/things'
  assert.equal((await ask('POST', definitions, definition({ type: 'integer' }))).status, 201)
  while ((await ask('GET', things)).status !== 200) await new Promise(setImmediate)
  const body = { apiVersion: 'changed.example.com/v1', kind: 'Thing', metadata: { name: 'a' }, size: 3, note: 'x' }
  for (const name of ['a', 'b']) await ask('POST', `${things}?fieldManager=one`, { ...body, metadata: { name } })
  const before = (await ask('GET', `${things}/a`)).body.metadata.managedFields
  assert.deepEqual(before[0].fieldsV1, { 'f:note': {}, 'f:size': {} })

  const fitting = await ask('PATCH', `${things}/b?fieldManager=two`, { note: 'y' }, merge)
  const shown = (entries: any[]) => entries.map(({ manager, fieldsV1 }) => [manager, fieldsV1])
  assert.deepEqual(shown(fitting.body.metadata.managedFields), [
    ['one', { 'f:size': {} }],
    ['two', { 'f:note': {} }]
  ])

  const changed = { spec: { versions: definition({ type: 'string' }).spec.versions } }
  assert.equal((await ask('PATCH', `${definitions}/things.changed.example.com`, changed, merge)).status, 200)
  while ((await ask('POST', `${things}?dryRun=All`, { ...body, metadata: { name: 'c' } })).status !== 422)
    await new Promise(setImmediate)
  const patched = await ask('PATCH', `${things}/a?fieldManager=two`, { size: 'large', note: 'y' }, merge)
  assert.deepEqual([patched.status, patched.body.size, patched.body.note], [200, 'large', 'y'])
  assert.deepEqual(patched.body.metadata.managedFields, before)
})
