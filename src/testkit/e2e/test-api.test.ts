/** The test API of a server over a real port. */
import assert from 'node:assert/strict'
import https from 'node:https'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

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
        const isJson = response.headers['content-type'] === 'application/json' && !path.includes('watch=')
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

  it('has servers that repeat by their seed, from empty and from a snapshot', async () => {
    await ask('PUT', '/testing/v1/snapshots/start')
    const made = async (name: string, body: object) => {
      assert.equal((await ask('PUT', `/testing/v1/servers/${name}`, { body })).status, 201)
      const [on, api] = [`/servers/${name}`, `/servers/${name}/testing/v1`]
      await ask('POST', `${api}/clock/freeze`, { body: { at: '2030-01-01T00:00:00Z' } })
      const { body: made } = await ask('POST', `${on}${maps}`, { body: { metadata: { generateName: 'x-' } } })
      const { body: namespace } = await ask('GET', `${on}/api/v1/namespaces/default`)
      const { metadata } = made
      await ask('DELETE', `/testing/v1/servers/${name}`)
      return { name: metadata.name, uid: metadata.uid, time: metadata.creationTimestamp, namespace: namespace.metadata.uid }
    }
    for (const from of [{}, { snapshot: 'start' }]) {
      const first = await made('one', { ...from, seed: 'golden' })
      assert.deepEqual(await made('two', { ...from, seed: 'golden' }), first)
      const other = await made('three', { ...from, seed: 'another' })
      assert.notEqual(other.uid, first.uid)
      assert.equal(other.namespace === first.namespace, 'snapshot' in from)
    }
  })

  it('makes kubeconfigs with which clients act as others', async () => {
    await ask('PUT', '/testing/v1/servers/users')
    const api = '/servers/users/testing/v1'
    const user = await ask('POST', `${api}/kubeconfigs`, { body: { user: 'alice', groups: ['devs'] } })
    assert.equal(user.status, 201)
    assert.match(user.body.kubeconfig, new RegExp(`server: "${server.url}/servers/users"\n[^]*client-key-data: `))
    assert.equal((await ask('POST', `${api}/kubeconfigs`, { body: { serviceAccount: 'default/nobody' } })).status, 404)
    await ask('POST', '/servers/users/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name: 'builder' } } })
    const account = await ask('POST', `${api}/kubeconfigs`, { body: { serviceAccount: 'default/builder' } })
    const [, bearer] = /token: "?([\w.-]+)/.exec(account.body.kubeconfig)!
    const review = await ask('POST', '/servers/users/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      authorization: `Bearer ${bearer}`,
      body: {}
    })
    assert.equal(review.body.status.userInfo.username, 'system:serviceaccount:default:builder')
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

describe('faults over a port', () => {
  const [on, api] = ['/servers/faulty', '/servers/faulty/testing/v1']
  before(async () => {
    await ask('PUT', '/testing/v1/servers/faulty')
    for (const name of ['a', 'b']) await make(name, on)
  })
  beforeEach(async () => {
    await ask('DELETE', `${api}/faults`)
    await ask('DELETE', `${api}/requests`)
  })

  const add = async (rule: object): Promise<string> => {
    const { status, body } = await ask('POST', `${api}/faults`, { body: rule })
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }
  const hits = async (id: string) =>
    (await ask('GET', `${api}/faults/${id}`)).body.hits.map(({ user, verb, name, action }: any) => [user, verb, name, action])
  /** The requests for ConfigMaps in the record, with what faults did to them. */
  const recorded = async () =>
    (await ask('GET', `${api}/requests`)).body.requests
      .filter(({ resource }: any) => resource === 'configmaps')
      .map(({ verb, name, status, faults }: any) => [verb, name, status, faults])

  it('say what they did, and so does the record of each request that they hit', async () => {
    const conflict = await add({ verb: ['create', 'update', 'patch'], resource: 'configmaps', times: 1, status: 409 })
    const lost = await add({ verb: 'create', storage: 'lostAnswer', times: 1 })
    const slow = await add({ verb: 'get', name: 'a', delay: 1, status: 503, times: 1 })
    const body = (name: string) => ({ body: { metadata: { name } } })
    assert.equal((await ask('POST', on + maps, body('c'))).status, 409)
    assert.equal((await ask('POST', on + maps, body('c'))).status, 504)
    assert.equal((await ask('GET', `${on}${maps}/b`)).status, 200)
    assert.equal((await ask('GET', `${on}${maps}/a`)).status, 503)
    assert.equal((await ask('GET', `${on}${maps}/c`)).status, 200)
    assert.deepEqual(await hits(conflict), [['test', 'create', 'c', 'status 409']])
    assert.deepEqual(await hits(lost), [['test', 'create', 'c', 'storage lostAnswer']])
    assert.deepEqual(await hits(slow), [['test', 'get', 'a', 'delay 1 ms, status 503']])
    assert.deepEqual(await recorded(), [
      ['create', '', 409, ['status 409']],
      ['create', '', 504, ['storage lostAnswer']],
      ['get', 'b', 200, []],
      ['get', 'a', 503, ['delay 1 ms, status 503']],
      ['get', 'c', 200, []]
    ])
    const text = (await ask('GET', `${api}/requests?format=text`)).body
    assert.match(text, /get configmaps default\/a → 503\n(?: .*\n)*? {2}fault: delay 1 ms, status 503\n/)
    assert.match((await ask('GET', `${api}/requests?format=html`)).body, /<dt>fault<\/dt><dd>storage lostAnswer<\/dd>/)
  })

  it('end watches and connections, and the record says how', async () => {
    const watch = await add({ watch: { afterEvents: 1, do: 'expire' }, times: 1 })
    const answer = await ask('GET', `${on}${maps}?watch=1&timeoutSeconds=60`)
    const types = answer.body
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line).type)
    assert.deepEqual(types, ['ADDED', 'ERROR'])
    assert.deepEqual(await hits(watch), [['test', 'watch', '', 'watch expire']])
    await add({ verb: 'list', resource: 'configmaps', cutAfter: 20, times: 1 })
    await assert.rejects(ask('GET', on + maps), { code: 'ECONNRESET' })
    await add({ verb: 'list', resource: 'configmaps', reset: true, times: 1 })
    await assert.rejects(ask('GET', on + maps), { code: 'ECONNRESET' })
    const actions = (await recorded()).map(([verb, , , faults]: any) => [verb, ...faults])
    assert.deepEqual(actions, [
      ['watch', 'watch expire'],
      ['list', 'cut after 20 bytes'],
      ['list', 'reset']
    ])
  })

  it('do not concern the host, and are forgotten with the state that a restore leaves', async () => {
    await ask('PUT', `${api}/snapshots/clean`)
    await add({ status: 500 })
    assert.equal((await ask('GET', maps)).status, 200)
    assert.equal((await ask('GET', on + maps)).status, 500)
    assert.equal((await ask('POST', `${api}/snapshots/clean/restore`)).status, 200)
    assert.equal((await ask('GET', on + maps)).status, 200)
    assert.deepEqual((await ask('GET', `${api}/faults`)).body.items, [])
  })
})
