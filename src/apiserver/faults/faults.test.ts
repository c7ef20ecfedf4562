/** Faults in a whole server: what clients get, and what the rules say that they did. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { startWebhook } from '../../testkit/webhook-server.js'
import { silentLogger } from '../../util/logger.js'
import type { FaultRule } from './rule.js'

const user = { name: 'tester', groups: ['system:masters'] }
const maps = '/api/v1/namespaces/default/configmaps'
const clock = new FakeClock()
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger, controllers: [], clock })
  await server.start()
  for (const name of ['a', 'b']) await ask(maps, { metadata: { name } })
})
after(() => server.stop())
afterEach(() => server.faults.clear())

async function ask(url: string, body?: unknown, method?: string, more: object = {}) {
  const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
  const { status, body: bytes } = await server.inject({ url, user, body, headers, ...(method ? { method } : {}), ...more })
  const text = bytes.toString()
  return { status, text, object: text.startsWith('{') && !text.includes('}\n{') ? JSON.parse(text) : undefined }
}
const add = (rule: FaultRule) => server.faults.add(rule)
const label = (value: string) => ({ metadata: { labels: { value } } })

describe('a fault with a status', () => {
  test('fails the next write, and says what it did', async () => {
    const fault = add({ verb: ['create', 'update', 'patch'], resource: 'configmaps', times: 1, status: 409 })
    const { status, object } = await ask(`${maps}/a`, label('1'), 'PATCH')
    assert.equal(status, 409)
    assert.equal(
      object.message,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again'
    )
    assert.deepEqual([object.reason, object.details], ['Conflict', { name: 'a', kind: 'configmaps' }])
    await fault.done
    assert.equal((await ask(`${maps}/a`, label('1'), 'PATCH')).status, 200)
    const hit = { user: 'tester', verb: 'patch', resource: 'configmaps', namespace: 'default', name: 'a', action: 'status 409' }
    assert.deepEqual(fault.hits, [{ time: clock.now(), ...hit }])
    assert.equal(fault.count, 1)
  })

  for (const [type, body] of [
    ['application/json', '{"metadata":{"name":"new"}}'],
    ['application/yaml', 'metadata:\n  name: new\n'],
    ['application/vnd.kubernetes.protobuf', Buffer.from('6b38730012070a050a036e6577', 'hex')]
  ] as const)
    test(`names the object of a create in ${type}`, async () => {
      add({ verb: 'create', name: 'new', status: 409 })
      const { object } = await ask(maps, body, 'POST', { headers: { 'content-type': type } })
      assert.equal(object.message, 'configmaps "new" already exists')
      assert.equal((await ask(`${maps}?dryRun=All`, { metadata: { name: 'other' } })).status, 201)
    })

  test('has messages of kube-apiserver for codes, and a Status of the test', async () => {
    for (const [code, message, reason] of [
      [401, 'Unauthorized', 'Unauthorized'],
      [
        403,
        'configmaps "a" is forbidden: User "tester" cannot get resource "configmaps" in API group "" in the namespace "default"',
        'Forbidden'
      ],
      [404, 'configmaps "a" not found', 'NotFound'],
      [410, 'The resourceVersion for the provided watch is too old.', 'Expired'],
      [418, 'the server responded with the status code 418 but did not return more information ( configmaps a)', undefined],
      [429, 'Too many requests, please try again later.', 'TooManyRequests'],
      [500, 'Internal error occurred: a fault was injected', 'InternalError'],
      [503, 'the server is currently unable to handle the request', 'ServiceUnavailable'],
      [504, 'Timeout: request did not complete within requested timeout - context deadline exceeded', 'Timeout']
    ] as const) {
      add({ status: code, times: 1 })
      const { status, object } = await ask(`${maps}/a`)
      assert.deepEqual([status, object.code, object.message, object.reason], [code, code, message, reason])
    }
    add({ status: { kind: 'Status', apiVersion: 'v1', metadata: {}, code: 402, message: 'pay' } })
    assert.deepEqual((await ask(`${maps}/a`)).object, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      code: 402,
      message: 'pay',
      status: 'Failure'
    })
  })
})

describe('a rule', () => {
  const failed = async (rule: FaultRule, url: string, more: object = {}, method?: string) => {
    const fault = add({ status: 500, ...rule })
    const { status } = await ask(url, undefined, method, more)
    fault.remove()
    return status === 500
  }

  test('matches by verb, resource, name, namespace, user, path and agent', async () => {
    const deployments = '/apis/apps/v1/namespaces/default/deployments'
    for (const [rule, url, expected] of [
      [{ verb: 'get' }, `${maps}/a`, true],
      [{ verb: 'list' }, `${maps}/a`, false],
      [{ verb: ['list', '*'] }, `${maps}/a`, true],
      [{ resource: 'configmaps' }, maps, true],
      [{ resource: 'configmaps.' }, maps, true],
      [{ resource: 'configmaps.example.com' }, maps, false],
      [{ resource: 'deployments.apps' }, deployments, true],
      [{ resource: 'deployments' }, deployments, true],
      [{ resource: 'deployments' }, `${deployments}/x/status`, false],
      [{ resource: 'deployments/status' }, `${deployments}/x/status`, true],
      [{ resource: 'deployments/*' }, `${deployments}/x/scale`, true],
      [{ resource: 'deployments/*' }, `${deployments}/x`, false],
      [{ resource: '*' }, `${deployments}/x/scale`, true],
      [{ resource: ['pods', 'configmaps'] }, maps, true],
      [{ name: 'a' }, `${maps}/a`, true],
      [{ name: 'b' }, `${maps}/a`, false],
      [{ namespace: 'default' }, maps, true],
      [{ namespace: 'other' }, maps, false],
      [{ user: 'tester' }, maps, true],
      [{ user: 'alice' }, maps, false],
      [{ userAgent: 'kubectl' }, maps, true],
      [{ userAgent: 'curl' }, maps, false],
      [{}, '/version', false],
      [{ path: '/version' }, '/version', true],
      [{ path: '/ver*' }, '/version', true],
      [{ path: '/api' }, maps, false]
    ] as const)
      assert.equal(await failed(rule, url, { headers: { 'user-agent': 'kubectl/v1' } }), expected, JSON.stringify([rule, url]))
  })

  test('goes by the user that a request acts as', async () => {
    const headers = { 'impersonate-user': 'alice', 'impersonate-group': 'system:masters' }
    assert.equal(await failed({ user: 'alice' }, maps, { headers }), true)
    assert.equal(await failed({ user: 'tester' }, maps, { headers }), false)
  })

  test('skips the first matches, and is used up', async () => {
    const fault = add({ verb: 'get', after: 2, times: 2, status: 500 })
    const codes: number[] = []
    for (let i = 0; i < 6; i++) codes.push((await ask(`${maps}/a`)).status)
    assert.deepEqual(codes, [200, 200, 500, 500, 200, 200])
    await fault.done
  })

  test('has the same chances in every run', async () => {
    const run = async (rule: FaultRule) => {
      const fault = add({ verb: 'get', probability: 0.3, status: 500, ...rule })
      let codes = ''
      for (let i = 0; i < 40; i++) codes += (await ask(`${maps}/a`)).status === 500 ? 'x' : '.'
      fault.remove()
      return codes
    }
    const first = await run({})
    assert.equal(await run({}), first)
    assert.notEqual(await run({ seed: 2 }), first)
    const hits = first.replaceAll('.', '').length
    assert.ok(hits > 4 && hits < 22, first)
    assert.equal(await run({ random: () => 0.29 }), 'x'.repeat(40))
  })

  test('stands beside others: delays add up, and the first failure counts', async () => {
    const [first, second] = [add({ verb: 'get', status: 500, times: 1 }), add({ verb: 'get', status: 503 })]
    assert.equal((await ask(`${maps}/a`)).status, 500)
    assert.deepEqual([first.count, second.count], [1, 0])
    assert.equal((await ask(`${maps}/a`)).status, 503)
    server.faults.clear()
    assert.equal((await ask(`${maps}/a`)).status, 200)
  })

  test('keeps the last thousand hits', async () => {
    const fault = add({ verb: 'get', status: 500 })
    for (let i = 0; i < 1005; i++) await ask(`${maps}/${i}`)
    assert.deepEqual([fault.count, fault.hits.length, fault.hits[0]!.name], [1005, 1000, '5'])
  })

  test('is refused when it is wrong, by its field', () => {
    for (const [rule, message] of [
      [{}, 'the fault does nothing: it needs one of delay, status, reset, cutAfter, watch, storage, webhook'],
      [{ verbs: 'get', status: 500 }, 'unknown field "verbs" of the fault; did you mean verb?'],
      [{ verb: 'patsh', status: 500 }, 'the field verb of the fault has no verb "patsh"; did you mean patch?'],
      [
        { verb: [], status: 500 },
        'the field verb of the fault must be a string or a list of strings, none of them empty, at most 100'
      ],
      [
        { resource: Array(101).fill('pods'), status: 500 },
        'the field resource of the fault must be a string or a list of strings, none of them empty, at most 100'
      ],
      [
        { resource: 'Pods', status: 500 },
        'the field resource of the fault must be like "pods", "deployments.apps", "pods/status" or "*", not "Pods"'
      ],
      [{ path: 'version', status: 500 }, 'the field path of the fault must be a path that begins with /'],
      [{ path: '/a', resource: 'pods', status: 500 }, 'the field path of the fault cannot stand beside resource'],
      [
        { status: 200 },
        'the field status of the fault must be a code from 400 to 599, a Status with such a code, or a StatusError'
      ],
      [{ times: 0, status: 500 }, 'the field times of the fault must be an integer of at least 1'],
      [{ after: -1, status: 500 }, 'the field after of the fault must be an integer of at least 0'],
      [{ probability: 10, status: 500 }, 'the field probability of the fault must be a number from 0 to 1'],
      [{ random: 1, status: 500 }, 'the field random of the fault must be a function'],
      [{ reset: false }, 'the field reset of the fault must be true'],
      [{ status: 500, reset: true }, 'the field reset of the fault cannot stand beside status: a fault does one thing'],
      [{ delay: '1s' }, 'the field delay of the fault must be milliseconds, at least 0'],
      [{ watch: { do: 'stop' } }, 'the field watch.do of the fault must be "expire", "close", "stall" or "halfFrame"'],
      [{ watch: {} }, 'the field watch.do of the fault must be "expire", "close", "stall" or "halfFrame"'],
      [{ watch: { after: 1, do: 'stall' } }, 'unknown field "watch.after" of the fault'],
      [{ watch: { do: 'stall' }, verb: 'list' }, 'the field verb of the fault must be "watch" for a fault of watches'],
      [{ storage: 'gone' }, 'the field storage of the fault must be "timeout", "lostAnswer" or "noQuorum"'],
      [{ webhook: '*' }, 'the field error of the fault must be "refused", "timeout" or a status code from 400 to 599'],
      [{ error: 'refused', status: 500 }, 'the field error of the fault is for webhook']
    ] as const)
      assert.throws(() => add(rule as never), { name: 'UserError', message }, JSON.stringify(rule))
    assert.throws(() => add({ nonsense: 1, status: 500 } as never), /unknown field/)
  })
})

describe('other faults', () => {
  test("a delay lasts by the server's clock, and ends with the request", async () => {
    const fault = add({ verb: 'get', delay: 5000 })
    let answered = false
    const answer = ask(`${maps}/a`).then(({ status }) => {
      answered = true
      return status
    })
    while (fault.count === 0) await new Promise(resolve => setImmediate(resolve))
    clock.advance(4999)
    await new Promise(resolve => setImmediate(resolve))
    assert.equal(answered, false)
    clock.advance(1)
    assert.equal(await answer, 200)
    server.faults.clear()
    const slow = add({ verb: 'patch', storage: 'timeout', delay: 3000, times: 1 })
    const write = ask(`${maps}/a`, label('slow'), 'PATCH').then(({ status }) => {
      answered = true
      return status
    })
    answered = false
    while (slow.count === 0) await new Promise(resolve => setImmediate(resolve))
    clock.advance(2999)
    await new Promise(resolve => setImmediate(resolve))
    assert.equal(answered, false)
    clock.advance(1)
    assert.equal(await write, 504)
    add({ verb: 'get', delay: 5000 })
    const { status, text } = await ask(`${maps}/a?timeout=20ms`)
    assert.equal(status, 504)
    assert.match(text, /request did not complete within the allotted timeout/)
  })

  test('a reset ends an injected request, and so does a body that is cut', async () => {
    add({ verb: 'get', reset: true, times: 1 })
    await assert.rejects(ask(`${maps}/a`), /the connection was reset/)
    const cut = add({ cutAfter: 10, times: 2 })
    await assert.rejects(ask(`${maps}/a`), /the connection was reset/)
    await assert.rejects(ask(`${maps}?watch=1&timeoutSeconds=1`), /the connection was reset/)
    assert.deepEqual(
      cut.hits.map(({ action }) => action),
      ['cut after 10 bytes', 'cut after 10 bytes']
    )
    const once = add({ cutAfter: 1500, times: 1 })
    assert.equal((await ask(`${maps}/a`)).status, 200)
    await ask(`${maps}?dryRun=All`, { metadata: { name: 'long' }, data: { text: 'x'.repeat(3000) } }).catch(() => {})
    await once.done
    const far = add({ cutAfter: 1_000_000 })
    assert.equal((await ask(`${maps}/a`)).status, 200)
    assert.equal(far.count, 0)
  })
})

describe('a fault of watches', () => {
  const versionOf = async () => (await ask(maps)).object.metadata.resourceVersion
  const touch = async (...values: string[]) => {
    for (const value of values) await ask(`${maps}/b`, label(value), 'PATCH')
  }
  /** The events of a watch that sees four changes. */
  const watched = async (rule: FaultRule['watch'], type?: string) => {
    const version = await versionOf()
    await touch('1', '2', '3', '4')
    const fault = add({ resource: 'configmaps', times: 1, watch: rule })
    const url = `${maps}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=${version}`
    const answer = server.inject({ url, user, headers: type ? { accept: type } : {} })
    for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
    clock.advance(1000)
    const { body } = await answer
    return {
      fault,
      body,
      events: type
        ? []
        : body
            .toString()
            .split('\n')
            .filter(Boolean)
            .map(line => JSON.parse(line))
    }
  }

  test('ends it with 410 after some events', async () => {
    const { fault, events } = await watched({ afterEvents: 3, do: 'expire' })
    assert.deepEqual(
      events.map(({ type }) => type),
      ['MODIFIED', 'MODIFIED', 'MODIFIED', 'ERROR']
    )
    const message = 'The resourceVersion for the provided watch is too old.'
    assert.deepEqual(events[3].object, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Expired',
      code: 410
    })
    await fault.done
    assert.equal(fault.hits[0]!.action, 'watch expire')
  })

  test('ends it with 410 in the form of the watch', async () => {
    const { body } = await watched({ do: 'expire' }, 'application/vnd.kubernetes.protobuf;stream=watch')
    assert.equal(body.readUInt32BE(0), body.length - 4)
    assert.ok(body.includes('ERROR') && body.includes('Expired'))
  })

  test('closes it, or lets it stall', async () => {
    const closed = await watched({ afterEvents: 2, do: 'close' })
    assert.deepEqual(
      closed.events.map(({ type }) => type),
      ['MODIFIED', 'MODIFIED']
    )
    const stalled = await watched({ afterEvents: 1, do: 'stall' })
    assert.deepEqual([stalled.events.length, stalled.fault.count], [1, 1])
  })

  test('does not count bookmarks', async () => {
    add({ resource: 'configmaps', times: 1, watch: { afterEvents: 3, do: 'close' } })
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const answer = server.inject({ url: `${maps}?watch=1&timeoutSeconds=1&${initial}`, user })
    for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
    await touch('1', '2')
    for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
    clock.advance(1000)
    const lines = (await answer).body.toString().trim().split('\n')
    assert.deepEqual(
      lines.map(line => JSON.parse(line).type),
      ['ADDED', 'ADDED', 'BOOKMARK', 'MODIFIED']
    )
  })

  test('takes no more watches than its times, also before it has done something', async () => {
    const url = `${maps}?watch=1&timeoutSeconds=1&resourceVersion=${await versionOf()}`
    const fault = add({ resource: 'configmaps', times: 1, watch: { afterEvents: 1, do: 'close' } })
    const turns = async () => {
      for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
    }
    const both = [server.inject({ url, user }), server.inject({ url, user })]
    await turns()
    await touch('1', '2')
    await turns()
    clock.advance(1000)
    const counts = (await Promise.all(both)).map(({ body }) => body.toString().trim().split('\n').length)
    assert.deepEqual([counts.sort(), fault.count], [[1, 2], 1])
  })

  test('counts only watches in which it has done something', async () => {
    const { fault, events } = await watched({ afterEvents: 5, do: 'close' })
    assert.deepEqual([events.filter(({ type }) => type === 'MODIFIED').length, fault.count], [4, 0])
  })
})

