/** Dispatch, discovery and OpenAPI work with any implementation of Backend. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Metrics } from '../../util/instruments/metrics.js'
import { createHandler } from '../chain/handler.js'
import { inject } from '../chain/inject.js'
import { requestInfoStage } from '../chain/request-info.js'
import type { Backend } from '../endpoints/backend.js'
import { createDispatch } from '../endpoints/dispatch.js'
import { respondText } from '../endpoints/respond.js'
import { openApiPaths } from '../openapi/paths.js'
import { DiscoveryMetrics } from './discovery-metrics.js'
import { discoveryPaths } from './paths.js'

function backend(group: string, resource: string): Backend {
  return {
    name: `another server's ${group}`,
    generation: 1,
    groups: () => [
      {
        name: group,
        hasRoutes: false,
        versions: [
          {
            name: 'v1',
            resources: [
              {
                name: resource,
                singularName: '',
                kind: 'Thing',
                namespaced: true,
                verbs: ['get'],
                subresources: [],
                storageVersionHash: undefined
              }
            ],
            openApi: {
              parts: [],
              v3: () => ({ of: group }),
              v2: () => ({ paths: new Map(), definitions: new Map([[`${group}.Thing`, '{}']]), parameters: new Map() })
            }
          }
        ]
      }
    ],
    hasGroup: name => name === group,
    handle: ({ info }) => (info.group === group && info.resource === resource ? respondText(`${group} ${info.name}`) : undefined),
    missing: () => respondText(`nothing in ${group}`, 404)
  }
}

it('dispatch, discovery and OpenAPI reach every backend', async () => {
  const backends = [backend('a.example.com', 'apples'), backend('b.example.com', 'pears')]
  const paths = [
    ...discoveryPaths({ backends, serverAddress: () => '', metrics: new DiscoveryMetrics(new Metrics()) }),
    ...openApiPaths(backends, { now: () => 0 }, '1.36')
  ]
  const dispatch = createDispatch({ backends, paths, store: { currentRevision: () => 1 } })
  const stages = [requestInfoStage, { name: 'dispatch', why: '', handle: dispatch }]
  const handler = createHandler(stages, { now: () => 0, uuid: () => 'id' })
  const get = async (url: string) => (await inject(handler, { url })).body.toString()
  assert.equal(await get('/apis/b.example.com/v1/namespaces/x/pears/p'), 'b.example.com p')
  assert.equal(await get('/apis/b.example.com/v1/namespaces/x/plums/p'), 'nothing in b.example.com')
  assert.equal(await get('/apis/c.example.com/v1/pears/p'), '404 page not found\n')
  const names = JSON.parse(await get('/apis')).groups.map((g: { name: string }) => g.name)
  assert.deepEqual(names, ['a.example.com', 'b.example.com'])
  assert.equal(JSON.parse(await get('/apis/a.example.com/v1')).resources[0].name, 'apples')
  assert.deepEqual(JSON.parse(await get('/openapi/v3/apis/b.example.com/v1')), { of: 'b.example.com' })
  assert.ok('a.example.com.Thing' in JSON.parse(await get('/openapi/v2')).definitions)
})
