/** Servers over what speaks etcd and takes transactions of one key, as kine does. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { allocatedPorts } from '../../registry/network/port-allocation.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import type { ServerOptions } from '../../server/options.js'
import { createServer } from '../../server/server.js'
import { type SingleKeyEtcd, startSingleKeyEtcd } from '../../storage/etcd/testing/single-key-etcd.js'
import { silentLogger } from '../../util/logger.js'
import { eventually } from '../eventually.js'
import { FakeClock } from '../fake-clock.js'

const user = { name: 'admin', groups: ['system:masters'] }
const services = '/api/v1/namespaces/default/services'

async function open(t: TestContext): Promise<SingleKeyEtcd> {
  const etcd = await startSingleKeyEtcd()
  // servers that cannot reach it take long to stop
  t.after(async () => {
    await Promise.all((servers.get(etcd) ?? []).map(server => server.stop()))
    await etcd.close()
  })
  return etcd
}

const servers = new WeakMap<SingleKeyEtcd, BinnacleServer[]>()

async function serverOn(etcd: SingleKeyEtcd, options: ServerOptions = {}): Promise<BinnacleServer> {
  const server = createServer({
    storageBackend: 'etcd3',
    etcdServers: [etcd.url],
    serviceClusterIPRange: '10.0.0.0/24,fd00::/112',
    log: silentLogger,
    ...options
  })
  await server.start()
  servers.set(etcd, [...(servers.get(etcd) ?? []), server])
  return server
}

async function ask(server: BinnacleServer, method: string, url: string, body?: unknown, type?: string): Promise<any> {
  const headers = type === undefined ? {} : { headers: { 'content-type': type } }
  const answer = await server.inject({ method, url, ...headers, ...(body === undefined ? {} : { body }), user } as never)
  return { status: answer.status, body: JSON.parse(String(answer.body)) }
}

const create = (server: BinnacleServer, name: string, spec: object) =>
  ask(server, 'POST', services, { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } })

const patch = (server: BinnacleServer, name: string, spec: object) =>
  ask(server, 'PATCH', `${services}/${name}`, { spec }, 'application/merge-patch+json')

const ipv4Labels = {
  'ipaddress.kubernetes.io/ip-family': 'IPv4',
  'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io'
}

interface Taken {
  readonly addresses: string[]
  readonly ports: number[]
}

/** What is claimed. */
async function claimed({ store }: SingleKeyEtcd): Promise<Taken> {
  const { items } = await store.list('/registry/ipaddresses/')
  const allocation = await store.get('/registry/ranges/servicenodeports')
  return {
    addresses: items.map(({ key }) => key.split('/').at(-1)!).sort(),
    ports: allocation ? allocatedPorts(allocation.value) : []
  }
}

/** What Services have. */
async function used(server: BinnacleServer): Promise<Taken> {
  const specs = (await ask(server, 'GET', '/api/v1/services')).body.items.map(({ spec }: any) => spec)
  const addresses = specs.flatMap(({ clusterIPs = [] }: any) => clusterIPs.filter((ip: string) => ip !== 'None'))
  const ports = specs.flatMap(({ ports = [], healthCheckNodePort }: any) => [
    ...ports.flatMap(({ nodePort }: any) => nodePort ?? []),
    ...(healthCheckNodePort ? [healthCheckNodePort] : [])
  ])
  return { addresses: addresses.sort(), ports: [...new Set<number>(ports)].sort((a, b) => a - b) }
}

async function assertOnlyUsedIsClaimed(etcd: SingleKeyEtcd, server: BinnacleServer): Promise<Taken> {
  const taken = await used(server)
  assert.deepEqual(await claimed(etcd), taken)
  return taken
}

