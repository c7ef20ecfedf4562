/** Claims of Services on stores that commit Services and claims together: only users can part them. single-writes.test.ts has the others. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { eventually } from '../eventually.js'
import { FakeClock } from '../fake-clock.js'

const user = { name: 'admin', groups: ['system:masters'] }
const services = '/api/v1/namespaces/default/services'
const addresses = '/apis/networking.k8s.io/v1/ipaddresses'

async function start(t: TestContext): Promise<{ server: BinnacleServer; clock: FakeClock }> {
  const clock = new FakeClock()
  const server = createServer({ storageBackend: 'memory', listen: false, clock, log: silentLogger })
  await server.start()
  t.after(() => server.stop())
  return { server, clock }
}

async function ask(server: BinnacleServer, method: string, url: string, body?: unknown): Promise<any> {
  const answer = await server.inject({ method, url, ...(body === undefined ? {} : { body }), user } as never)
  return { status: answer.status, body: JSON.parse(String(answer.body)) }
}

test('an IPAddress that a user deletes comes back, and one without a Service goes', async t => {
  const { server, clock } = await start(t)
  const { body: service } = await ask(server, 'POST', services, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } })
  const ip: string = service.spec.clusterIP
  const { body: leaked } = await ask(server, 'POST', addresses, {
    metadata: { name: '10.0.0.250', labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'nobody' } }
  })
  assert.equal(leaked.kind, 'IPAddress')
  assert.equal((await ask(server, 'DELETE', `${addresses}/${ip}`)).status, 200)
  assert.equal((await ask(server, 'GET', `${addresses}/${ip}`)).status, 404)

  const found = await eventually(
    'both are repaired',
    async () => {
      clock.advance(180_000)
      return Promise.all([ip, '10.0.0.250'].map(async name => (await ask(server, 'GET', `${addresses}/${name}`)).body))
    },
    ([missing, wrong]) => missing.kind === 'IPAddress' && wrong.code === 404
  )
  assert.equal(found[0].spec.parentRef.name, 'web')
  const told = async () =>
    (await ask(server, 'GET', '/api/v1/namespaces/default/events')).body.items.map(({ message }: any) => message).sort()
  assert.deepEqual(await eventually('both are told', told, messages => messages.length === 2), [
    `Cluster IP [IPv4]: ${ip} is not allocated; repairing`,
    'IPAddress: 10.0.0.250 for Service default/nobody appears to have leaked: cleaning up'
  ])
})

test('an IPAddress without a Service goes when a second look finds it as it was: a request may be about to write its Service', async t => {
  const { server, clock } = await start(t)
  const address = `${addresses}/10.0.0.250`
  await ask(server, 'POST', addresses, {
    metadata: { name: '10.0.0.250', labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'nobody' } }
  })
  /** What a look at all addresses leaves of it. */
  const look = async (): Promise<number> => {
    await clock.pass(180_000)
    return (await ask(server, 'GET', address)).status
  }
  assert.equal(await look(), 200, 'the first look only remembers it')
  const { body: seen } = await ask(server, 'GET', address)
  await ask(server, 'PUT', address, { ...seen, metadata: { ...seen.metadata, annotations: { changed: 'since' } } })
  assert.equal(await look(), 200, 'the second look finds it changed')
  assert.equal(await look(), 404, 'the third finds it as it was in the second')
})
