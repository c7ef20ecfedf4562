/** Reconcilers of an operator, with a server in the process that all tests share: each has a namespace of its own. */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import {
  type BinnacleServer,
  type BuiltinKinds,
  createServer,
  type KubeClient,
  type KubeObject,
  kindRef,
  until
} from '../../index.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import type { Logger } from '../../util/logger.js'
import { silentLogger } from '../../util/logger.js'
import {
  createOrPatch,
  createOrUpdate,
  generationChanged,
  labelsChanged,
  type Operator,
  type Reconciler,
  type RunOptions,
  retryOnConflict,
  runOperator,
  setControllerReference,
  terminalError,
  withoutManagedFields
} from './index.js'

const maps = kindRef('v1', 'ConfigMap')
const secrets = kindRef('v1', 'Secret')
type ConfigMap = BuiltinKinds['v1']['ConfigMap'] & KubeObject

let server: BinnacleServer
let client: KubeClient
before(async () => {
  // without what puts ConfigMaps into namespaces
  const controllers = ['*', '-serviceaccount-controller']
  server = createServer({ listen: false, log: silentLogger, controllers })
  await server.start()
  client = server.client()
})
after(() => server.stop())

let spaces = 0
async function namespace(): Promise<string> {
  const name = `space-${++spaces}`
  await client.of('v1', 'Namespace').create({ metadata: { name } })
  return name
}

interface Opened {
  readonly ns: string
  readonly clock: FakeClock
  readonly lines: string[]
  readonly running: ReturnType<typeof runOperator>
}

/** Runs one reconciler of the ConfigMaps in a namespace. */
async function open(
  t: TestContext,
  reconciler: Omit<Reconciler<ConfigMap>, 'for'>,
  { operator = {}, options = {}, ns: given }: { operator?: Partial<Operator>; options?: Partial<RunOptions>; ns?: string } = {}
): Promise<Opened> {
  const ns = given ?? (await namespace())
  const clock = new FakeClock()
  const lines: string[] = []
  const log: Logger = { error: line => void lines.push(line), warn() {}, info() {} }
  const cache = [{ kind: maps, namespaces: [ns] }]
  const whole: Operator = { name: ns, reconcilers: [{ name: 'maps', for: maps, cache, ...reconciler }], ...operator }
  const running = runOperator(whole, { client, clock, log, leaderElection: false, namespace: ns, ...options })
  t.after(() => running.stop().catch(() => {}))
  await running.elected
  await clock.pass(0)
  return { ns, clock, lines, running }
}

const make = (ns: string, name: string, more: object = {}) =>
  client.of(maps).create({ metadata: { name, namespace: ns, ...more } })
