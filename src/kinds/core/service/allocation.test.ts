import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const services = '/api/v1/namespaces/default/services'
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
})
after(() => server.stop())

async function ask(method: string, url: string, body: object): Promise<{ status: number; body: any }> {
  const answer = await server.inject({ method, url, user, body })
  return { status: answer.status, body: answer.json() }
}

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
