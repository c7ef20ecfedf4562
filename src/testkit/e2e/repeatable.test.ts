/** Time and chance in the hands of a test: a fake clock and a seed. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import type { ServerOptions } from '../../server/options.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { FakeClock } from '../fake-clock.js'
import { signingRequest } from '../signing-request.js'

const user = { name: 'me', groups: ['system:masters'] }
const minute = 60_000
const hour = 60 * minute

const start = async (t: TestContext, options: ServerOptions) => {
  const server = createServer({ log: silentLogger, listen: false, ...options })
  t.after(() => server.stop())
  await server.start()
  return server
}
const make = async (server: BinnacleServer, url: string, body: object) => {
  const answer = await server.inject({ url, body, user })
  assert.equal(answer.status, 201, answer.body.toString())
  return answer.json()
}
const get = async (server: BinnacleServer, url: string) => (await server.inject({ url, user })).json()
const service = { metadata: { generateName: 'x-' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } }
const services = '/api/v1/namespaces/default/services'

/** Everything that the server holds, as text; certificates are new in each run. */
async function dump(server: BinnacleServer): Promise<string> {
  const accept = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }
  const texts: string[] = []
  for (const root of ['/api', '/apis']) {
    const { items } = (await server.inject({ url: root, user, headers: accept })).json()
    for (const { metadata, versions } of items)
      for (const { resource, verbs } of versions[0].resources) {
        if (!verbs.includes('list')) continue
        const path = [root, metadata.name, versions[0].version, resource].filter(Boolean).join('/')
        texts.push((await server.inject({ url: path, user })).body.toString())
      }
  }
  return texts
    .join('\n')
    .replaceAll(/-----BEGIN CERTIFICATE.*?END CERTIFICATE-----/g, '')
    .replaceAll(/(?<=kube-apiserver-serving:)[0-9a-f]+/g, '')
}

describe('a seed', () => {
  const seeded = (t: TestContext, seed: string) => start(t, { seed, clock: new FakeClock() })
  const work = async (server: BinnacleServer) => {
    for (let i = 0; i < 3; i++) await make(server, services, service)
    await make(server, '/api/v1/namespaces', { metadata: { name: 'n' } })
    return dump(server)
  }

  test('repeats uids, names, addresses, ports, times and resource versions of everything', async t => {
    const first = await work(await seeded(t, 'a'))
    assert.ok(first.length > 100_000)
    assert.equal(await work(await seeded(t, 'a')), first)
    assert.notEqual(await work(await seeded(t, 'b')), first)
  })

  test('goes on in forks and after a restore where the snapshot was', async t => {
    const server = await seeded(t, 'a')
    await make(server, services, service)
    const snapshot = await server.snapshot()
    const [one, two] = [await snapshot.fork(), await snapshot.fork()]
    t.after(() => Promise.all([one.stop(), two.stop()]))
    const before = await dump(server)
    const first = await work(one)
    assert.equal(await work(two), first)
    await work(server)
    await server.restore(snapshot)
    assert.equal(await dump(server), before)
    assert.equal(await work(server), first)
  })
})

describe('a seed of its own', () => {
  test('repeats what a fork and a hosted server make, whatever their server has drawn', async t => {
    const server = await start(t, { seed: 'host', clock: new FakeClock(), listen: true })
    const uidOf = async (of: BinnacleServer) => {
      const { metadata } = await make(of, services, service)
      return metadata.uid
    }
    const seen: string[] = []
    for (const round of ['one', 'two']) {
      await make(server, services, service)
      const fork = await server.fork({ seed: 'mine' })
      t.after(() => fork.stop())
      seen.push(`${await uidOf(fork)} ${await uidOf(await server.host(round, { seed: 'mine' }))}`)
    }
    assert.equal(seen[0], seen[1])
  })
})

describe('a fake clock', () => {
  test('ends Events after their hour, and tokens at their time', async t => {
    const clock = new FakeClock()
    const server = await start(t, { clock })
    const involvedObject = { namespace: 'default', kind: 'Pod', name: 'p' }
    await make(server, '/api/v1/namespaces/default/events', {
      metadata: { name: 'e' },
      involvedObject,
      reason: 'r',
      type: 'Normal'
    })
    const { status } = await make(server, '/api/v1/namespaces/default/serviceaccounts/default/token', {
      spec: { expirationSeconds: 600 }
    })
    const headers = { authorization: `Bearer ${status.token}` }
    const answer = async () => (await server.inject({ url: '/api', headers })).status
    assert.equal(await answer(), 200)
    // a minute of leeway beyond the ten that it is valid for
    await clock.pass(12 * minute)
    assert.equal(await answer(), 401)
    assert.equal((await get(server, '/api/v1/events')).items.length, 1)
    await clock.pass(hour)
    assert.equal((await get(server, '/api/v1/events')).items.length, 0)
  })

  test('ends watches at their timeout', async t => {
    const clock = new FakeClock()
    const server = await start(t, { clock })
    let ended = false
    const watching = server.inject({ url: '/api/v1/namespaces?watch=1&timeoutSeconds=3600', user }).then(answer => {
      ended = true
      return answer
    })
    await clock.pass(59 * minute)
    assert.equal(ended, false)
    await clock.pass(2 * minute)
    assert.equal((await watching).status, 200)
  })

  test('cleans CertificateSigningRequests that nobody approved', async t => {
    const clock = new FakeClock()
    const server = await start(t, { clock })
    const csrs = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
    const request = signingRequest('developers', 'me')
    await make(server, csrs, {
      metadata: { name: 'c' },
      spec: { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] }
    })
    // `pass` lets everything happen that a server does every ten seconds: one of the hours is enough
    clock.advance(22 * hour)
    await clock.pass(hour)
    assert.equal((await get(server, csrs)).items.length, 1)
    clock.advance(hour)
    await clock.pass(hour)
    assert.equal((await get(server, csrs)).items.length, 0)
  })

  test('shows the Lease of the server renewed', async t => {
    const clock = new FakeClock()
    const server = await start(t, { clock })
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'
    const renewed = async () => Date.parse((await get(server, leases)).items[0].spec.renewTime)
    const before = await renewed()
    await clock.pass(minute)
    assert.ok((await renewed()) - before > 45_000)
  })
})