test('Services of all kinds are created, changed and deleted, and have what they claim', async t => {
  const etcd = await open(t)
  const server = await serverOn(etcd)
  const kinds = {
    plain: {},
    headless: { clusterIP: 'None' },
    external: { type: 'ExternalName', externalName: 'example.com', ports: undefined },
    ported: { type: 'NodePort' },
    balanced: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
    dual: { ipFamilyPolicy: 'RequireDualStack' },
    chosen: { type: 'NodePort', clusterIP: '10.0.0.77', ports: [{ port: 80, nodePort: 30777 }] }
  }
  for (const [name, spec] of Object.entries(kinds)) {
    const { status, body } = await create(server, name, spec)
    assert.equal(status, 201, body.message)
  }
  const first = await assertOnlyUsedIsClaimed(etcd, server)
  // one of each, of `dual` two, and that of the Service kubernetes
  assert.equal(first.addresses.length, 7)
  assert.equal(first.ports.length, 4)

  const changes: [string, object][] = [
    ['plain', { type: 'NodePort' }],
    ['plain', { ipFamilyPolicy: 'PreferDualStack' }],
    ['ported', { ports: [{ port: 80, nodePort: 30778 }] }],
    ['ported', { type: 'ClusterIP', ports: [{ port: 80, nodePort: null }] }],
    ['balanced', { externalTrafficPolicy: 'Cluster' }],
    ['dual', { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'], clusterIPs: null }],
    ['chosen', { type: 'ExternalName', externalName: 'example.com', clusterIP: null, clusterIPs: null, ports: null }]
  ]
  for (const [name, spec] of changes) {
    const { status, body } = await patch(server, name, spec)
    assert.equal(status, 200, `${name}: ${body.message}`)
    await assertOnlyUsedIsClaimed(etcd, server)
  }
  for (const name of Object.keys(kinds)) assert.equal((await ask(server, 'DELETE', `${services}/${name}`)).status, 200)
  assert.deepEqual(await assertOnlyUsedIsClaimed(etcd, server), { addresses: ['10.0.0.1'], ports: [] })
})

test('Services that two servers create and delete at the same time share nothing and leave nothing', async t => {
  const etcd = await open(t)
  const pair = [await serverOn(etcd), await serverOn(etcd)] as const
  const both = <T>(work: (server: BinnacleServer, i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 20 }, (_, i) => work(pair[i % 2]!, i)))
  const made = await both((server, i) => create(server, `svc-${i}`, { type: 'NodePort' }))
  assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]))
  const { addresses, ports } = await assertOnlyUsedIsClaimed(etcd, pair[0])
  assert.deepEqual([new Set(addresses).size, ports.length], [21, 20])
  await both((server, i) => ask(server, 'DELETE', `${services}/svc-${i}`))
  assert.deepEqual(await assertOnlyUsedIsClaimed(etcd, pair[1]), { addresses: ['10.0.0.1'], ports: [] })

  const raced = await both((server, i) => create(server, `raced-${i >> 1}`, { type: 'NodePort' }))
  assert.deepEqual(raced.map(({ status }) => status).sort(), [...Array(10).fill(201), ...Array(10).fill(409)])
  assert.equal((await assertOnlyUsedIsClaimed(etcd, pair[0])).ports.length, 10)
})

test('when a claim fails, those before it are taken back', async t => {
  const etcd = await open(t)
  const server = await serverOn(etcd)
  const before = await claimed(etcd)
  etcd.fails = key => (key.includes('/ipaddresses/fd00') ? 'refuse' : undefined)
  const failed = await create(server, 'dual', { type: 'NodePort', ipFamilyPolicy: 'RequireDualStack' })
  assert.equal(failed.status, 500)
  assert.deepEqual(await claimed(etcd), before)
  etcd.fails = () => undefined
  assert.equal((await create(server, 'dual', { type: 'NodePort', ipFamilyPolicy: 'RequireDualStack' })).status, 201)
})

test('a Service whose answer is lost has what it claimed', async t => {
  const etcd = await open(t)
  const server = await serverOn(etcd)
  etcd.fails = (key, isDeletion) => (key.endsWith('/default/lost') && !isDeletion ? 'lose' : undefined)
  assert.equal((await create(server, 'lost', { type: 'NodePort' })).status, 500)
  etcd.fails = () => undefined
  assert.equal((await ask(server, 'GET', `${services}/lost`)).status, 200)
  assert.equal((await assertOnlyUsedIsClaimed(etcd, server)).ports.length, 1)
})

