/** The routes, with a server that only notes what it is asked. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { Handler } from '../../apimachinery/request/message.js'
import { ControllableClock } from '../../util/controllable-clock.js'
import { silentLogger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { errorsStage } from '../chain/errors.js'
import { createHandler } from '../chain/handler.js'
import { inject } from '../chain/inject.js'
import { requestInfoStage } from '../chain/request-info.js'
import { createDispatch } from '../endpoints/dispatch.js'
import { faultFields } from '../faults/check-rule.js'
import type { HostedServer, Kit, KitSnapshot, KitUser } from './kit.js'
import { TestApi } from './test-api.js'

const limits = { servers: 2, snapshots: 2, faults: 2, bodyBytes: 1000 }

/** What happened, in its order. */
let events: string[]
let clock: ControllableClock
let api: TestApi
let handler: Handler

class FakeKit implements Kit {
  readonly hosted = new Map<string, HostedServer>()
  #snapshots = 0

  async host(name: string, { snapshot, seed, simulate }: NonNullable<Parameters<Kit['host']>[1]> = {}) {
    if (typeof simulate === 'object' && 'pods' in simulate) throw new UserError('unknown option host.simulate.pods')
    if (simulate !== undefined) events.push(`simulate ${JSON.stringify(simulate)}`)
    events.push(`host ${name}${snapshot ? ` from ${snapshot}` : ''}${seed === undefined ? '' : ` with seed ${seed}`}`)
    const server = {
      url: `https://x/servers/${name}`,
      kubeconfig: () => `of ${name}`,
      stop: async () => void this.hosted.delete(name)
    }
    this.hosted.set(name, server)
    return server
  }
  kubeconfig(of: KitUser) {
    return `of ${JSON.stringify(of)}`
  }
  async snapshot() {
    const number = ++this.#snapshots
    return { dispose: async () => void events.push(`dispose ${number}`), toString: () => String(number) }
  }
  async restore(snapshot: KitSnapshot) {
    events.push(`restore ${snapshot}`)
  }
  readonly faults = {
    add(rule: { verb?: unknown }) {
      if (rule.verb === 'got') throw new UserError('the field verb of the fault has no verb "got"; did you mean get?')
      return { count: 1, hits: [{ user: 'me' }], remove: () => void events.push('remove') }
    }
  }
  readonly recorder = {
    mark: () => 7,
    text: ({ since = 0, timings = true }) => `text since ${since}${timings ? ', with times' : ''}`,
    json: ({ since = 0 }) => JSON.stringify({ requests: [since] }),
    html: () => '<p>',
    clear: () => void events.push('clear')
  }
}

beforeEach(() => start(new FakeKit()))

function start(kit: Kit) {
  events = []
  clock = new ControllableClock()
  api = new TestApi(kit, clock, limits)
  const dispatch = createDispatch({ backends: [], paths: api.paths, store: { currentRevision: () => 0 } })
  const stages = [
    errorsStage(silentLogger),
    requestInfoStage,
    {
      name: 'dispatch',
      why: 'answers',
      handle: async (context: Parameters<typeof dispatch>[0]) => {
        context.onEnd(() => events.push('request ended'))
        return dispatch(context)
      }
    }
  ]
  handler = api.around(createHandler(stages, { now: () => 0, uuid: () => 'id' }))
}

async function ask(method: string, path: string, body?: unknown) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await inject(handler, { method, url: `/testing/v1${path}`, headers, body })
  const text = answer.body.toString()
  events = events.filter(event => event !== 'request ended' || path.endsWith('/restore'))
  const isJson = answer.headers['content-type'] === 'application/json'
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined }
}
const causesOf = ({ body }: { body: any }) => body.details.causes.map((cause: any) => cause.field)

