import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const server = createServer({ log: silentLogger, storageBackend: 'memory' })
before(() => server.start())
after(() => server.stop())

test('a null that only one version allows is not shown in the other, and stays where it is stored', async () => {
  const version = (name: string, nullable: boolean) => {
    const spec = { type: 'object', properties: { list: { type: 'array', nullable, items: { type: 'string' } } } }
    return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }
  }
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' }
  await send(server, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Cluster', names, versions: [version('v1', true), version('v2', false)] }
  })
  const url = (version: string) => `/apis/example.com/${version}/things`
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: { list: null } }
  await send(server, 'POST', url('v1'), thing)
  assert.deepEqual((await send(server, 'GET', `${url('v1')}/a`)).body.spec, { list: null })
  assert.deepEqual((await send(server, 'GET', `${url('v2')}/a`)).body.spec, {})
})
