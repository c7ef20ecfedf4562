import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOperator } from 'binnacle/operator'
import { until, useServer } from 'binnacle/testing'
import { operator } from './operator.js'
import { site } from './site.js'

// nothing but errors is said
const log = { error: console.error, warn() {}, info() {} }
const server = useServer({ simulate: true, isolate: 'none' })

test('a site gets ready, and its pages are served from a ConfigMap', async () => {
  const client = server.client()
  await using running = runOperator(operator, { client, install: true, leaderElection: false, log })
  await running.elected
  const made = await client
    .of(site)
    .create({ metadata: { name: 'home' }, spec: { pages: { 'index.html': 'Hello' }, replicas: 2 } })
  await until(client, made, { condition: 'Ready' }, { timeout: 20_000 })
  assert.deepEqual((await client.of('v1', 'ConfigMap').get('home')).data, { 'index.html': 'Hello' })
  assert.equal((await client.of('apps/v1', 'Deployment').get('home')).status?.readyReplicas, 2)
  await assert.rejects(client.of(site).create({ metadata: { name: 'empty' }, spec: { pages: {} } }), { code: 422 })
})