describe('the routes of the test API', () => {
  it('start, show and stop servers', async () => {
    const made = await ask('PUT', '/servers/one')
    assert.deepEqual([made.status, made.body], [201, { name: 'one', url: 'https://x/servers/one', kubeconfig: 'of one' }])
    assert.equal((await ask('PUT', '/servers/one')).status, 409)
    assert.deepEqual((await ask('GET', '/servers/one')).body, made.body)
    await ask('PUT', '/servers/a', {})
    assert.deepEqual(
      (await ask('GET', '/servers')).body.items.map((item: any) => item.name),
      ['a', 'one']
    )
    const third = await ask('PUT', '/servers/third')
    assert.deepEqual(
      [third.status, third.body.message],
      [403, 'there are 2 servers, the most that a server keeps: delete some first']
    )
    assert.equal((await ask('DELETE', '/servers/one')).status, 200)
    for (const method of ['GET', 'DELETE']) assert.equal((await ask(method, '/servers/one')).status, 404)
    assert.equal((await ask('PUT', '/servers/third')).status, 201)
  })

  it('start a server with a seed', async () => {
    assert.equal((await ask('PUT', '/servers/one', { seed: 'golden' })).status, 201)
    assert.deepEqual(events, ['host one with seed golden'])
    assert.deepEqual(causesOf(await ask('PUT', '/servers/two', { seed: 1 })), ['seed'])
  })

  it('start a server with a simulated cluster', async () => {
    assert.equal((await ask('PUT', '/servers/one', { simulate: { nodes: 5 } })).status, 201)
    assert.deepEqual(events, ['simulate {"nodes":5}', 'host one'])
    assert.deepEqual(causesOf(await ask('PUT', '/servers/two', { simulate: 'yes' })), ['simulate'])
    const wrong = await ask('PUT', '/servers/two', { simulate: { pods: 1 } })
    assert.equal(wrong.status, 422)
    assert.deepEqual(causesOf(wrong), ['simulate'])
  })

  it('make kubeconfigs of users and ServiceAccounts', async () => {
    for (const of of [{ user: 'alice' }, { user: 'alice', groups: ['devs'] }, { serviceAccount: 'team/builder' }]) {
      const { status, body } = await ask('POST', '/kubeconfigs', of)
      assert.deepEqual([status, body], [201, { kubeconfig: `of ${JSON.stringify(of)}` }])
    }
    for (const [body, field, message] of [
      [{}, 'user', 'give either a user or a serviceAccount'],
      [{ user: 'a', serviceAccount: 'a/b' }, 'user', 'give either a user or a serviceAccount'],
      [{ serviceAccount: 'a/b', groups: [] }, 'groups', 'a ServiceAccount has its groups'],
      [{ user: 'a', groups: 'devs' }, 'groups', 'must be a list'],
      [{ user: 'a', groups: ['devs', 1] }, 'groups', '[1] must be a string']
    ] as const) {
      const refused = await ask('POST', '/kubeconfigs', body)
      assert.deepEqual([refused.status, causesOf(refused), refused.body.message], [422, [field], `${field}: ${message}`])
    }
  })

  it('do not start two servers of one name at once', async () => {
    const both = await Promise.all([ask('PUT', '/servers/one'), ask('PUT', '/servers/one')])
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
    assert.deepEqual(events, ['host one'])
  })

  it('take snapshots, begin servers with them, and forget them', async () => {
    const taken = await ask('PUT', '/snapshots/seed')
    assert.equal(taken.status, 201)
    assert.equal(taken.body.name, 'seed')
    assert.equal((await ask('PUT', '/snapshots/seed')).status, 200)
    assert.deepEqual(events.splice(0), ['dispose 1'])
    await ask('PUT', '/servers/one', { snapshot: 'seed' })
    assert.deepEqual(events.splice(0), ['host one from 2'])
    const missing = await ask('PUT', '/servers/two', { snapshot: 'none' })
    assert.deepEqual([missing.status, causesOf(missing)], [422, ['snapshot']])
    await ask('PUT', '/snapshots/other')
    assert.equal((await ask('PUT', '/snapshots/third')).status, 403)
    assert.equal((await ask('PUT', '/snapshots/other')).status, 200)
    assert.equal((await ask('DELETE', '/snapshots/seed')).status, 200)
    assert.equal((await ask('DELETE', '/snapshots/seed')).status, 404)
    assert.deepEqual(
      (await ask('GET', '/snapshots')).body.items.map((item: any) => item.name),
      ['other']
    )
    events = []
    await api.stop()
    assert.deepEqual(events, ['dispose 4'])
  })

  it('restore when the request has left the handler, and remove the faults of the former state', async () => {
    await ask('PUT', '/snapshots/seed')
    await ask('POST', '/faults', { delay: 1 })
    const { status, body } = await ask('POST', '/snapshots/seed/restore')
    assert.deepEqual([status, body.name], [200, 'seed'])
    assert.deepEqual(events, ['request ended', 'restore 1', 'remove'])
    assert.equal((await ask('POST', '/snapshots/none/restore')).status, 404)
  })

  it('answer a restore that fails with its error', async () => {
    const kit = new FakeKit()
    kit.restore = () => Promise.reject(new Error('no'))
    start(kit)
    await ask('PUT', '/snapshots/seed')
    const { status, body } = await ask('POST', '/snapshots/seed/restore')
    assert.deepEqual([status, body.message], [500, 'Internal error occurred: no'])
  })

  it('freeze, advance and release the clock', async () => {
    assert.equal((await ask('GET', '/clock')).body.frozen, false)
    assert.equal((await ask('POST', '/clock/advance', { by: '1s' })).status, 409)
    const frozen = await ask('POST', '/clock/freeze', { at: '2030-01-31T14:00:00.5+02:00' })
    assert.deepEqual(frozen.body, { now: '2030-01-31T12:00:00.500Z', frozen: true })
    const advanced = await ask('POST', '/clock/advance', { by: '1h30m' })
    assert.deepEqual(advanced.body, { now: '2030-01-31T13:30:00.500Z', frozen: true })
    assert.equal((await ask('POST', '/clock/release')).body.frozen, false)
    assert.equal((await ask('POST', '/clock/freeze')).body.frozen, true)
  })

  for (const at of ['2030-02-30T00:00:00Z', '2030-01-01', 'now', '1969-12-31T23:59:59Z', '2030-13-01T00:00:00Z', 5])
    it(`refuse to freeze the clock at ${JSON.stringify(at)}`, async () => {
      const answer = await ask('POST', '/clock/freeze', { at })
      assert.deepEqual([answer.status, causesOf(answer), clock.isFrozen], [422, ['at'], false])
    })

  for (const by of ['1', '-1s', '1 h', '292000000h', undefined])
    it(`refuse to advance the clock by ${by}`, async () => {
      await ask('POST', '/clock/freeze', { at: '9990-01-01T00:00:00Z' })
      const answer = await ask('POST', '/clock/advance', { by })
      assert.deepEqual([answer.status, causesOf(answer)], [422, ['by']])
    })

  it('add, show and remove faults', async () => {
    const added = await ask('POST', '/faults', { verb: 'get', status: 500 })
    const fault = { id: '1', rule: { verb: 'get', status: 500 }, count: 1, hits: [{ user: 'me' }] }
    assert.deepEqual([added.status, added.body], [201, fault])
    assert.deepEqual((await ask('GET', '/faults/1')).body, fault)
    const wrong = await ask('POST', '/faults', { verb: 'got' })
    assert.deepEqual([wrong.status, causesOf(wrong)], [422, ['verb']])
    await ask('POST', '/faults', { delay: 1 })
    assert.equal((await ask('POST', '/faults', { delay: 1 })).status, 403)
    assert.equal((await ask('GET', '/faults')).body.items.length, 2)
    assert.equal((await ask('DELETE', '/faults/1')).status, 200)
    assert.equal((await ask('DELETE', '/faults/1')).status, 404)
    assert.equal((await ask('DELETE', '/faults')).status, 200)
    const left = (await ask('GET', '/faults')).body.items
    assert.deepEqual([events, left], [['remove', 'remove'], []])
  })

  it('show and forget the recorded requests', async () => {
    assert.deepEqual((await ask('GET', '/requests')).body, { requests: [0] })
    assert.equal((await ask('GET', '/requests?format=text&since=5')).text, 'text since 5, with times')
    assert.equal((await ask('GET', '/requests?format=text&timings=false')).text, 'text since 0')
    assert.deepEqual(causesOf(await ask('GET', '/requests?timings=no')), ['timings'])
    const html = await ask('GET', '/requests?format=html')
    assert.deepEqual([html.text, html.headers['content-type']], ['<p>', 'text/html; charset=utf-8'])
    assert.match(String(html.headers['content-security-policy']), /default-src 'none'/)
    assert.deepEqual((await ask('GET', '/requests/mark')).body, { mark: 7 })
    assert.deepEqual(causesOf(await ask('GET', '/requests?format=xml')), ['format'])
    assert.deepEqual(causesOf(await ask('GET', '/requests?since=-1')), ['since'])
    await ask('DELETE', '/requests')
    assert.deepEqual(events, ['clear'])
  })
})

