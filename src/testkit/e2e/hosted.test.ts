import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { until } from '../../client/until.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import type { ServerOptions } from '../../server/options.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { kubectlMissing, startKubectl } from './kubectl.js'

const user = { name: 'me', groups: ['system:masters'] }
const namespaces = '/api/v1/namespaces'

const start = async (t: TestContext) => {
  const server = createServer({ log: silentLogger })
  t.after(() => server.stop())
  await server.start()
  return server
}
const make = async (server: BinnacleServer, name: string) => {
  const body = { kind: 'Namespace', apiVersion: 'v1', metadata: { name } }
  assert.equal((await server.inject({ url: namespaces, body, user })).status, 201)
}
const names = async (server: BinnacleServer, path = '') =>
  (await server.inject({ url: path + namespaces, user })).json().items.map((item: any) => item.metadata.name)
const own = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

describe('servers on the port of another', () => {
  test('each has its own objects, from empty or from a snapshot', async t => {
    const server = await start(t)
    await make(server, 'seed')
    const snapshot = await server.snapshot()
    const [empty, other] = [await server.host('one'), await server.host('two')]
    const seeded = await server.host('three', { snapshot })
    await make(empty, 'a')
    await make(seeded, 'b')
    assert.equal(empty.url, `${server.url}/servers/one`)
    assert.deepEqual(await names(server), [...own, 'seed'])
    assert.deepEqual(await names(server, '/servers/one'), ['a', ...own])
    assert.deepEqual(await names(empty), ['a', ...own])
    assert.deepEqual(await names(other), own)
    assert.deepEqual(await names(server, '/servers/three'), ['b', ...own, 'seed'])
  })

  test('a name is taken until its server has stopped; then its path is gone', async t => {
    const server = await start(t)
    const first = await server.host('one')
    await assert.rejects(server.host('one'), /there is a server one already/)
    await assert.rejects(
      server.host('../x'),
      /^UserError: the name of a server has 1 to 63 letters a to z, digits and "-", not "\.\.\/x"$/
    )
    const { status } = await server.inject({ url: `/servers/one${namespaces}`, user })
    assert.equal(status, 200)
    await first.stop()
    assert.equal((await server.inject({ url: `/servers/one${namespaces}`, user })).status, 404)
    assert.equal((await server.inject({ url: '/servers/oneother', user })).status, 404)
    await server.host('one')
    await server.stop()
    assert.throws(() => first.url, /not running/)
  })

  test('a hundred live side by side, from empty and from a snapshot', async t => {
    const server = await start(t)
    await make(server, 'seed')
    const snapshot = await server.snapshot()
    const indices = Array.from({ length: 100 }, (_, i) => i)
    for (const i of indices) {
      const hosted = await server.host(`n${i}`, i % 2 === 0 ? { snapshot } : {})
      await make(hosted, `own-${i}`)
    }
    const answers = await Promise.all(indices.map(i => names(server, `/servers/n${i}`)))
    assert.deepEqual(
      answers.map(list => list.filter((name: string) => !own.includes(name))),
      indices.map(i => [`own-${i}`, ...(i % 2 === 0 ? ['seed'] : [])])
    )
    assert.deepEqual(await names(server), [...own, 'seed'])
  })

  test('one may have a simulated cluster, and its host none', async t => {
    const server = await start(t)
    const one = await server.host('one', { simulate: { nodes: 2 } })
    const nodesOf = async (of: BinnacleServer) =>
      (await of.client().of('v1', 'Node').list()).items.map(({ metadata }) => metadata.name)
    assert.deepEqual(await nodesOf(one), ['node-0', 'node-1'])
    assert.deepEqual(await nodesOf(server), [])
    const pods = one.client().of('v1', 'Pod')
    await pods.create({ metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'i' }] } })
    await until(
      one.client(),
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } },
      ({ status }) => status.phase === 'Running'
    )
    const plain = await one.host('plain', { simulate: false })
    assert.deepEqual(await nodesOf(plain), [])
    const more = await one.host('more', { simulate: { nodes: 3 } })
    assert.equal((await nodesOf(more)).length, 3)
    await assert.rejects(server.host('wrong', { simulate: { nodes: -1 } }), /simulate/)
  })

  test('what one says of its own address has its path', async t => {
    const lines: string[] = []
    const info = (line: string) => void lines.push(line)
    const verbose = {
      ...silentLogger,
      v: () => ({ ...silentLogger, info: (_: string, fields: { URI?: string }) => info(`${fields?.URI}`) })
    }
    const server = createServer({ advertiseAddress: '127.0.0.1', log: verbose as ServerOptions['log'] })
    t.after(() => server.stop())
    await server.start()
    const one = await server.host('one')
    await one.host('two')
    const ask = (url: string) => server.inject({ url, user })
    for (const base of ['', '/servers/one', '/servers/one/servers/two']) {
      const { jwks_uri } = (await ask(`${base}/.well-known/openid-configuration`)).json()
      assert.equal(jwks_uri, `${server.url}${base}/openid/v1/jwks`)
      const { status, headers } = await ask(`${base}/openapi/v3/api/v1?hash=old`)
      assert.equal(status, 301)
      assert.match(String(headers.location), new RegExp(`^${base}/openapi/v3/api/v1\\?hash=[0-9A-F]+$`))
      // clients put their own path in front of these
      const { paths } = (await ask(`${base}/openapi/v3`)).json()
      assert.match(paths['api/v1'].serverRelativeURL, /^\/openapi\/v3\/api\/v1\?hash=/)
      const { serverAddressByClientCIDRs } = (await ask(`${base}/api`)).json()
      assert.equal(`https://${serverAddressByClientCIDRs[0].serverAddress}`, server.url)
      assert.ok(lines.includes(`${base}/openapi/v3/api/v1?hash=old`))
    }
  })

  test('a request without credentials is as anonymous there as anywhere', async t => {
    const server = await start(t)
    await server.host('one')
    assert.equal((await server.inject({ url: `/servers/one${namespaces}` })).status, 403)
    const headers = { authorization: 'Bearer nobody' }
    assert.equal((await server.inject({ url: `/servers/one${namespaces}`, headers })).status, 401)
  })

  test('kubectl works with its kubeconfig', { skip: kubectlMissing }, async t => {
    const server = await start(t)
    const k = await startKubectl(await server.host('one'))
    t.after(() => k.close())
    assert.match(await k.run('create namespace a'), /namespace\/a created/)
    assert.match(await k.run('get namespaces -o name'), /namespace\/a/)
    assert.match(await k.run('explain pods.spec.containers'), /FIELDS:/)
    assert.match(await k.run('api-resources --api-group=apps'), /deployments/)
    const input = 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: c}\ndata: {a: b}\n'
    assert.match(await k.run('apply -f -', { input }), /configmap\/c created/)
    assert.match(await k.run('apply --server-side --force-conflicts -f -', { input }), /configmap\/c serverside-applied/)
    assert.deepEqual(await names(server), own)
  })
})
