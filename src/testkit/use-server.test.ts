import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UserError } from '../index.js'
import { until, useServer } from './index.js'
import { hasFailed, hooksOf } from './runner-hooks.js'

const map = (name: string) => ({ metadata: { name } })
const seed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seed' } }

for (const isolate of ['fork', 'restore'] as const)
  describe(`useServer with isolate: ${isolate}`, () => {
    const server = useServer({ setup: server => server.apply(seed), isolate })
    for (const round of [1, 2, 3])
      test(`gives each test what setup wrote, and nothing of the others (${round})`, async () => {
        const maps = server.client().of('v1', 'ConfigMap')
        const names = (await maps.list({ namespace: 'default' })).items.map(({ metadata }) => metadata.name)
        assert.deepEqual(
          names.filter(name => name !== 'kube-root-ca.crt'),
          ['seed']
        )
        await maps.create(map('left'))
        await maps.delete('seed')
        await until(server.client(), seed, { deleted: true })
      })
  })

describe('useServer with isolate: none', () => {
  const server = useServer({ isolate: 'none' })
  test('keeps what a test wrote', async () => {
    await server.client().of('v1', 'ConfigMap').create(map('kept'))
  })
  test('for the next test', async () => {
    await server.client().of('v1', 'ConfigMap').get('kept')
  })
})

describe('a test that fails', () => {
  for (const isolate of ['fork', 'none'] as const)
    test(`has its own requests printed, a test that passes has not (isolate: ${isolate})`, async t => {
      const hooks: Record<string, (context?: unknown) => unknown> = {}
      const hook = (name: string) => (work: (context?: unknown) => unknown) => {
        hooks[name] = work
      }
      const given = { beforeAll: hook('before'), afterAll: hook('after'), beforeEach: hook('setUp'), afterEach: hook('tearDown') }
      const server = useServer({ isolate }, given)
      const printed = t.mock.method(console, 'error', () => {})
      await hooks.before!()
      for (const [name, passed] of [
        ['first', true],
        ['second', false]
      ] as const) {
        await hooks.setUp!()
        await server.client().of('v1', 'ConfigMap').create(map(name))
        await hooks.tearDown!({ passed, error: passed ? null : new Error() })
      }
      await hooks.after!()
      const texts = printed.mock.calls.map(({ arguments: [text] }) => String(text))
      assert.equal(texts.length, 1)
      assert.match(texts[0]!, /create configmaps default\/second → 201/)
      assert.doesNotMatch(texts[0]!, /default\/first/)
    })
})

describe('the hooks of a runner', () => {
  const hook = () => {}

  test('are those that are given, under either name', () => {
    const { beforeAll, afterAll } = hooksOf({ before: hook, after: hook, beforeEach: hook, afterEach: hook })
    assert.deepEqual([beforeAll, afterAll], [hook, hook])
    assert.throws(() => hooksOf({ beforeEach: hook, afterEach: hook }), UserError)
  })

  test('are not those of node:test in another runner', t => {
    const before = process.env.VITEST
    t.after(() => (before === undefined ? delete process.env.VITEST : (process.env.VITEST = before)))
    process.env.VITEST = 'true'
    assert.throws(() => hooksOf(undefined), /import \* as hooks from 'vitest'/)
  })

  test('say whether the test has failed', () => {
    assert.equal(hasFailed(undefined), false)
    assert.equal(hasFailed({ task: { result: { state: 'fail' } } }), true)
    assert.equal(hasFailed({ task: { result: { state: 'pass' } } }), false)
    assert.equal(hasFailed({ task: { fails: true, result: { state: 'fail' } } }), false)
    assert.equal(hasFailed({ task: { fails: true, result: { state: 'pass' } } }), true)
    assert.equal(hasFailed({ passed: false, error: new Error() }), true)
    assert.equal(hasFailed({ passed: true, error: null }), false)
  })

  test('of jest say nothing: its state does', t => {
    const symbol = Symbol('JEST_STATE_SYMBOL')
    const place = globalThis as unknown as Record<symbol, unknown>
    t.after(() => delete place[symbol])
    for (const [errors, failed] of [
      [[], false],
      [[new Error()], true]
    ] as const) {
      place[symbol] = { currentlyRunningTest: { errors } }
      assert.equal(hasFailed(undefined), failed)
    }
    place[symbol] = { currentlyRunningTest: null }
    assert.equal(hasFailed(undefined), false)
  })
})

test('the server of useServer has no state outside of tests', () => {
  const hook = () => {}
  const server = useServer({}, { before: hook, after: hook, beforeEach: hook, afterEach: hook })
  assert.throws(() => server.client(), /tests and hooks only/)
})

test('wrong options are refused at once, by their names', () => {
  const hook = () => {}
  const hooks = { before: hook, after: hook, beforeEach: hook, afterEach: hook }
  for (const [options, message] of [
    [{ isolate: 'frok' }, 'the option useServer.isolate must be "fork", "restore" or "none", not "frok"'],
    [{ setup: 'x' }, 'the option useServer.setup must be a function, not "x"'],
    [{ isolated: 'fork' }, 'unknown option "isolated"'],
    [{ recorder: { request: 1 } }, 'unknown option "recorder.request"; did you mean requests?']
  ] as const)
    assert.throws(() => useServer(options as object, hooks), { name: 'UserError', message })
})
