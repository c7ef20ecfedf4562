import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

const pods = '/api/v1/namespaces/default/pods'
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger, disableAdmissionPlugins: ['ServiceAccount'] })
  await server.start()
  for (const [name, os] of [
    ['small', 'linux'],
    ['other', 'windows']
  ] as const) {
    await ask('POST', '/api/v1/nodes', { metadata: { name, labels: { 'kubernetes.io/os': os } } })
    await ask('PATCH', `/api/v1/nodes/${name}/status`, { status: { allocatable: { cpu: '1500m', memory: '2Gi' } } })
  }
  for (const nodeName of ['small', 'other', 'missing', undefined]) {
    const container = { name: 'c', image: 'i', resources: { requests: { cpu: '500m', memory: '1Gi' } } }
    await ask('POST', pods, { metadata: { name: `on-${nodeName}` }, spec: { nodeName, containers: [container] } })
  }
})
after(() => server.stop())

const ask = (method: string, url: string, body: object) =>
  send(server, method, url, body, method === 'PATCH' ? { type: 'application/strategic-merge-patch+json' } : {})

const resize = (pod: string, requests: object) =>
  ask('PATCH', `${pods}/${pod}/resize?dryRun=All`, { spec: { containers: [{ name: 'c', resources: { requests } }] } })

test('a Pod is resized only within the allocatable resources of its node', async () => {
  assert.equal((await resize('on-small', { cpu: '1500m', memory: '2Gi' })).status, 200)
  assert.equal((await resize('on-undefined', { cpu: '50' })).status, 200)
  const { status, body } = await resize('on-small', { cpu: '1501m', memory: '3Gi' })
  assert.equal(status, 403)
  assert.equal(
    body.message,
    'pods "on-small" is forbidden: node didn\'t have enough allocatable resources: cpu, requested: 1501, allocatable: 1500; memory, requested: 3221225472, allocatable: 2147483648'
  )
  assert.deepEqual(body.details.causes, [{ reason: 'NodeCapacity' }])
})

test('a Pod is not resized on a node that does not exist or does not run Linux', async () => {
  const missing = await resize('on-missing', { cpu: '1' })
  assert.equal(missing.body.message, 'pods "on-missing" is forbidden: node "missing" not found')
  const other = await resize('on-other', { cpu: '1' })
  assert.match(other.body.message, /pod resize is only supported on linux nodes, node "other" is "windows"$/)
  assert.deepEqual(other.body.details.causes, [{ reason: 'UnsupportedPlatform' }])
  // an update that does not change the spec is not checked
  const same = await ask('PATCH', `${pods}/on-missing/resize?dryRun=All`, { spec: {} })
  assert.equal(same.status, 200)
})
