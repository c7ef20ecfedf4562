/** The test API of a server over a real port. */
import assert from 'node:assert/strict'
import https from 'node:https'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../server/binnacle-server.js'
import { createServer } from '../server/server.js'
import { silentLogger } from '../util/logger.js'

const token = 'Bearer of-an-admin'
const maps = '/api/v1/namespaces/default/configmaps'
let server: BinnacleServer

before(async () => {
  server = await start(true)
})
after(() => server.stop())

async function start(testApi: boolean): Promise<BinnacleServer> {
  const authenticators = [
    {
      authenticateToken: async (text: string) =>
        text === 'of-an-admin'
          ? { user: { name: 'test', groups: ['system:masters'] } }
          : text === 'of-a-user'
            ? { user: { name: 'user', groups: [] } }
            : undefined
    }
  ]
  const made = createServer({ log: silentLogger, testApi, authenticators })
  await made.start()
  return made
}

interface Asked {
  readonly body?: unknown
  readonly authorization?: string | undefined
  readonly of?: BinnacleServer
}

const ask = (method: string, path: string, { body, authorization = token, of = server }: Asked = {}) =>
  new Promise<{ status: number; body: any }>((resolve, reject) => {
    const headers = { ...(authorization && { authorization }), ...(body !== undefined && { 'content-type': 'application/json' }) }
    const request = https.request(of.url + path, { method, headers, ca: of.caCertificate, agent: false }, response => {
      let text = ''
      response.on('data', data => {
        text += data
      })
      response.on('end', () => {
        const isJson = response.headers['content-type'] === 'application/json'
        resolve({ status: response.statusCode!, body: isJson ? JSON.parse(text) : text })
      })
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })

const make = async (name: string, on = '') =>
  assert.equal((await ask('POST', on + maps, { body: { metadata: { name } } })).status, 201)
const names = async (on = '') =>
  (await ask('GET', on + maps)).body.items.map((item: any) => item.metadata.name).filter((name: string) => name.length === 1)

describe('the test API over a port', () => {
  it('is for administrators', async () => {
    assert.equal((await ask('GET', '/testing/v1/clock', { authorization: '' })).status, 403)
    assert.equal((await ask('GET', '/testing/v1/clock', { authorization: 'Bearer nobody' })).status, 401)
    const user = 'Bearer of-a-user'
    const refused = await ask('POST', '/testing/v1/clock/freeze', { authorization: user })
    assert.deepEqual(
      [refused.status, refused.body.message],
      [403, 'forbidden: User "user" cannot post path "/testing/v1/clock/freeze"']
    )
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    const rules = [{ nonResourceURLs: ['/testing/v1/clock'], verbs: ['get'] }]
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'user' }]
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'clock' }
    await ask('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'clock' }, rules } })
    await ask('POST', `${rbac}/clusterrolebindings`, { body: { metadata: { name: 'clock' }, subjects, roleRef } })
    assert.equal((await ask('GET', '/testing/v1/clock', { authorization: user })).status, 200)
    assert.equal((await ask('POST', '/testing/v1/clock/freeze', { authorization: user })).status, 403)
  })

  it('is not there without the option', async () => {
    const plain = await start(false)
    try {
      const { status, body } = await ask('GET', '/testing/v1/clock', { of: plain })
      assert.deepEqual([status, body], [404, '404 page not found\n'])
    } finally {
      await plain.stop()
    }
  })

  it('cannot be used with etcd', async () => {
    const server = createServer({ log: silentLogger, testApi: true, etcdServers: ['http://127.0.0.1:1'] })
    await assert.rejects(server.start(), /^UserError: --test-api cannot be used with etcd: snapshots need --storage-backend=/)
  })

  it('hosts servers, which have a test API of their own', async () => {
    await make('s')
    assert.equal((await ask('PUT', '/testing/v1/snapshots/seed')).status, 201)
    const { status, body } = await ask('PUT', '/testing/v1/servers/one', { body: { snapshot: 'seed' } })
    assert.equal(status, 201)
    assert.equal(body.url, `${server.url}/servers/one`)
    assert.match(body.kubeconfig, new RegExp(`server: "${body.url}"\n`))
    const one = '/servers/one'
    await make('a', one)
    assert.deepEqual([await names(one), await names()], [['a', 's'], ['s']])

    // its snapshots and its clock are its own
    assert.deepEqual((await ask('GET', `${one}/testing/v1/snapshots`)).body.items, [])
    await ask('PUT', `${one}/testing/v1/snapshots/mine`)
    await make('b', one)
    const frozen = await ask('POST', `${one}/testing/v1/clock/freeze`, { body: { at: '2026-12-01T00:00:00Z' } })
    assert.equal(frozen.status, 200)
    const restored = await ask('POST', `${one}/testing/v1/snapshots/mine/restore`)
    assert.deepEqual([restored.status, await names(one)], [200, ['a', 's']])
    await make('c', one)
    const { metadata } = (await ask('GET', `${one}${maps}/c`)).body
    assert.equal(metadata.creationTimestamp, '2026-12-01T00:00:00Z')
    assert.equal((await ask('GET', '/testing/v1/clock')).body.frozen, false)

    // one that it hosts in its turn begins at its time
    const inner = await ask('PUT', `${one}/testing/v1/servers/two`, { body: { snapshot: 'mine' } })
    assert.equal(inner.body.url, `${server.url}/servers/one/servers/two`)
    const { body: clock } = await ask('GET', `${one}/servers/two/testing/v1/clock`)
    assert.deepEqual(clock, { now: '2026-12-01T00:00:00.000Z', frozen: true })

    assert.equal((await ask('DELETE', '/testing/v1/servers/one')).status, 200)
    assert.equal((await ask('GET', `${one}${maps}`)).status, 404)
  })

  it('goes back to a snapshot by a request to the server itself', async () => {
    await ask('PUT', '/testing/v1/snapshots/before')
    await make('x')
    const { status, body } = await ask('POST', '/testing/v1/snapshots/before/restore')
    assert.deepEqual([status, body.name], [200, 'before'])
    assert.equal((await ask('GET', `${maps}/x`)).status, 404)
  })

  it('lets Events expire by a clock that is advanced', async () => {
    await ask('PUT', '/testing/v1/servers/time')
    const [on, api] = ['/servers/time', '/servers/time/testing/v1']
    await ask('POST', `${api}/clock/freeze`)
    const metadata = { name: 'e', namespace: 'default' }
    const event = { metadata, involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' } }
    const events = `${on}/api/v1/namespaces/default/events`
    assert.equal((await ask('POST', events, { body: event })).status, 201)
    assert.equal((await ask('POST', `${api}/clock/advance`, { body: { by: '2h' } })).status, 200)
    let left = 1
    for (let round = 0; left > 0 && round < 500; round++) left = (await ask('GET', events)).body.items.length
    assert.equal(left, 0)
  })
})
