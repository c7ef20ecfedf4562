/** Addresses of Services from additional ServiceCIDRs, without the controller of ServiceCIDRs. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { openMemoryStore } from '../../../storage/memory/store.js'
import { send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const services = '/api/v1/namespaces/default/services'
const cidrs = '/apis/networking.k8s.io/v1/servicecidrs'
let server: BinnacleServer

beforeEach(async () => {
  // the Service kubernetes has one of its two addresses
  server = createServer({ log: silentLogger, controllers: [], serviceClusterIPRange: '10.0.0.0/30' })
  await server.start()
})
afterEach(() => server.stop())

const ask = (method: string, url: string, body?: unknown) => send(server, method, url, body)

const makeCidr = (name: string, ...given: string[]) => ask('POST', cidrs, { metadata: { name }, spec: { cidrs: given } })
const setReady = (name: string, status: string) => {
  const condition = { type: 'Ready', status, reason: 'Test', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }
  return ask('PATCH', `${cidrs}/${name}/status`, { status: { conditions: [condition] } })
}
const make = (name: string, clusterIP?: string, query = '') =>
  ask('POST', services + query, { metadata: { name }, spec: { clusterIP, ports: [{ port: 80 }] } })

test('addresses come from an additional ServiceCIDR, asked for or not', async () => {
  const before = await make('before', '172.16.0.5')
  assert.match(before.body.message, /failed to allocate IP 172\.16\.0\.5: the provided network does not match the current range$/)
  assert.equal((await make('last')).body.spec.clusterIP, '10.0.0.2')
  const full = await make('full')
  assert.equal(full.status, 500)
  assert.match(full.body.message, /: failed to allocate a serviceIP for Service "full": range is full$/)
  assert.equal((await makeCidr('extra', '172.16.0.0/29', '2001:db8::/112')).status, 201)
  assert.equal((await make('asked', '172.16.0.5')).status, 201)
  assert.match((await make('asked-again', '172.16.0.5')).body.message, /provided IP is already allocated$/)
  const { spec } = (await make('any')).body
  assert.match(spec.clusterIP, /^172\.16\.0\.[1-6]$/)
  // the range that gave the last address stays the first, so that full ones are not searched for each Service
  await ask('DELETE', `${services}/last`)
  assert.match((await make('next')).body.spec.clusterIP, /^172\.16\./)
  for (const edge of ['172.16.0.0', '172.16.0.7']) assert.equal((await make('edge', edge)).status, 422)
  const address = await ask('GET', `/apis/networking.k8s.io/v1/ipaddresses/${spec.clusterIP}`)
  assert.equal(address.body.spec.parentRef.name, 'any')
  assert.match((await make('six', '2001:db8::5')).body.message, /IPv6 is not configured on this cluster$/)
})

test('a ServiceCIDR that is not ready, or is being deleted, gives no addresses', async () => {
  await makeCidr('extra', '172.16.0.0/29')
  await setReady('extra', 'False')
  assert.match((await make('a', '172.16.0.5')).body.message, /does not match the current range$/)
  await setReady('extra', 'True')
  assert.equal((await make('a', '172.16.0.5')).status, 201)
  await ask('PATCH', `${cidrs}/extra`, { metadata: { finalizers: ['example.com/kept'] } })
  await ask('DELETE', `${cidrs}/extra`)
  assert.equal((await make('b', '172.16.0.4')).status, 422)
  // another one with the same range is enough
  await makeCidr('twin', '172.16.0.0/29')
  assert.equal((await make('b', '172.16.0.4')).status, 201)
  await ask('DELETE', `${cidrs}/twin`)
  assert.equal((await make('c', '172.16.0.3')).status, 422)
})

test('the configured range depends on its ServiceCIDR too', async () => {
  await setReady('kubernetes', 'False')
  assert.equal((await make('a')).status, 500)
  assert.match((await make('a', '10.0.0.2')).body.message, /does not match the current range$/)
  const dry = await make('a', undefined, '?dryRun=All')
  assert.equal(dry.status, 422)
  assert.match(dry.body.message, /failed to allocate IP: allocator not ready$/)
  await setReady('kubernetes', 'True')
  assert.equal((await make('a')).body.spec.clusterIP, '10.0.0.2')
  await ask('DELETE', `${cidrs}/kubernetes`)
  assert.equal((await make('b')).status, 500)
})

test('dry runs know additional ServiceCIDRs', async () => {
  const outside = await make('dry', '172.16.0.5', '?dryRun=All')
  assert.match(outside.body.message, /\(172\.16\.0\.5\) is not in the valid range\. The range of valid IPs is 10\.0\.0\.0\/30$/)
  await makeCidr('extra', '172.16.0.0/29')
  assert.equal((await make('dry', '172.16.0.5', '?dryRun=All')).status, 201)
})

test('nothing comes from ranges without room, or larger than those of kube-apiserver', async () => {
  await server.stop()
  server = createServer({ log: silentLogger, controllers: [], serviceClusterIPRange: '10.0.0.0/30,fd00::/112' })
  await server.start()
  await makeCidr('small', '192.168.9.0/31')
  await makeCidr('one', '192.168.8.1/32')
  await makeCidr('large', '2001:db8::/48')
  for (const ip of ['192.168.9.1', '192.168.8.1', '2001:db8::1']) assert.equal((await make('a', ip)).status, 422)
  await make('last')
  assert.equal((await make('full')).status, 500)
})

test('a server that starts again knows the ServiceCIDRs that exist', async () => {
  const store = openMemoryStore()
  await server.stop()
  server = createServer({ log: silentLogger, controllers: [], store })
  await server.start()
  await makeCidr('extra', '172.16.0.0/29')
  const again = createServer({ log: silentLogger, controllers: [], store })
  await again.start()
  try {
    const body = { metadata: { name: 'a' }, spec: { clusterIP: '172.16.0.5', ports: [{ port: 80 }] } }
    assert.equal((await again.inject({ method: 'POST', url: services, user, body })).status, 201)
  } finally {
    await again.stop()
  }
})
