/** EvictionRequests and Evictions in a server whose gate is on. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { admin, send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const group = '/apis/lifecycle.k8s.io/v1alpha1/namespaces/default'
const requests = `${group}/evictionrequests`
const evictions = `${group}/evictions`
const now = Date.parse('2026-01-02T03:04:05Z')
const target = { pod: { name: 'p', uid: 'cccccccc-0000-0000-0000-000000000001' } }
const seconds = (n: number) => new Date(now + n * 1000).toISOString().replace('.000', '')
const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'

let server: BinnacleServer

const ask = (method: string, url: string, body?: object, headers: Record<string, string> = {}) =>
  send(server, method, url, body, { user: admin, headers })

/** The causes of a refusal; '' when there is none. */
async function problem(method: string, url: string, body: object): Promise<string> {
  const { status, body: answer } = await ask(method, url, body)
  if (status < 400) return ''
  return answer.details?.causes?.map((cause: any) => `${cause.field}: ${cause.message}`).join('; ') ?? answer.message
}

before(async () => {
  server = createServer({
    log: silentLogger,
    featureGates: { EvictionRequestAPI: true },
    runtimeConfig: { 'lifecycle.k8s.io/v1alpha1': true },
    clock: new FakeClock(now)
  })
  await server.start()
})
after(() => server.stop())

describe('without its gate', () => {
  it('the group does not exist, and Pods lose their responders', async () => {
    const plain = createServer({ log: silentLogger, runtimeConfig: { 'lifecycle.k8s.io/v1alpha1': true } })
    await plain.start()
    try {
      assert.equal((await plain.inject({ url: requests, user: admin })).status, 404)
      const spec = {
        containers: [{ name: 'c', image: 'i' }],
        evictionResponders: [{ name: 'a.b/c', priority: 1000 }],
        automountServiceAccountToken: false
      }
      await send(plain, 'POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } }, { user: admin })
      const { status, body } = await send(
        plain,
        'POST',
        '/api/v1/namespaces/default/pods',
        { metadata: { name: 'p' }, spec },
        { user: admin }
      )
      assert.equal(status, 201)
      assert.equal(body.spec.evictionResponders, undefined)
    } finally {
      await plain.stop()
    }
  })
})

describe('an EvictionRequest', () => {
  const request = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { target, requester: 'drain.example.com/node', intent: 'Eviction', ...spec }
  })

  it('counts the changes of its spec, of which only the intent may change', async () => {
    const { body } = await ask('POST', requests, { ...request('a'), status: { observedGeneration: 9 } })
    assert.deepEqual([body.metadata.generation, body.status], [1, {}])
    const changed = await ask('PATCH', `${requests}/a`, { spec: { intent: 'Withdrawn' } })
    assert.equal(changed.body.metadata.generation, 2)
    assert.equal(
      await problem('PATCH', `${requests}/a`, { spec: { requester: 'a.b/c' } }),
      'spec.requester: Invalid value: null: field is immutable'
    )
  })

  for (const requester of ['x.k8s.io/y', 'KUBERNETES.io/y', 'k8s.io./y'])
    it(`comes from outside of Kubernetes, not from ${requester}`, async () =>
      assert.match(
        await problem('POST', requests, request('b', { requester })),
        /spec\.requester: Invalid value: ".*": domain names \*\.k8s\.io, \*\.kubernetes\.io are reserved/
      ))

  it('shows in its Table how far it is', async () => {
    await ask('POST', requests, request('row'))
    const status = async (value: object) => {
      assert.equal(await problem('PATCH', `${requests}/row/status`, { status: value }), '')
      return (await ask('GET', `${requests}/row/status`, undefined, { accept })).body.rows[0].cells.slice(0, 6)
    }
    const of = (text: string) => ['row', 'p', 'Pod', text, 'drain.example.com/node', 'Eviction']
    const condition = { status: 'True', reason: 'R', message: '', lastTransitionTime: seconds(0) }
    assert.deepEqual(await status({}), of('Pending'))
    assert.deepEqual(await status({ observedGeneration: 1 }), of('Progressing'))
    assert.deepEqual(await status({ conditions: [{ type: 'Failed', ...condition }] }), of('Failed (R)'))
    const both = ['Failed', 'TargetEvicted'].map(type => ({ type, ...condition }))
    assert.deepEqual(await status({ conditions: both }), of('TargetEvicted (R)'))
  })
})

