/** Entries of managedFields that a new object brings. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory' })
before(() => server.start())
after(() => server.stop())

/** Returns the managers of a new ConfigMap that was sent with this entry. */
async function managers(entry: object): Promise<string[]> {
  const url = '/api/v1/namespaces/default/configmaps?dryRun=All&fieldManager=me'
  const hand = { manager: 'hand', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', ...entry }
  const body = { metadata: { name: 'a', managedFields: [hand] }, data: { k: 'v' } }
  const { metadata } = (await server.inject({ method: 'POST', url, body, user })).json() as any
  return metadata.managedFields.map(({ manager }: { manager: string }) => manager)
}

test('stay for fields that the object does not set', async () => {
  assert.deepEqual((await managers({ fieldsV1: { 'f:data': { 'f:other': {} } } })).sort(), ['hand', 'me'])
  assert.deepEqual((await managers({ fieldsV1: { 'f:nope': {} } })).sort(), ['hand', 'me'])
  assert.deepEqual(await managers({ fieldsV1: { 'f:data': { 'f:k': {} } } }), ['me'])
  assert.deepEqual(await managers({ operation: 'Guess', fieldsV1: { 'f:nope': {} } }), ['me'])
  assert.deepEqual(await managers({ apiVersion: 'v9', fieldsV1: { 'f:nope': {} } }), ['me'])
})

test('are ignored together when the fields of one cannot be read', async () => {
  for (const fieldsV1 of ['a', 1, true, [], [null], { 'f:data': 'a' }]) assert.deepEqual(await managers({ fieldsV1 }), ['me'])
})

test('may be cleared and keep their times, in a patch', async () => {
  const url = '/api/v1/namespaces/default/configmaps'
  const created = await server.inject({ method: 'POST', url, body: { metadata: { name: 'patched' }, data: { k: 'v' } }, user })
  const { managedFields: before } = created.json().metadata
  const after = async (change: object) => {
    const answer = await server.inject({
      method: 'PATCH',
      url: `${url}/patched?dryRun=All`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { managedFields: [{ ...before[0], ...change }] } },
      user
    })
    return answer.json().metadata.managedFields
  }
  assert.equal(await after({ fieldsV1: null }), undefined)
  assert.deepEqual(await after({ fieldsV1: 'a' }), before)
  assert.deepEqual(await after({ time: null }), before)
  assert.deepEqual(await after({ time: '2024-01-02T03:04:05Z' }), before)
})