describe('a fault of the store', () => {
  const writeTimeout = 'Timeout: request did not complete within requested timeout - context deadline exceeded'

  test('fails writes with the answers of kube-apiserver, and writes nothing', async () => {
    for (const [storage, code, message, reason] of [
      ['timeout', 504, writeTimeout, 'Timeout'],
      ['noQuorum', 500, 'etcdserver: request timed out', undefined]
    ] as const) {
      const fault = add({ resource: 'configmaps', verb: '*', storage })
      for (const [body, method, path] of [
        [{ metadata: { name: 'lost' } }, 'POST', ''],
        [label(storage), 'PATCH', '/a'],
        [undefined, 'DELETE', '/a']
      ] as const) {
        const { status, object } = await ask(maps + path, body, method)
        assert.deepEqual([status, object.message, object.reason], [code, message, reason], `${storage} ${method}`)
      }
      assert.equal((await ask(`${maps}?dryRun=All`, { metadata: { name: 'lost' } })).status, 201)
      assert.deepEqual(
        fault.hits.map(({ verb, name, action }) => [verb, name, action]),
        [
          ['create', 'lost', `storage ${storage}`],
          ['patch', 'a', `storage ${storage}`],
          ['delete', 'a', `storage ${storage}`]
        ]
      )
      fault.remove()
      assert.notEqual((await ask(`${maps}/a`)).object.metadata.labels?.value, storage)
      assert.equal((await ask(`${maps}/lost`)).status, 404)
    }
  })

  test('may lose the answer to a write that is done', async () => {
    add({ resource: 'configmaps', storage: 'lostAnswer', times: 1 })
    assert.equal((await ask(`${maps}/a`)).status, 200, 'a read has no answer to lose')
    const { status, object } = await ask(`${maps}/a`, label('done'), 'PATCH')
    assert.deepEqual([status, object.message], [504, writeTimeout])
    assert.equal((await ask(`${maps}/a`)).object.metadata.labels.value, 'done')
  })

  test('fails reads that ask the store, and not those of the cache', async () => {
    const fault = add({ resource: 'configmaps', storage: 'timeout' })
    for (const url of [maps, `${maps}/a`]) {
      const { status, text } = await ask(url)
      assert.equal(status, 504)
      assert.match(text, /"Timeout: request did not complete within the allotted timeout"/)
    }
    assert.equal((await ask(`${maps}?resourceVersion=0`)).status, 200)
    fault.remove()
    add({ resource: 'configmaps', storage: 'noQuorum' })
    assert.equal((await ask(maps)).object.message, 'etcdserver: request timed out')
  })

  test("leaves the server's own controllers alone, unless it names their user", async () => {
    const controlled = createServer({ log: silentLogger, controllers: ['serviceaccount-controller'] })
    await controlled.start()
    try {
      const all = controlled.faults.add({ resource: 'serviceaccounts', storage: 'timeout' })
      const own = controlled.faults.add({
        resource: 'serviceaccounts',
        user: 'system:serviceaccount:kube-system:service-account-controller',
        storage: 'timeout',
        times: 1
      })
      await controlled.inject({ url: '/api/v1/namespaces', user, body: { metadata: { name: 'made' } } })
      await own.done
      assert.equal(all.count, 0)
      assert.deepEqual([own.hits[0]!.verb, own.hits[0]!.namespace], ['create', 'made'])
    } finally {
      await controlled.stop()
    }
  })
})

