/** What a deletion makes of finalizers, and what ends it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters'] }
let server: BinnacleServer
const ask = (method: string, url: string, body?: unknown) => send(server, method, url, body, { user })

before(async () => {
  server = createServer({ log: silentLogger, controllers: ['token-cleaner-controller'] })
  await server.start()
})
after(() => server.stop())

test('the deletion of a namespace makes a set of the finalizers that it changes', async () => {
  const url = '/api/v1/namespaces'
  const finalizers = ['example.com/a', 'example.com/a']
  for (const name of ['changed', 'unchanged']) await ask('POST', url, { metadata: { name, finalizers } })
  const changed = await ask('DELETE', `${url}/changed`, { propagationPolicy: 'Foreground' })
  assert.deepEqual(changed.body.metadata.finalizers, ['example.com/a', 'foregroundDeletion'])
  const unchanged = await ask('DELETE', `${url}/unchanged`, { propagationPolicy: 'Background' })
  assert.deepEqual(unchanged.body.metadata.finalizers, finalizers)
})

test('an update that ends a deletion answers with the object as it was sent', async () => {
  const url = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
  await ask('POST', url, { metadata: { name: 'r', finalizers: ['example.com/a'] }, rules: [] })
  await ask('DELETE', `${url}/r`)
  const { body } = await ask('GET', `${url}/r`)
  assert.equal(body.rules, null)
  const { finalizers: _, ...metadata } = body.metadata
  assert.deepEqual((await ask('PUT', `${url}/r`, { metadata, rules: [] })).body.rules, [])
  assert.equal((await ask('GET', `${url}/r`)).status, 404)
})

test('a deletion that only tries to drop the last finalizers answers with an object without fields', async () => {
  const url = '/apis/apps/v1/namespaces/default/deployments'
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const metadata = { name: 'd', finalizers: ['orphan'] }
  await ask('POST', url, { metadata, spec: { selector: { matchLabels: { a: 'b' } }, template } })
  const { body } = await ask('DELETE', `${url}/d`, { propagationPolicy: 'Background', dryRun: ['All'] })
  assert.equal(body.metadata.name, undefined)
  // what is a number in the internal type, and none in the external one
  assert.equal(body.spec.replicas, 0)
})