describe('the test API', () => {
  it('has no routes for faults and requests where the server has none', async () => {
    const { host, kubeconfig, snapshot, restore } = new FakeKit()
    start({ hosted: new Map(), host, kubeconfig, snapshot, restore })
    for (const path of ['/faults', '/requests']) assert.equal((await ask('GET', path)).status, 404)
  })

  for (const path of ['', '/', '/server', '/servers/a/b', '/snapshots/a/restore/x', '/servers/', '/clock/thaw', '/__proto__'])
    it(`answers 404 or 422 for the path "${path}"`, async () => {
      assert.ok([404, 405, 422].includes((await ask('GET', path)).status))
    })

  it('tells the methods of a path', async () => {
    const { status, headers } = await ask('POST', '/servers/one')
    assert.deepEqual([status, headers.allow], [405, 'PUT, GET, DELETE'])
  })

  for (const name of ['A', 'a.b', '%2e%2e', '{}', 'x'.repeat(64)])
    it(`refuses the name ${name}`, async () => {
      const answer = await ask('PUT', `/servers/${name}`)
      assert.deepEqual([answer.status, causesOf(answer), events], [422, ['name'], []])
    })

  it('refuses bodies that do not fit, and names the field', async () => {
    const put = (body: unknown) => ask('PUT', '/servers/one', body)
    assert.equal((await put('{')).status, 400)
    assert.equal((await put('[]')).status, 400)
    assert.equal((await put('x'.repeat(1001))).status, 413)
    for (const body of ['{"snapshot":1}', '{"snapshot":"A"}']) assert.deepEqual(causesOf(await put(body)), ['snapshot'])
    const near = await put({ snapshots: 'a' })
    assert.equal(near.body.message, 'snapshots: unknown field; did you mean snapshot?')
    assert.deepEqual(causesOf(await put('{"__proto__":1}')), ['__proto__'])
    assert.deepEqual(causesOf(await ask('DELETE', '/servers/one', { force: true })), ['force'])
    assert.deepEqual(events, [])
  })

  it('describes the fields that a fault rule has, but for functions', async () => {
    const { properties } = (await ask('GET', '/openapi.json')).body.components.schemas.FaultRule
    assert.deepEqual(Object.keys(properties).sort(), faultFields.rule.filter(name => name !== 'random').sort())
    assert.deepEqual([Object.keys(properties.watch.properties), properties.watch.required], [faultFields.watch, ['do']])
  })

  it('describes each of its routes in an OpenAPI document', async () => {
    const { body } = await ask('GET', '/openapi.json')
    assert.equal(body.openapi, '3.0.3')
    const operations = Object.entries<any>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method} ${path.replace('/testing/v1', '')}`)
    )
    assert.equal(operations.length, 22)
    for (const wanted of ['put /servers/{name}', 'post /snapshots/{name}/restore', 'post /clock/advance', 'delete /faults/{id}'])
      assert.ok(operations.includes(wanted), wanted)
    const text = JSON.stringify(body)
    for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) assert.ok(body.components.schemas[name!], name)
    assert.deepEqual(body.components.schemas.AdvanceRequest.required, ['by'])
    const ids = Object.values<any>(body.paths).flatMap(methods =>
      Object.values<any>(methods).map(({ operationId }) => operationId)
    )
    assert.equal(new Set(ids).size, ids.length)
  })
})
