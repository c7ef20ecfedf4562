import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'
import { microTime } from '../../util/time.js'

const candidates = '/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates'
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
const ofController = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/leader-election-controller'

let server: BinnacleServer
let clock: FakeClock

beforeEach(async () => {
  clock = new FakeClock()
  server = createServer({
    log: silentLogger,
    clock,
    controllers: [],
    featureGates: { CoordinatedLeaderElection: true },
    runtimeConfig: { 'coordination.k8s.io/v1beta1': true },
    coordinatedLeadershipLeaseDuration: 20_000
  })
  await server.start()
})
afterEach(() => server.stop())

const ask = async (method: string, url: string, body?: unknown) => (await send(server, method, url, body)).body

const now = () => microTime(clock.now())

const nominate = (name: string, emulationVersion: string, strategy = 'OldestEmulationVersion') =>
  ask('POST', candidates, {
    metadata: { name },
    spec: { leaseName: 'l', emulationVersion, binaryVersion: '1.36.0', strategy, renewTime: now() }
  })

const renew = (name: string) => ask('PATCH', `${candidates}/${name}`, { spec: { renewTime: now() } })
const pinged = async (name: string) => (await ask('GET', `${candidates}/${name}`)).spec.pingTime
const lease = async () => (await ask('GET', `${leases}/l`)).spec

/** Lets the controller work until nothing more changes. */
async function settle() {
  for (let i = 0; i < 50; i++) await setImmediate()
}

async function pass(milliseconds: number) {
  clock.advance(milliseconds)
  await settle()
}

describe('coordinated leader election', () => {
  it('creates a Lease for the candidate with the oldest emulation version', async () => {
    await nominate('new', '1.36.0')
    await settle()
    // both were renewed just now, so none is asked
    const spec = await lease()
    assert.deepEqual(spec, {
      holderIdentity: 'new',
      leaseDurationSeconds: 5,
      renewTime: now(),
      strategy: 'OldestEmulationVersion'
    })
    assert.equal(await pinged('new'), undefined)
  })

  it('asks the holder to give the Lease up for a better candidate, when the candidates have answered', async () => {
    await nominate('new', '1.36.0')
    await settle()
    await pass(3000)
    await ask('PATCH', `${leases}/l`, { spec: { renewTime: now(), leaseDurationSeconds: 60 } })
    await pass(3000)
    await nominate('old', '1.35.0')
    await settle()
    // the first candidate has not been renewed for five seconds
    assert.equal(await pinged('new'), now())
    assert.equal(await pinged('old'), undefined)
    assert.equal((await lease()).preferredHolder, undefined)
    await renew('new')
    await settle()
    const spec = await lease()
    assert.equal(spec.holderIdentity, 'new')
    assert.equal(spec.preferredHolder, 'old')
  })

  it('goes on without candidates that do not answer', async () => {
    await nominate('old', '1.35.0')
    await settle()
    await nominate('new', '1.36.0')
    // the Lease, the holder's candidate, and nobody renews them
    await pass(6000)
    assert.ok(await pinged('old'))
    await pass(4999)
    await renew('new')
    await settle()
    assert.equal((await lease()).holderIdentity, 'old')
    await pass(2)
    await renew('new')
    await settle()
    assert.equal((await lease()).holderIdentity, 'new')
  })

  it('leaves the holder to others for a strategy with a domain', async () => {
    await nominate('a', '1.36.0', 'example.com/other')
    await settle()
    assert.deepEqual(await lease(), { leaseDurationSeconds: 5, renewTime: now(), strategy: 'example.com/other' })
  })

  it('begins at once when a candidate is deleted', async () => {
    await nominate('old', '1.35.0')
    await settle()
    await nominate('new', '1.36.0')
    await ask('PATCH', `${leases}/l`, { spec: { leaseDurationSeconds: 60 } })
    await settle()
    await ask('DELETE', `${candidates}/old`)
    await settle()
    assert.equal((await lease()).preferredHolder, 'new')
  })

  it('deletes candidates that were not renewed for half an hour', async () => {
    await nominate('a', '1.36.0')
    for (let i = 0; i < 61; i++) await pass(60_000)
    assert.equal((await ask('GET', `${candidates}/a`)).reason, 'NotFound')
  })

  it('is done by the server that holds a Lease itself', async () => {
    const { spec } = await ask('GET', ofController)
    assert.equal(spec.leaseDurationSeconds, 20)
    assert.match(spec.holderIdentity, /^.+_[0-9a-f-]{36}$/)
  })
})

it('is refused with times by which two servers could lead', async () => {
  const gates = { log: silentLogger, featureGates: { CoordinatedLeaderElection: true } }
  for (const [times, message] of [
    [
      { coordinatedLeadershipLeaseDuration: 10_000 },
      /lease-duration must be greater than --coordinated-leadership-renew-deadline$/
    ],
    [{ coordinatedLeadershipRetryPeriod: 10_000 }, /renew-deadline must be greater than --coordinated-leadership-retry-period$/]
  ] as const)
    await assert.rejects(createServer({ ...gates, ...times }).start(), message)
})