test('what a failure leaves claimed blocks no other Service, and is removed', async t => {
  const etcd = await open(t)
  const clock = new FakeClock()
  const server = await serverOn(etcd, { clock })
  const chosen = { type: 'NodePort', clusterIP: '10.0.0.77', ports: [{ port: 80, nodePort: 30777 }] }
  // nobody knows whether this Service was written
  etcd.fails = key => (key.endsWith('/default/orphaned') ? 'refuse' : undefined)
  assert.equal((await create(server, 'orphaned', chosen)).status, 500)
  // and this one is gone, with its claims left
  assert.equal((await create(server, 'deleted', { type: 'NodePort' })).status, 201)
  etcd.fails = (key, isDeletion) => (isDeletion && key.includes('/ipaddresses/') ? 'refuse' : undefined)
  assert.equal((await ask(server, 'DELETE', `${services}/deleted`)).status, 200)
  etcd.fails = () => undefined

  assert.equal((await claimed(etcd)).addresses.length, 3)
  assert.equal((await create(server, 'other', { type: 'NodePort' })).status, 201)
  assert.match((await create(server, 'same', chosen)).body.message, /provided IP is already allocated/)

  const removed = async (what: (taken: Taken) => boolean) => {
    await eventually(
      'what nobody has is removed',
      async () => {
        clock.advance(90_000)
        return claimed(etcd)
      },
      what
    )
  }
  await removed(({ addresses }) => addresses.length === 2)
  await removed(({ ports }) => ports.length === 1)
  await assertOnlyUsedIsClaimed(etcd, server)
  const { items } = (await ask(server, 'GET', '/api/v1/namespaces/default/events')).body
  const told = items.filter(({ reason }: any) => reason === 'IPAddressNotAllocated').map(({ message }: any) => message)
  assert.ok(told.includes('IPAddress: 10.0.0.77 for Service default/orphaned appears to have leaked: cleaning up'), told.join())
  const metrics = await server.inject({ method: 'GET', url: '/metrics', user } as never)
  assert.match(String(metrics.body), /apiserver_nodeport_repair_port_errors_total\{type="leak"\} 1\n/)
  const { status, body } = await create(server, 'same', chosen)
  assert.equal(status, 201, body.message)
})

test('addresses and IPAddresses that do not agree are repaired, with Events', async t => {
  const etcd = await open(t)
  const clock = new FakeClock()
  const server = await serverOn(etcd, { clock })
  const ips = '/apis/networking.k8s.io/v1/ipaddresses'
  const ip = async (name: string) => (await ask(server, 'GET', `${ips}/${name}`)).body
  const claim = (name: string, parentRef: object, labels: object = ipv4Labels) =>
    ask(server, 'POST', ips, { metadata: { name, labels }, spec: { parentRef } })
  const parent = (name: string) => ({ resource: 'services', namespace: 'default', name })
  for (const [i, name] of ['missing', 'wrong', 'gone', 'unlabelled', 'sound', 'second'].entries())
    assert.equal((await create(server, name, { clusterIP: `10.0.0.${20 + i}` })).status, 201)
  for (const i of [20, 21, 22, 23, 25]) assert.equal((await ask(server, 'DELETE', `${ips}/10.0.0.${i}`)).status, 200)
  await claim('10.0.0.21', { group: 'example.com', resource: 'gateways', name: 'a' })
  await claim('10.0.0.22', parent('nobody'))
  await claim('10.0.0.23', parent('unlabelled'), {})
  // of a Service that has another one, and of none
  await claim('10.0.0.25', parent('sound'))
  await claim('10.0.0.40', { group: 'example.com', resource: 'gateways', name: 'b' })
  const { metadata: before } = await ip('10.0.0.24')

  await eventually(
    'all are repaired',
    async () => {
      clock.advance(90_000)
      return Promise.all([20, 21, 22, 23, 25].map(i => ip(`10.0.0.${i}`)))
    },
    found => found.map(({ spec }) => spec?.parentRef?.name).join() === 'missing,wrong,gone,unlabelled,second'
  )
  for (const i of [20, 21, 22, 23, 25]) assert.deepEqual((await ip(`10.0.0.${i}`)).metadata.labels, ipv4Labels)
  assert.equal((await ip('10.0.0.24')).metadata.uid, before.uid)
  const told = async () =>
    (await ask(server, 'GET', '/api/v1/events')).body.items
      .filter(({ reportingComponent }: any) => reportingComponent === 'ipallocator-repair-controller')
      .map(({ reason, involvedObject, message }: any) => `${reason} ${involvedObject.kind} ${message}`)
      .sort()
  assert.deepEqual(await eventually('the last is told', told, found => found.length === 6), [
    'ClusterIPNotAllocated Service Cluster IP [IPv4]: 10.0.0.20 is not allocated; repairing',
    'ClusterIPNotAllocated Service Cluster IP [IPv4]: 10.0.0.25 is not allocated; repairing',
    'ClusterIPNotAllocated Service the ClusterIP [IPv4]: 10.0.0.21 for Service default/wrong has a wrong reference; repairing',
    'ClusterIPNotAllocated Service the ClusterIP [IPv4]: 10.0.0.22 for Service default/gone has a wrong reference; repairing',
    'IPAddressNotAllocated IPAddress IPAddress 10.0.0.40 appears to have been modified, not referencing a Service &ParentReference{Group:example.com,Resource:gateways,Namespace:,Name:b,}: cleaning up',
    'IPAddressWrongReference IPAddress IPAddress: 10.0.0.25 for Service default/sound has a wrong reference; cleaning up'
  ])
})

