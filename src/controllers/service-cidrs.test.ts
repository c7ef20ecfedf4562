/** The controller of ServiceCIDRs in a whole server. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { BinnacleServer } from '../server/binnacle-server.js'
import { createServer } from '../server/server.js'
import { eventually } from '../testkit/eventually.js'
import { FakeClock } from '../testkit/fake-clock.js'
import { send } from '../testkit/send.js'
import { silentLogger } from '../util/logger.js'

const services = '/api/v1/namespaces/default/services'
const cidrs = '/apis/networking.k8s.io/v1/servicecidrs'
const finalizer = 'networking.k8s.io/service-cidr-finalizer'
let server: BinnacleServer
let clock: FakeClock

beforeEach(async () => {
  clock = new FakeClock()
  server = createServer({ log: silentLogger, controllers: ['service-cidr-controller'], clock })
  await server.start()
})
afterEach(() => server.stop())

const ask = async (method: string, url: string, body?: unknown) => (await send(server, method, url, body)).body

const make = (name: string, ...given: string[]) => ask('POST', cidrs, { metadata: { name }, spec: { cidrs: given } })
const makeService = (name: string, clusterIP: string) =>
  ask('POST', services, { metadata: { name }, spec: { clusterIP, ports: [{ port: 80 }] } })

const until = (name: string, wanted: (object: any) => boolean): Promise<any> =>
  eventually(`ServiceCIDR ${name} is as wanted`, () => ask('GET', `${cidrs}/${name}`), wanted)

const condition = (object: any) => object.status?.conditions?.[0] ?? {}
const isReady = (object: any) => condition(object).message === 'Kubernetes Service CIDR is ready'
const isInUse = (object: any) => condition(object).reason === 'Terminating'
const isGone = (object: any) => object.code === 404

/** Waits for the deletion, which takes ten seconds from its request. */
async function untilGone(name: string): Promise<void> {
  await until(name, object => {
    clock.advance(1000)
    return isGone(object)
  })
}

test('ServiceCIDRs get the finalizer and the condition', async () => {
  await make('extra', '172.16.0.0/29')
  for (const name of ['extra', 'kubernetes']) {
    const object = await until(name, isReady)
    assert.deepEqual(object.metadata.finalizers, [finalizer])
    assert.equal(condition(object).status, 'True')
  }
})

test('one whose addresses Services have stays until they are given back', async () => {
  await make('extra', '172.16.0.0/29')
  await until('extra', isReady)
  assert.equal((await makeService('a', '172.16.0.5')).spec.clusterIP, '172.16.0.5')
  await ask('DELETE', `${cidrs}/extra`)
  const kept = await until('extra', isInUse)
  assert.equal(condition(kept).status, 'False')
  clock.advance(60_000)
  await ask('DELETE', `${services}/a`)
  await untilGone('extra')
})

test('one without addresses stays for ten seconds', async () => {
  await make('extra', '172.16.0.0/29')
  await until('extra', isReady)
  await ask('DELETE', `${cidrs}/extra`)
  // comes later in the same queue
  await make('next', '172.17.0.0/29')
  await until('next', isReady)
  clock.advance(8000)
  await make('last', '172.18.0.0/29')
  await until('last', isReady)
  assert.ok((await ask('GET', `${cidrs}/extra`)).metadata.deletionTimestamp)
  await untilGone('extra')
})

test('one goes when another one contains its addresses', async () => {
  await make('extra', '172.16.0.0/29')
  await until('extra', isReady)
  await makeService('a', '172.16.0.5')
  await ask('DELETE', `${cidrs}/extra`)
  await until('extra', isInUse)
  await make('wide', '172.16.0.0/24')
  await untilGone('extra')
  assert.equal((await ask('GET', `${services}/a`)).spec.clusterIP, '172.16.0.5')
})
