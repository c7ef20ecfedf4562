/** kube-apiserver writes JSON with Go's escapes, in every form but OpenAPI v2. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger, controllers: [] })
before(() => server.start())
after(() => server.stop())

const maps = '/api/v1/namespaces/default/configmaps'
const ask = async (url: string, accept = 'application/json', given: object = {}) =>
  (await server.inject({ url, user, headers: { accept }, ...given } as never)).body.toString()

const special = '<>&\u2028\u2029'
const written = /"e": ?"\\u003c\\u003e\\u0026\\u2028\\u2029"/
const unwritten = /[<>&\u2028\u2029]/

test('objects, lists, tables, metadata and events have escapes', async () => {
  const body = { metadata: { name: 'a', annotations: { e: special } } }
  const answers = [
    await ask(maps, undefined, { method: 'POST', body }),
    await ask(`${maps}/a`),
    await ask(`${maps}/a?pretty=true`),
    await ask(maps),
    await ask(maps, 'application/json;as=Table;v=v1;g=meta.k8s.io'),
    await ask(maps, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'),
    await ask(`${maps}?watch=1&timeoutSeconds=1`),
    await ask(`${maps}?watch=1&timeoutSeconds=1`, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io')
  ]
  for (const answer of answers) {
    assert.match(answer, written)
    assert.doesNotMatch(answer, unwritten)
  }
})

test('a Status has escapes, and so has OpenAPI v3, but not v2', async () => {
  assert.match(await ask(`${maps}/%3Ca%3E`), /configmaps \\"\\u003ca\\u003e\\" not found/)
  assert.match(await ask('/openapi/v3/api/v1'), /\\u003c/)
  assert.doesNotMatch(await ask('/openapi/v3/api/v1'), unwritten)
  assert.doesNotMatch(await ask('/openapi/v2'), /\\u003c/)
})