test('what only a user can repair is told once', async t => {
  const etcd = await open(t)
  const clock = new FakeClock()
  const server = await serverOn(etcd, { clock })
  assert.equal((await create(server, 'first', {})).body.spec.clusterIP, '10.0.0.17')
  const stored = async (name: string, to: readonly [string, string][]) => {
    const [folder, first] = ['/registry/services/specs/default', await etcd.store.get('/registry/services/specs/default/first')]
    const object = to.reduce((text, [from, into]) => text.replaceAll(from, into), String(first!.value))
    await etcd.store.commit([{ key: `${folder}/${name}`, value: Buffer.from(object), expected: 0 }])
  }
  const { uid } = (await ask(server, 'GET', `${services}/first`)).body.metadata
  // none of them has the uid of the first
  const digits = [...'0123'].filter(digit => digit !== uid.at(-1))
  const other = (name: string, i: number): [string, string][] => [
    [uid, `${uid.slice(0, -1)}${digits[i]}`],
    ['"name":"first"', `"name":"${name}"`]
  ]
  await stored('second', other('second', 1))
  await stored('outside', [...other('outside', 2), ['10.0.0.17', '10.9.9.9']])
  let looks = 0
  const told = async () => {
    clock.advance(90_000)
    looks++
    const { items } = (await ask(server, 'GET', '/api/v1/namespaces/default/events')).body
    return items.map(({ reason, involvedObject, message }: any) => `${reason} ${involvedObject.name} ${message}`).sort()
  }
  const events = await eventually('both are told', told, found => found.length >= 2 && looks > 20)
  assert.deepEqual(events, [
    'ClusterIPAlreadyAllocated second Cluster IP [IPv4]:10.0.0.17 was assigned to multiple services; please recreate service',
    'ClusterIPOutOfRange outside Cluster IP [IPv4]: 10.9.9.9 is not within any configured Service CIDR; please recreate service'
  ])
})

test('sets and history are refused, because they need transactions of several keys', async t => {
  const etcd = await open(t)
  const server = await serverOn(etcd)
  const items = ['a', 'b'].map(name => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } }))
  const set = { apiVersion: 'v1', kind: 'List', items }
  const { status, body } = await ask(server, 'POST', '/binnacle/v1/sets?fieldManager=me', set)
  assert.equal(status, 501)
  assert.match(body.message, /takes one key in a transaction, as kine does: .* run the server on etcd or on the embedded store/)
  await assert.rejects(serverOn(etcd, { history: 60_000 }), /--history needs a store that takes several keys/)
})
