/** kube-apiserver stores the internalTrafficPolicy of Services of type ExternalName, but no answer shows it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

const services = '/api/v1/namespaces/default/services'
const external = { type: 'ExternalName', externalName: 'a.example.com' }
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
})
after(() => server.stop())

const ask = (method: string, url: string, body?: unknown, type?: string) => send(server, method, url, body, type ? { type } : {})
const patch = (name: string, body: unknown, part = '') =>
  ask('PATCH', `${services}/${name}${part}`, body, 'application/merge-patch+json')

/** A Service that becomes one of type ExternalName, whose creator owns the policy. */
async function made(name: string) {
  await ask('POST', services, { metadata: { name }, spec: { ports: [{ port: 80 }] } })
  const { body } = await patch(name, { spec: external })
  assert.equal(body.spec.internalTrafficPolicy, undefined)
  assert.ok(ownsPolicy(body))
  return body
}

const ownsPolicy = (body: any) => body.metadata.managedFields.some((e: any) => e.fieldsV1['f:spec']?.['f:internalTrafficPolicy'])

test('a PUT without the policy takes it from its owner', async () => {
  await made('put')
  const { status, body } = await ask('PUT', `${services}/put`, { metadata: { name: 'put' }, spec: external })
  assert.deepEqual([status, ownsPolicy(body)], [200, false])
})

test('a patch takes the policy from its owner, and its value can be tested', async () => {
  const { metadata } = await made('patch')
  const same = await patch('patch', { spec: external })
  assert.equal(same.body.metadata.resourceVersion, metadata.resourceVersion)
  const operations = [{ op: 'test', path: '/spec/internalTrafficPolicy', value: 'Cluster' }]
  const tested = await ask('PATCH', `${services}/patch`, operations, 'application/json-patch+json')
  assert.deepEqual([tested.status, tested.body.spec.internalTrafficPolicy], [200, undefined])
  const { body } = await patch('patch', { spec: { internalTrafficPolicy: null } })
  assert.deepEqual([body.spec.internalTrafficPolicy, ownsPolicy(body)], [undefined, false])
})

test('a write of the status does not bring the policy back', async () => {
  await made('status')
  const condition = { type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime: '2020-01-01T00:00:00Z' }
  assert.equal((await patch('status', { status: { conditions: [condition] } }, '/status')).status, 200)
  const { body } = await ask('GET', `${services}/status`)
  assert.deepEqual([body.spec.internalTrafficPolicy, ownsPolicy(body)], [undefined, true])
})
