/** What is asked of the metadata of a Scale. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory' })
const url = '/api/v1/namespaces/default/replicationcontrollers'

before(async () => {
  await server.start()
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  await server.inject({ method: 'POST', url, body: { metadata: { name: 'r' }, spec: { selector: { a: 'b' }, template } }, user })
})
after(() => server.stop())

async function put(metadata: object) {
  const body = { metadata: { name: 'r', ...metadata }, spec: { replicas: 2 } }
  const answer = await server.inject({ method: 'PUT', url: `${url}/r/scale?dryRun=All`, body, user })
  return { ...answer.json(), headers: answer.headers }
}

test('a Scale is of the namespace of the path', async () => {
  assert.equal((await put({ namespace: 'default' })).spec.replicas, 2)
  const { code, message } = await put({ namespace: 'other' })
  assert.equal(code, 400)
  assert.equal(message, 'the namespace of the provided object does not match the namespace sent on the request')
})

test('a resourceVersion is a number, and 0 means any', async () => {
  assert.equal((await put({ resourceVersion: '0' })).spec.replicas, 2)
  assert.equal((await put({ resourceVersion: '00' })).spec.replicas, 2)
  assert.equal((await put({ resourceVersion: '1' })).code, 409)
  const { code, message } = await put({ resourceVersion: 'a<\u0003' })
  assert.equal(code, 500)
  assert.equal(message, 'strconv.ParseUint: parsing "a<\\x03": invalid syntax')
})

test('its metadata is not validated, because it does not reach the object', async () => {
  const owner = { apiVersion: '', kind: '', name: '', uid: '' }
  const odd = { generateName: 'Ab', generation: -1, finalizers: ['a'], labels: { 'a b': 'c d' }, ownerReferences: [owner] }
  assert.deepEqual((await put(odd)).spec, { replicas: 2 })
})

test('owners that stand there twice are warned about', async () => {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }
  assert.match(String((await put({ ownerReferences: [owner, owner] })).headers.warning), /contains duplicate entries/)
})

test('a Scale of a custom resource may lack a resourceVersion, but not have 0', async () => {
  await server.inject({
    method: 'POST',
    url: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    user,
    body: {
      metadata: { name: 'widgets.b.example' },
      spec: {
        group: 'b.example',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } }
          }
        ]
      }
    }
  })
  const widgets = '/apis/b.example/v1/namespaces/default/widgets'
  const widget = { apiVersion: 'b.example/v1', kind: 'Widget', metadata: { name: 'w' } }
  let status = 0
  while (status !== 201) ({ status } = await server.inject({ method: 'POST', url: widgets, user, body: widget }))
  const scale = async (metadata: object) => {
    const body = { metadata: { name: 'w', ...metadata }, spec: { replicas: 2 } }
    return (await server.inject({ method: 'PUT', url: `${widgets}/w/scale`, user, body })).json()
  }
  assert.equal((await scale({})).spec.replicas, 2)
  assert.equal((await scale({ resourceVersion: '' })).spec.replicas, 2)
  for (const resourceVersion of ['0', '00']) {
    const { code, message } = await scale({ resourceVersion })
    assert.deepEqual(
      [code, message],
      [422, 'widgets.b.example "w" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update']
    )
  }
})