const lineOf = async ({ running }: Opened, name: string) =>
  new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (.*)$`, 'm').exec(await running.metrics())?.[1]

describe('a reconciler', () => {
  test('gets copies, the request, and where it has to stop', async t => {
    const seen: object[] = []
    const opened = await open(t, {
      reconcile(object, { request, signal, cache }) {
        object.data = { spoilt: 'yes' }
        seen.push({ request, aborted: signal.aborted, kept: cache.of(maps).get(object)?.data })
      }
    })
    const { ns, clock } = opened
    await client.of(maps).create({ metadata: { name: 'a', namespace: ns }, data: { own: '1' } })
    await clock.pass(0)
    assert.deepEqual(seen, [{ request: { name: 'a', namespace: ns }, aborted: false, kept: { own: '1' } }])
    assert.equal(await lineOf(opened, 'controller_runtime_active_workers{controller="maps"}'), '0')
  })

  test('runs for the changes that its predicates let pass', async t => {
    const seen: string[] = []
    const { ns, clock } = await open(t, {
      when: [labelsChanged],
      reconcile: object => void seen.push(`${object.metadata.name} ${object.metadata.labels?.app}`)
    })
    await make(ns, 'a')
    await clock.pass(0)
    await client.of(maps).patch({ metadata: { name: 'a', namespace: ns } }, { data: { colour: 'red' } })
    await clock.pass(0)
    await client.of(maps).patch({ metadata: { name: 'a', namespace: ns } }, { metadata: { labels: { app: 'x' } } })
    await clock.pass(0)
    assert.deepEqual(seen, ['a undefined', 'a x'])
  })

  test('runs again although a predicate fails, which is logged', async t => {
    let runs = 0
    const { ns, clock, lines } = await open(t, {
      when: [
        () => {
          throw new Error('no idea')
        }
      ],
      reconcile: () => void runs++
    })
    await make(ns, 'a')
    await clock.pass(0)
    assert.equal(runs, 1)
    assert.match(lines[0]!, /controller maps: predicate: Error: no idea/)
  })

  test('is told once when an object is gone', async t => {
    const gone: object[] = []
    const { ns, clock } = await open(t, { reconcile() {}, deleted: request => void gone.push(request) })
    await make(ns, 'a')
    await clock.pass(0)
    await client.of(maps).delete('a', { namespace: ns })
    await clock.pass(0)
    assert.deepEqual(gone, [{ name: 'a', namespace: ns }])
  })

  test('runs for what it owns, also when it loses it, and for what a map names', async t => {
    const seen: string[] = []
    const { ns, clock } = await open(t, {
      owns: [{ kind: secrets, when: [({ type }) => type !== 'create'] }],
      watches: [
        {
          kind: kindRef('v1', 'ServiceAccount'),
          map: ({ metadata }, { cache }) =>
            cache
              .of(maps)
              .by('account', metadata.name!)
              .map(({ metadata }) => ({ name: metadata.name!, namespace: metadata.namespace }))
        }
      ],
      cache: [
        {
          kind: maps,
          indexes: { account: (map: ConfigMap) => (map.data?.account ? [map.data.account] : []) }
        }
      ],
      reconcile: ({ metadata }) => void (metadata.name!.startsWith('m-') && seen.push(metadata.name!))
    })
    const owner = await make(ns, 'm-owner')
    await client.of(maps).create({ metadata: { name: 'm-user', namespace: ns }, data: { account: 'bot' } })
    await clock.pass(0)
    assert.deepEqual(seen.splice(0).sort(), ['m-owner', 'm-user'])
    const secret = { metadata: { name: 's', namespace: ns } }
    setControllerReference({ ...owner, apiVersion: 'v1', kind: 'ConfigMap' }, secret)
    await client.of(secrets).create(secret as never)
    await clock.pass(0)
    assert.deepEqual(seen.splice(0), [])
    await client.of(secrets).patch(secret, { metadata: { ownerReferences: [] } })
    await clock.pass(0)
    assert.deepEqual(seen.splice(0), ['m-owner'])
    await client.of('v1', 'ServiceAccount').create({ metadata: { name: 'bot', namespace: ns } })
    await clock.pass(0)
    assert.deepEqual(seen.splice(0), ['m-user'])
  })
})

describe('a reconcile that fails', () => {
  test('is tried again after a growing delay, until it succeeds', async t => {
    let runs = 0
    let fails = true
    const opened = await open(t, {
      reconcile({ metadata }) {
        if (metadata.name === 'kube-root-ca.crt') return
        runs++
        if (fails) throw new Error('not now')
      }
    })
    const { ns, clock, lines } = opened
    await make(ns, 'a')
    await clock.pass(0)
    for (const [wait, count] of [
      [4, 1],
      [1, 2],
      [9, 2],
      [1, 3],
      [20, 4]
    ] as const) {
      await clock.pass(wait)
      assert.equal(runs, count)
    }
    assert.match(lines[0]!, new RegExp(`controller maps: ${ns}/a: Error: not now`))
    fails = false
    await clock.pass(40)
    assert.equal(runs, 5)
    fails = true
    await client.of(maps).patch({ metadata: { name: 'a', namespace: ns } }, { data: { x: '1' } })
    await clock.pass(0)
    assert.equal(runs, 6)
    await clock.pass(5)
    assert.equal(runs, 7)
    assert.equal(await lineOf(opened, 'controller_runtime_reconcile_errors_total{controller="maps"}'), '6')
    assert.equal(await lineOf(opened, 'workqueue_retries_total{controller="maps",name="maps"}'), '6')
  })

  test('for good waits for the next change', async t => {
    let runs = 0
    const opened = await open(t, {
      reconcile() {
        runs++
        throw terminalError(new Error('it makes no sense'))
      }
    })
    const { ns, clock } = opened
    await make(ns, 'a')
    await clock.pass(60 * 60 * 1000)
    assert.equal(runs, 1)
    await client.of(maps).patch({ metadata: { name: 'a', namespace: ns } }, { data: { x: '1' } })
    await clock.pass(0)
    assert.equal(runs, 2)
    assert.equal(await lineOf(opened, 'controller_runtime_terminal_reconcile_errors_total{controller="maps"}'), '2')
  })

  test('by what is no error is contained, too', async t => {
    let runs = 0
    const { ns, clock, lines } = await open(t, {
      reconcile() {
        runs++
        throw 'nonsense'
      }
    })
    await make(ns, 'a')
    await clock.pass(0)
    await clock.pass(5)
    assert.equal(runs, 2)
    assert.match(lines[0]!, /nonsense/)
  })

  test('beyond recovery ends the operator with the error', async t => {
    const { ns, running } = await open(t, {
      recoverable: error => !(error instanceof RangeError),
      reconcile({ data }) {
        if (data?.bad) throw new RangeError('lost')
      }
    })
    await client.of(maps).create({ metadata: { name: 'a', namespace: ns }, data: { bad: 'yes' } })
    await assert.rejects(running.stopped, /lost/)
  })

  test('waits with many others for the bucket of all', async t => {
    let runs = 0
    const { ns, clock } = await open(t, {
      workers: 200,
      reconcile() {
        runs++
        throw new Error('not now')
      }
    })
    await Promise.all(Array.from({ length: 120 }, (_, i) => make(ns, `m-${i}`)))
    await clock.pass(0)
    assert.equal(runs, 120)
    await clock.pass(5)
    // the bucket lets 100 retries pass at once, and 10 in a second
    assert.equal(runs, 220)
  })
})

describe('a result', () => {
  test('asks for another run, which a change supersedes', async t => {
    let runs = 0
    const opened = await open(t, {
      reconcile() {
        runs++
        return { requeueAfter: 60_000 }
      }
    })
    const { ns, clock } = opened
    await make(ns, 'a')
    await clock.pass(30_000)
    assert.equal(runs, 1)
    await client.of(maps).patch({ metadata: { name: 'a', namespace: ns } }, { data: { x: '1' } })
    await clock.pass(0)
    assert.equal(runs, 2)
    await clock.pass(59_999)
    assert.equal(runs, 2)
    await clock.pass(1)
    assert.equal(runs, 3)
    assert.equal(await lineOf(opened, 'controller_runtime_reconcile_total{controller="maps",result="requeue_after"}'), '3')
  })
})

describe('a finalizer', () => {
  test('is there before the first reconcile, and goes when finalize has cleaned up', async t => {
    const seen: string[] = []
    let isBusy = true
    const { ns, clock } = await open(t, {
      finalizer: 'example.com/clean',
      when: [({ object }) => object.metadata.name === 'a'],
      reconcile: ({ metadata }) => void seen.push(`reconcile ${metadata.finalizers}`),
      finalize({ metadata }) {
        seen.push(`finalize ${metadata.name}`)
        return isBusy ? { requeueAfter: 1000 } : undefined
      },
      deleted: ({ name }) => void seen.push(`deleted ${name}`)
    })
    await make(ns, 'a', { finalizers: ['example.com/other'] })
    await clock.pass(0)
    assert.equal(seen[0], 'reconcile example.com/other,example.com/clean')
    seen.length = 0
    await client.of(maps).delete('a', { namespace: ns })
    await clock.pass(0)
    assert.deepEqual(seen, ['finalize a'])
    isBusy = false
    await clock.pass(1000)
    const left = await client.of(maps).get('a', { namespace: ns })
    assert.deepEqual(left.metadata.finalizers, ['example.com/other'])
    seen.length = 0
    await client.of(maps).patch({ metadata: { name: 'a', namespace: ns } }, { metadata: { finalizers: [] } })
    await clock.pass(0)
    assert.deepEqual(seen, ['deleted a'])
  })

  test('stays while finalize fails', async t => {
    let fails = true
    const { ns, clock } = await open(t, {
      finalizer: 'example.com/clean',
      reconcile() {},
      finalize() {
        if (fails) throw new Error('cannot clean up')
      }
    })
    await make(ns, 'a')
    await clock.pass(0)
    await client.of(maps).delete('a', { namespace: ns })
    await clock.pass(100)
    assert.deepEqual((await client.of(maps).get('a', { namespace: ns })).metadata.finalizers, ['example.com/clean'])
    fails = false
    await clock.pass(1000)
    assert.equal(await client.of(maps).find('a', { namespace: ns }), undefined)
  })

  test('needs a name', () => {
    const reconciler = { for: maps, reconcile() {}, finalize() {} }
    assert.throws(() => runOperator({ name: 'x', reconcilers: [reconciler] }, { client }), /has finalize, but no finalizer/)
  })
})

describe('the order of the work', () => {
  test('puts what has changed before what was there at the begin', async t => {
    const ns = await namespace()
    for (const name of ['m-1', 'm-2', 'm-3', 'm-4']) await make(ns, name)
    const seen: string[] = []
    let release = () => {}
    const gate = new Promise<void>(resolve => (release = resolve))
    const { clock } = await open(
      t,
      {
        async reconcile({ metadata }) {
          await gate
          seen.push(metadata.name!)
        }
      },
      { ns }
    )
    await client.of(maps).patch({ metadata: { name: 'm-4', namespace: ns } }, { data: { x: '1' } })
    for (let i = 0; i < 50; i++) await new Promise(setImmediate)
    release()
    await clock.pass(0)
    const order = seen.filter(name => name.startsWith('m-'))
    // the first was at work already
    assert.ok(order.indexOf('m-4') <= 1, String(order))
    assert.equal(order.length, 4)
  })

  test('has as many workers as it is allowed, and one for each object', async t => {
    const active = new Set<string>()
    let most = 0
    const ends: (() => void)[] = []
    const { ns, clock } = await open(t, {
      workers: 2,
      when: [({ object }) => object.metadata.name!.startsWith('m-')],
      async reconcile({ metadata }) {
        assert.ok(!active.has(metadata.name!))
        active.add(metadata.name!)
        most = Math.max(most, active.size)
        await new Promise<void>(resolve => ends.push(resolve))
        active.delete(metadata.name!)
      }
    })
    for (const name of ['m-1', 'm-2', 'm-3']) await make(ns, name)
    await client.of(maps).patch({ metadata: { name: 'm-1', namespace: ns } }, { data: { x: '1' } })
    for (let i = 0; i < 100; i++) await new Promise(setImmediate)
    assert.equal(active.size, 2)
    while (ends.length > 0 || active.size > 0) {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
    await clock.pass(0)
    assert.equal(most, 2)
  })

  test('has everything again after the resync', async t => {
    const seen: string[] = []
    const { ns, clock } = await open(t, {
      resync: 60_000,
      when: [({ object }) => object.metadata.name === 'a'],
      reconcile: ({ metadata }) => void (metadata.name === 'a' && seen.push('a'))
    })
    await make(ns, 'a')
    await clock.pass(59_999)
    assert.deepEqual(seen, ['a'])
    await clock.pass(60_001)
    assert.deepEqual(seen, ['a', 'a', 'a'])
  })
})

describe('a reconcile that takes long', () => {
  test('is told so after its timeout', async t => {
    let reason: unknown
    const opened = await open(t, {
      timeout: 1000,
      when: [({ object }) => object.metadata.name === 'a'],
      reconcile: (_, { signal }) =>
        new Promise<void>(resolve =>
          signal.addEventListener('abort', () => {
            reason = signal.reason
            resolve()
          })
        )
    })
    const { ns, clock } = opened
    await make(ns, 'a')
    for (let i = 0; i < 50; i++) await new Promise(setImmediate)
    clock.advance(1000)
    await clock.pass(0)
    assert.match(String(reason), /longer than 1000 ms/)
    assert.equal(await lineOf(opened, 'controller_runtime_reconcile_timeouts_total{controller="maps"}'), '1')
  })

  test('loses its requests after its timeout, and is tried again', async t => {
    let runs = 0
    const opened = await open(t, {
      timeout: 1000,
      when: [({ object }) => object.metadata.name === 'a'],
      async reconcile(_, { client: own, signal }) {
        if (++runs > 1) return
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        await own.of(maps).create({ metadata: { name: 'late', namespace: ns } })
      }
    })
    const { ns, clock } = opened
    await make(ns, 'a')
    for (let i = 0; i < 50; i++) await new Promise(setImmediate)
    await clock.pass(2000)
    assert.equal(runs, 2)
    assert.equal(await client.of(maps).find('late', { namespace: ns }), undefined)
  })

  test('is waited for when the operator stops, as long as it may take', async t => {
    let began = () => {}
    const hasBegun = new Promise<void>(resolve => (began = resolve))
    let end = () => {}
    const { ns, clock, running } = await open(t, {
      async reconcile({ metadata }) {
        if (metadata.name !== 'a') return
        began()
        await new Promise<void>(resolve => (end = resolve))
      }
    })
    await make(ns, 'a')
    await hasBegun
    let isOver = false
    const stopping = running.stop().then(
      () => (isOver = true),
      error => error
    )
    for (let i = 0; i < 20; i++) await new Promise(setImmediate)
    assert.equal(isOver, false)
    clock.advance(30_000)
    assert.match(String(await stopping), /reconciles still ran after 30000 ms/)
    await assert.rejects(running.stopped, /still ran/)
    end()
  })
})

describe('the cache', () => {
  test('has what is declared, and nothing else', async t => {
    const ns = await namespace()
    await make(ns, 'in', { labels: { app: 'x', tier: 'db' } })
    await make(ns, 'out', { labels: { app: 'y' } })
    await client.of(secrets).create({ metadata: { name: 's', namespace: ns } })
    let cache: any
    const { clock } = await open(
      t,
      {
        cache: [
          { kind: maps, namespaces: [ns, 'default', ns], labelSelector: 'app=x', transform: withoutManagedFields },
          { kind: secrets, namespaces: [ns] }
        ],
        reconcile: (_, context) => void (cache = context.cache)
      },
      { ns }
    )
    await clock.pass(0)
    const kept = cache.of(maps)
    assert.deepEqual(
      kept.list().map(({ metadata }: KubeObject) => [metadata.name, metadata.managedFields]),
      [['in', undefined]]
    )
    assert.equal(kept.list({ namespace: 'default' }).length, 0)
    assert.equal(kept.list({ labelSelector: 'tier in (db)' }).length, 1)
    assert.equal(kept.list({ labelSelector: { tier: 'web' } }).length, 0)
    assert.equal(cache.of('v1', 'Secret').get({ metadata: { name: 's', namespace: ns } }).metadata.name, 's')
    assert.throws(() => cache.of('v1', 'Pod'), /v1 Pod is not in the cache: name it in for, owns, watches or cache/)
    assert.throws(() => kept.by('nothing', 'x'), /has no index "nothing"/)
    kept.learn({
      ...kept.get({ metadata: { name: 'in', namespace: ns } }),
      metadata: { name: 'new', namespace: ns, resourceVersion: '999999999' }
    })
    assert.equal(kept.get({ metadata: { name: 'new', namespace: ns } }).metadata.name, 'new')
  })

  test('has what the reconciler writes, where it is selected, before the event comes', async t => {
    const ns = await namespace()
    const seen: (string | undefined)[][] = []
    const { clock } = await open(
      t,
      {
        cache: [
          { kind: maps, namespaces: [ns] },
          { kind: secrets, namespaces: [ns], labelSelector: 'app=x' }
        ],
        async reconcile({ metadata: { name, namespace } }, { client, cache }) {
          if (name !== 'a') return
          const within = { namespace }
          await client.of(maps).patch(name!, { data: { colour: 'red' } }, within)
          await client.of(maps).patch(name!, { data: { colour: 'blue' } }, { ...within, dryRun: true })
          await client.of(secrets).create({ metadata: { name: 'hidden', namespace } })
          seen.push([
            cache.of(maps).get({ metadata: { name, namespace } })?.data?.colour,
            cache.of(secrets).get({ metadata: { name: 'hidden', namespace } })?.metadata.name
          ])
        }
      },
      { ns }
    )
    await make(ns, 'a')
    await clock.pass(0)
    assert.deepEqual(seen[0], ['red', undefined])
  })

  test('is declared once for each kind, but for its indexes', () => {
    const declared = (more: object) => ({ kind: maps, ...more })
    const run = (...cache: any[]) =>
      runOperator({ name: 'x', cache, reconcilers: [{ for: maps, reconcile() {} }] }, { client, leaderElection: false })
    assert.throws(() => run(declared({ namespaces: ['a'] }), declared({ namespaces: ['b'] })), /declared twice/)
    assert.throws(
      () => run(declared({ indexes: { a: () => [] } }), declared({ indexes: { a: () => [] } })),
      /the index "a" .* declared twice/
    )
    void run(declared({ indexes: { a: () => [] } }), declared({ indexes: { b: () => [] } })).stop()
  })

  test('follows the server over a restore', async t => {
    const own = createServer({ listen: false, log: silentLogger })
    t.after(() => own.stop())
    await own.start()
    const snapshot = await own.snapshot()
    const seen: string[] = []
    const running = runOperator(
      {
        name: 'restored',
        reconcilers: [
          {
            for: maps,
            when: [({ object }) => object.metadata.namespace === 'default'],
            reconcile: ({ metadata }) => void seen.push(metadata.name!),
            deleted: ({ name }) => void seen.push(`-${name}`)
          }
        ]
      },
      { client: own.client(), log: silentLogger, leaderElection: false }
    )
    t.after(() => running.stop())
    await running.elected
    const has = async (text: string) => {
      while (!seen.includes(text)) await new Promise(resolve => setTimeout(resolve, 5))
    }
    await own
      .client()
      .of(maps)
      .create({ metadata: { name: 'later' } })
    await has('later')
    await own.restore(snapshot)
    await has('-later')
    await own
      .client()
      .of(maps)
      .create({ metadata: { name: 'new' } })
    await has('new')
  })
})

describe('Events', () => {
  test('are counted and combined', async t => {
    const { ns, clock } = await open(t, {
      when: [({ object }) => object.metadata.name === 'a'],
      reconcile(object, { event }) {
        for (let i = 0; i < 3; i++) event(object, 'Warning', 'NoRoom', 'all rooms are taken')
        event(object, 'Normal', 'Seen', 'it is there')
      }
    })
    await make(ns, 'a')
    await clock.pass(0)
    await until(client, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: ns } }, () => true)
    const shown = async () =>
      (await client.of('v1', 'Event').list({ namespace: ns })).items
        .map(({ reason, count, source, type }) => [reason, count, source!.component, type])
        .sort()
    while ((await shown()).length < 2) await new Promise(setImmediate)
    assert.deepEqual(await shown(), [
      ['NoRoom', 3, ns, 'Warning'],
      ['Seen', 1, ns, 'Normal']
    ])
  })
})

describe('createOrUpdate', () => {
  const named = (ns: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: ns } }) as const

  test('creates, updates, and leaves what is as it should be', async () => {
    const ns = await namespace()
    const set = (value: string) =>
      createOrUpdate(client, named(ns), map => {
        map.data = { ...map.data, own: value }
      })
    assert.equal((await set('1')).result, 'created')
    await client.of(maps).patch(named(ns), { data: { other: '2' } })
    assert.equal((await set('1')).result, 'unchanged')
    const { result, object } = await set('2')
    assert.deepEqual([result, object.data], ['updated', { own: '2', other: '2' }])
    await assert.rejects(
      createOrUpdate(client, named(ns), map => void (map.metadata.name = 'y')),
      /must not change the name/
    )
  })

  test('rejects with a conflict when somebody was faster, which retryOnConflict meets', async () => {
    const ns = await namespace()
    await client.of(maps).create(named(ns))
    let interferes = 3
    let attempts = 0
    const work = () =>
      createOrUpdate(client, named(ns), async map => {
        attempts++
        if (interferes-- > 0) await client.of(maps).patch(named(ns), { data: { [`n${attempts}`]: `${interferes}` } })
        map.data = { ...map.data, own: `${attempts}` }
      })
    await assert.rejects(work(), { code: 409 })
    const { object } = await retryOnConflict(work)
    assert.equal(attempts, 4)
    assert.deepEqual(object.data, { n1: '2', n2: '1', n3: '0', own: '4' })
    interferes = 100
    attempts = 0
    await assert.rejects(retryOnConflict(work, { attempts: 3, delay: 1 }), { code: 409 })
    assert.equal(attempts, 3)
    await assert.rejects(
      retryOnConflict(() => client.of(maps).create(named(ns))),
      { code: 409 }
    )
  })

  test('as a patch sends only what has changed, and the status apart', async () => {
    const ns = await namespace()
    await client.of('v1', 'ServiceAccount').create({ metadata: { name: 'default', namespace: ns } })
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: ns } } as const
    const made = await createOrPatch(client, pod, each => {
      each.metadata.labels = { app: 'x' }
      each.spec = { containers: [{ name: 'c', image: 'i' }] } as never
      each.status = { message: 'new' } as never
    })
    assert.deepEqual([made.result, made.object.status.message], ['created', 'new'])
    const { result, object } = await createOrPatch(client, pod, async each => {
      // somebody else changes another field meanwhile
      await client.of('v1', 'Pod').patch(pod, { metadata: { labels: { other: 'y' } } })
      delete each.metadata.labels
      each.metadata.annotations = { note: '1' }
      each.status.message = 'seen'
    })
    assert.equal(result, 'updated')
    assert.deepEqual([object.metadata.annotations, object.status.message], [{ note: '1' }, 'seen'])
    assert.equal((await createOrPatch(client, pod, () => {})).result, 'unchanged')
  })
})

test('generationChanged leaves out writes of the status', async t => {
  const seen: number[] = []
  const ns = await namespace()
  const deployments = kindRef('apps/v1', 'Deployment')
  const clock = new FakeClock()
  const reconciler: Reconciler = {
    for: deployments,
    when: [generationChanged],
    cache: [{ kind: deployments, namespaces: [ns] }],
    async reconcile(object, { client }) {
      seen.push(object.metadata.generation)
      await client
        .of(deployments)
        .subresource('status')
        .patch(object, { status: { observedGeneration: object.metadata.generation } })
    }
  }
  const running = runOperator(
    { name: ns, reconcilers: [reconciler] },
    { client, clock, log: silentLogger, leaderElection: false, namespace: ns }
  )
  t.after(() => running.stop())
  await running.elected
  const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const spec = { selector: { matchLabels: { app: 'x' } }, template }
  await client.of(deployments).create({ metadata: { name: 'd', namespace: ns }, spec } as never)
  await clock.pass(0)
  await client.of(deployments).patch({ metadata: { name: 'd', namespace: ns } }, { spec: { replicas: 3 } })
  await clock.pass(0)
  assert.deepEqual(seen, [1, 2])
})
