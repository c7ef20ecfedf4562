import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

const things = '/apis/u.example.com/v1/things'
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
})
after(() => server.stop())

const ask = async (method: string, url: string, body?: unknown) => (await send(server, method, url, body)).body

test('a scale does not store replicas that the schema of a custom resource lacks', async () => {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
  const properties = { spec: { type: 'object', properties: { size: { type: 'integer' } } } }
  await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.u.example.com' },
    spec: {
      group: 'u.example.com',
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { scale },
          schema: { openAPIV3Schema: { type: 'object', properties } }
        }
      ]
    }
  })
  const made = () =>
    ask('POST', things, { apiVersion: 'u.example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: { size: 1 } })
  while ((await made()).metadata?.name !== 'a') await new Promise(setImmediate)
  const { metadata, spec } = await ask('PUT', `${things}/a/scale`, { metadata: { name: 'a' }, spec: { replicas: 2 } })
  assert.deepEqual([metadata.name, spec], ['a', {}])
  assert.deepEqual((await ask('PATCH', `${things}/a/scale`, { spec: { replicas: 2 } })).spec, {})
  const thing = await ask('GET', `${things}/a`)
  // each request changed the object before it lost the change
  assert.deepEqual([thing.spec, thing.metadata.generation], [{ size: 1 }, 3])
})