describe('an Eviction', () => {
  const own = 'imperative-eviction.k8s.io/evictor'
  const turn = (name: string, state: string, priority = name === own ? 100 : 5000) => ({ name, priority, state })
  const names = ['a.example.com/x', 'b.example.com/x', own] as const
  const turns = (...states: string[]) => states.map((state, i) => turn(names[i]!, state))
  const report = (name: string, more: object = {}) => ({ name, ...more })
  const begun = [report(names[0], { startTime: seconds(0) }), report(names[1]), report(own)]
  const done = (...conditions: string[]) =>
    conditions.map(type => ({ type, status: 'True', reason: 'R', message: '', lastTransitionTime: seconds(0) }))

  const create = async (name: string, status: object) => {
    await ask('POST', evictions, { metadata: { name }, spec: { target } })
    return problem('PATCH', `${evictions}/${name}/status`, { status })
  }
  const first = (status: object) => create(`e${count++}`, status)
  let count = 0

  it('begins with the first of its responders', async () => {
    assert.equal(await first({ targetResponders: turns('Active', 'Inactive', 'Inactive'), responders: begun }), '')
    assert.match(
      await first({ targetResponders: turns('Inactive', 'Active', 'Inactive'), responders: begun }),
      /\[0\]\.state: Invalid value: "Inactive": must be one of: Active, because this responder is next in line; /
    )
    assert.match(
      await first({ targetResponders: turns('Active', 'Active'), responders: begun.slice(0, 2) }),
      /^status\.targetResponders\[1\]\.state: .*must be one of: Inactive, because the previously active has not finished processing;/
    )
    const sorted = [
      turn('z.a.org/x', 'Inactive'),
      turn('y.org/x', 'Inactive'),
      turn('a.org/x', 'Active'),
      turn('b.com/x', 'Inactive', 6000)
    ]
    assert.match(
      await first({ targetResponders: sorted, responders: sorted.map(({ name }) => report(name, { startTime: seconds(0) })) }),
      /\[3\]\.state: .*: must be one of: Active, .*\[2\]\.state: .*must be one of: Inactive/
    )
  })

  it('has a report of each responder, and priorities', async () => {
    assert.match(
      await first({ targetResponders: turns('Active') }),
      /\[0\]: Invalid value: \{"Name":"a\.example\.com\/x","Priority":5000,"State":"Active"\}: "a.example.com\/x" has to be tracked in status\.responders first; status\.responders: Invalid value: null: must be the same length/
    )
    const low = [turn(names[0], 'Active', 999), turn(own, 'Inactive', 99)]
    assert.equal(
      await first({ targetResponders: low, responders: [begun[0], begun[2]] }),
      'status.targetResponders[0].priority: Invalid value: 999: priorities 0-999 are reserved for responders with *.k8s.io suffix; ' +
        'status.targetResponders[1].priority: Invalid value: 99: core k8s responder is expected to have priority: 100'
    )
  })

  it('goes on when a responder is through, and never back', async () => {
    await create('on', { targetResponders: turns('Active', 'Inactive', 'Inactive'), responders: begun })
    const set = (status: object) => problem('PATCH', `${evictions}/on/status`, { status })
    const states = (...list: string[]) => set({ targetResponders: turns(...list) })
    assert.match(
      await states('Active', 'Inactive'),
      /status\.targetResponders: .*must preserve the same length and the same keys/
    )
    assert.match(
      await states('Inactive', 'Inactive', 'Inactive'),
      /must be one of: Canceled, Completed, Interrupted, because this/
    )
    assert.match(await states('Canceled', 'Active', 'Inactive'), /\[0\]\.state: Forbidden: must stay Active because/)
    const ended = report(names[0], { startTime: seconds(0), completionTime: seconds(1) })
    assert.equal(await set({ responders: [ended, ...begun.slice(1)] }), '')
    const next = [ended, report(names[1], { startTime: seconds(0) }), report(own)]
    assert.equal(await set({ targetResponders: turns('Completed', 'Active', 'Inactive'), responders: next }), '')
    assert.match(await states('Interrupted', 'Active', 'Inactive'), /\[0\]\.state: .*because final state is immutable/)
    const late = [report(names[0], { startTime: seconds(0), completionTime: seconds(1), message: 'x' }), ...next.slice(1)]
    assert.match(await set({ responders: late }), /^status\.responders\[0\]: Invalid value: \{.*\}: field is immutable$/)
    assert.match(
      await set({ conditions: done('TargetEvicted') }),
      /\[1\]\.state: .*because the eviction request has finished processing/
    )
    const over = turns('Completed', 'Canceled', 'Inactive')
    assert.equal(await set({ conditions: done('TargetEvicted'), targetResponders: over }), '')
    assert.match(await set({ conditions: [] }), /^status\.conditions: .*TargetEvicted condition status cannot be reverted$/)
    const { body } = await ask('GET', `${evictions}/on`, undefined, { accept })
    assert.deepEqual(body.rows[0].cells.slice(1, 8), [
      'p',
      'Pod',
      'TargetEvicted (R)',
      'b.example.com/x (2/3)',
      'Canceled',
      '-',
      '<none>'
    ])
  })

  for (const [what, times, expected] of [
    ['a start', { startTime: seconds(-31) }, /startTime: Invalid value: ".*": must be set to the present time/],
    ['no start', {}, /startTime: Required value: is required for an active responder/],
    [
      'a sign of life',
      { startTime: seconds(0), heartbeatTime: seconds(-1) },
      /heartbeatTime: .*must occur after status\.responders\[0\]\.startTime/
    ],
    [
      'a late sign of life',
      { startTime: seconds(0), heartbeatTime: seconds(40) },
      /heartbeatTime: .*must be set to the present time/
    ],
    [
      'an end before its start',
      { completionTime: seconds(0) },
      /completionTime: .*cannot be set before status\.responders\[0\]\.startTime is set/
    ],
    [
      'an end in a century',
      { startTime: seconds(0), expectedCompletionTime: seconds(4e9) },
      /expectedCompletionTime: .*must complete within 10 years/
    ]
  ] as const)
    it(`has the times of now: not ${what} of others`, async () =>
      assert.match(await first({ targetResponders: turns('Active'), responders: [report(names[0], times)] }), expected))
})
