import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

const services = '/api/v1/namespaces/default/services'
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
})
after(() => server.stop())

const ask = (method: string, url: string, body?: unknown) => send(server, method, url, body)

const port = (name: string, port: number, nodePort?: number, protocol = 'TCP') => ({ name, port, nodePort, protocol })
const make = (name: string, ...ports: object[]) =>
  ask('POST', services, { metadata: { name }, spec: { type: 'NodePort', ports } })

test('one port of two protocols has one node port', async () => {
  const { body } = await make('both', port('a', 80), port('b', 80, undefined, 'UDP'), port('c', 81))
  const [a, b, c] = body.spec.ports.map((p: any) => p.nodePort)
  assert.equal(a, b)
  assert.notEqual(a, c)
  const given = await make('given', port('a', 80), port('b', 80, 30_100, 'UDP'))
  assert.deepEqual(
    given.body.spec.ports.map((p: any) => p.nodePort),
    [30_100, 30_100]
  )
})

test('two ports of a new Service do not share a node port, whatever their protocols', async () => {
  for (const protocol of ['TCP', 'UDP']) {
    const { status, body } = await make(`two-${protocol.toLowerCase()}`, port('a', 80, 30_200), port('b', 81, 30_200, protocol))
    assert.equal(status, 422)
    assert.match(body.message, /spec\.ports\[1\]\.nodePort: Invalid value: 30200: provided port is already allocated$/)
  }
  assert.equal((await make('free', port('a', 80, 30_200))).status, 201)
})

test('source ranges are validated strictly, unless the old object has them', async () => {
  const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] }
  const balancer = (...loadBalancerSourceRanges: string[]) => ({
    metadata: { name: 'lb' },
    spec: { ...spec, loadBalancerSourceRanges }
  })
  const { status, body } = await ask('POST', services, balancer('10.0.0.1/8'))
  assert.equal(status, 422)
  assert.match(
    body.message,
    /LoadBalancerSourceRanges\[0\]: Invalid value: "10\.0\.0\.1\/8": must not have bits set beyond the prefix length$/
  )
  assert.equal((await ask('POST', services, balancer(' 10.0.0.0/8 '))).status, 201)
  assert.equal((await ask('PUT', `${services}/lb`, balancer(' 10.0.0.0/8 ', '010.0.0.0/8'))).status, 422)
})

test('a dry run shows the address and the ports that kube-apiserver shows', async () => {
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [port('a', 80), port('b', 81)] }
  const { status, body } = await ask('POST', `${services}?dryRun=All`, { metadata: { name: 'dry' }, spec })
  assert.equal(status, 201)
  assert.equal(body.spec.clusterIP, '10.0.0.0')
  assert.deepEqual(
    body.spec.ports.map((p: any) => p.nodePort),
    [32_769, 32_770]
  )
  assert.equal(body.spec.healthCheckNodePort, 32_771)
  const given = { type: 'NodePort', ports: [port('a', 80, 30_400), port('b', 81)] }
  const second = await ask('POST', `${services}?dryRun=All`, { metadata: { name: 'dry' }, spec: given })
  assert.equal(second.body.spec.ports[1].nodePort, 30_401)
})

test('of several node ports that are taken, the first is named', async () => {
  assert.equal((await make('owner', port('a', 80, 30_500), port('b', 81, 30_501))).status, 201)
  const { status, body } = await make('late', port('a', 80, 30_500), port('b', 81, 30_501))
  assert.equal(status, 422)
  assert.deepEqual(
    body.details.causes.map((cause: any) => cause.field),
    ['spec.ports[0].nodePort']
  )
})

test('an update may use a node port for two protocols, but not twice for one', async () => {
  assert.equal((await make('twice', port('a', 80, 30_600))).status, 201)
  const update = (...ports: object[]) =>
    ask('PUT', `${services}/twice`, { metadata: { name: 'twice' }, spec: { type: 'NodePort', ports } })
  assert.equal((await update(port('a', 80, 30_600), port('b', 80, 30_600, 'UDP'))).status, 200)
  const { status, body } = await update(port('a', 80, 30_600), port('b', 81, 30_600))
  assert.deepEqual([status, body.message], [500, 'duplicate nodePort: {TCP 30600}'])
  // what the refused update would have taken is free
  assert.equal((await update(port('a', 80, 30_600), port('b', 81, 30_601), port('c', 82, 30_600))).status, 500)
  assert.equal((await make('other', port('a', 80, 30_601))).status, 201)
})

test('an empty internal traffic policy is none that there is', async () => {
  const spec = { internalTrafficPolicy: '', ports: [{ port: 80 }] }
  const { body } = await ask('POST', services, { metadata: { name: 'inside' }, spec })
  assert.match(body.message, /spec\.internalTrafficPolicy: Unsupported value: "": supported values: "Cluster", "Local"$/)
})

test('a health check port that is taken is an internal error', async () => {
  assert.equal((await make('holder', port('a', 80, 30_700))).status, 201)
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30_700, ports: [port('a', 80)] }
  const { status, body } = await ask('POST', services, { metadata: { name: 'checked' }, spec })
  assert.equal(status, 500)
  assert.equal(
    body.message,
    'Internal error occurred: failed to allocate requested HealthCheck NodePort 30700: provided port is already allocated'
  )
})

test('an update without families gets them anew', async () => {
  const { body } = await ask('POST', services, { metadata: { name: 'dual' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } })
  assert.deepEqual(body.spec.ipFamilies, ['IPv4', 'IPv6'])
  // with a selector, the policy of the old object asks for more than this cluster has
  const spec = { selector: { a: 'b' }, ports: [{ port: 80 }] }
  const refused = await ask('PUT', `${services}/dual`, { metadata: { name: 'dual' }, spec })
  assert.deepEqual(
    refused.body.details.causes.map((cause: any) => cause.field),
    ['spec.ipFamilyPolicy']
  )
})