describe('a fault of webhooks', () => {
  test('lets admission webhooks fail as Go says it', async () => {
    const hook = await startWebhook(({ apiVersion, kind, request }) => ({
      apiVersion,
      kind,
      response: { uid: request.uid, allowed: true }
    }))
    const name = 'hooks.example.com'
    try {
      await ask('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        metadata: { name },
        webhooks: [
          {
            name,
            clientConfig: { url: `${hook.url}/x`, caBundle: hook.caBundle },
            rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
            sideEffects: 'None',
            admissionReviewVersions: ['v1']
          }
        ]
      })
      const create = () => ask(`${maps}?dryRun=All`, { metadata: { name: 'x' } })
      const failing = `Internal error occurred: failed calling webhook "${name}": failed to call webhook: `
      const url = `${hook.url}/x?timeout=10s`
      add({ webhook: 'other.example.com', error: 'refused' })
      add({ webhook: '*', resource: 'secrets', error: 'refused' })
      assert.equal((await create()).status, 201)
      const refused = add({ webhook: name, resource: 'configmaps', times: 1, error: 'refused' })
      assert.equal((await create()).object.message, `${failing}Post "${url}": dial tcp ${hook.host}: connect: connection refused`)
      const { verb, name: object, action } = refused.hits[0]!
      assert.deepEqual([verb, object, action], ['create', 'x', `webhook ${name} refused`])
      add({ webhook: '*', times: 1, error: 503 })
      assert.equal((await create()).object.message, `${failing}the server is currently unable to handle the request`)
      const late = add({ webhook: '*', times: 1, error: 'timeout' })
      const answer = create()
      await late.done
      for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve))
      clock.advance(10_000)
      assert.equal((await answer).object.message, `${failing}Post "${url}": context deadline exceeded`)
      assert.equal((await create()).status, 201)
    } finally {
      await hook.close()
    }
  })
})
