/** What client-go's tests of reflectors and shared informers (tools/cache) ask of an informer, with a source that does what each test says. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import type { KubeObject } from '../apimachinery/api/kube-object.js'
import { StatusError } from '../apimachinery/status/status.js'
import { SeededRandomness } from '../util/seeded-randomness.js'
import { ListWatchInformer, type RetryTimes } from './informer.js'
import type { WatchEvent } from './types.js'

const retry: RetryTimes = { firstMs: 1, lastMs: 1, jitter: 0 }
const refused = (code: number, reason: string) =>
  new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason,
    code,
    message: `${reason} of the test`
  })

const pod = (name: string, resourceVersion: number, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(resourceVersion) },
  ...more
})

/** A server's collection: each list and each watch takes the next of what the test has said. */
class Source {
  readonly lists: (() => KubeObject[])[] = []
  readonly watches: ((from: string) => AsyncIterable<WatchEvent<KubeObject>> | Iterable<WatchEvent<KubeObject>>)[] = []
  /** `list`, `watch 5`. */
  readonly asked: string[] = []
  version = 0

  informer(t: TestContext, transform?: (object: KubeObject) => KubeObject): ListWatchInformer<KubeObject> {
    const informer = new ListWatchInformer<KubeObject>(
      {
        list: async () => {
          this.asked.push('list')
          const items = this.lists.shift()?.() ?? []
          return { items, metadata: { resourceVersion: String(this.version) } }
        },
        watch: (from, signal, seen) => this.#watch(from, signal, seen),
        isOpen: () => true,
        retry,
        transform
      },
      'ns'
    )
    t.after(() => informer.stop())
    return informer
  }

  async *#watch(from: string, signal: AbortSignal, seen: (version: string) => void): AsyncGenerator<WatchEvent<KubeObject>> {
    this.asked.push(`watch ${from}`)
    const next = this.watches.shift()
    if (next)
      for await (const event of next(from)) {
        seen(event.object.metadata.resourceVersion!)
        yield event
      }
    // nothing more happens
    else if (!signal.aborted) await once(signal, 'abort')
  }
}

/** Notes what listeners are told, as `add a`. */
function noted(informer: ListWatchInformer<KubeObject>): string[] {
  const notes: string[] = []
  for (const event of ['add', 'update', 'delete'] as const)
    informer.on(event, ({ metadata }: KubeObject) => notes.push(`${event} ${metadata.name}`))
  return notes
}

/** Resolves when the source has been asked so often. */
async function askedTimes(source: Source, times: number): Promise<void> {
  while (source.asked.length < times) await new Promise(setImmediate)
  await new Promise(setImmediate)
}

const names = (informer: ListWatchInformer<KubeObject>) =>
  informer
    .list()
    .map(({ metadata }) => metadata.name)
    .sort()

describe('an informer', () => {
  test('goes on at its last version when the server ends a watch, without another list', async t => {
    const source = new Source()
    source.version = 3
    source.lists.push(() => [pod('a', 3)])
    source.watches.push(
      () => [],
      () => [{ type: 'ADDED', object: pod('b', 5) }],
      () => []
    )
    const informer = source.informer(t)
    await askedTimes(source, 5)
    assert.deepEqual(source.asked, ['list', 'watch 3', 'watch 3', 'watch 5', 'watch 5'])
    assert.deepEqual(names(informer), ['a', 'b'])
  })

  for (const { error, again } of [
    { error: refused(410, 'Expired'), again: ['list', 'watch 7'] },
    // an object that could not be read has been deleted without regard to that
    { error: refused(500, 'StoreReadError'), again: ['list', 'watch 7'] },
    { error: refused(500, 'InternalError'), again: ['list', 'watch 7'] },
    { error: refused(403, 'Forbidden'), again: ['list', 'watch 7'] },
    { error: refused(429, 'TooManyRequests'), again: ['watch 4'] },
    { error: refused(503, 'ServiceUnavailable'), again: ['watch 4'] },
    { error: new Error('connect ECONNREFUSED'), again: ['watch 4'] }
  ])
    test(`after ${error.message} of a watch: ${again.join(', ')}`, async t => {
      const source = new Source()
      source.version = 4
      source.lists.push(
        () => [pod('gone', 4)],
        () => {
          source.version = 7
          return [pod('new', 6)]
        }
      )
      const fails = () => {
        throw error
      }
      source.watches.push(fails)
      const informer = source.informer(t)
      const notes = noted(informer)
      await askedTimes(source, 2 + again.length)
      assert.deepEqual(source.asked, ['list', 'watch 4', ...again])
      assert.deepEqual(notes, again[0] === 'list' ? ['add gone', 'delete gone', 'add new'] : ['add gone'])
    })

  test('tells of errors of lists, and lists again', async t => {
    const source = new Source()
    source.lists.push(
      () => {
        throw refused(500, 'InternalError')
      },
      () => [pod('a', 1)]
    )
    const informer = source.informer(t)
    const errors: unknown[] = []
    informer.on('error', error => errors.push(error))
    await informer.synced
    assert.match(String(errors[0]), /InternalError of the test/)
    assert.equal(errors.length, 1)
    assert.deepEqual(names(informer), ['a'])
  })

  test('tells of what has happened while it did not watch: deletions, changes, and objects made anew', async t => {
    const source = new Source()
    source.lists.push(
      () => [pod('kept', 1), pod('changed', 2), pod('deleted', 3), pod('replaced', 4)],
      () => {
        const replaced = pod('replaced', 9)
        replaced.metadata.uid = 'another'
        return [pod('kept', 1), pod('changed', 8), replaced, pod('made', 10)]
      }
    )
    source.watches.push(() => {
      throw refused(410, 'Expired')
    })
    const informer = source.informer(t)
    await informer.synced
    const notes = noted(informer)
    await askedTimes(source, 4)
    assert.deepEqual(notes.sort(), ['add made', 'add replaced', 'delete deleted', 'delete replaced', 'update changed'])
  })

  test('gives listeners and readers what its transform makes, of lists, events and repeated lists', async t => {
    const source = new Source()
    const full = (name: string, version: number) => pod(name, version, { spec: { big: 'x' } })
    source.lists.push(
      () => [full('a', 1)],
      () => [full('a', 1), full('c', 3)]
    )
    source.watches.push(
      () => [{ type: 'ADDED', object: full('b', 2) }],
      () => {
        throw refused(410, 'Expired')
      }
    )
    const informer = source.informer(t, ({ metadata }) => ({ metadata }))
    const seen: KubeObject[] = []
    informer.on('add', object => seen.push(object))
    informer.on('update', object => seen.push(object))
    await askedTimes(source, 5)
    assert.deepEqual(
      seen.map(({ metadata }) => metadata.name),
      ['a', 'b', 'c', 'b'].slice(0, 3)
    )
    for (const object of [...seen, ...informer.list()]) assert.deepEqual(Object.keys(object), ['metadata'])
  })

  test('tells a listener nothing after it was removed, twice or from within, nor after a stop', async t => {
    const source = new Source()
    source.lists.push(() => [pod('a', 1), pod('b', 2)])
    const go = Promise.resolve().then(() => new Promise(setImmediate))
    source.watches.push(async function* () {
      await go
      yield { type: 'ADDED', object: pod('c', 3) }
      yield { type: 'ADDED', object: pod('d', 4) }
      informer.stop()
      yield { type: 'ADDED', object: pod('e', 5) }
    })
    const informer = source.informer(t)
    const [first, second, third]: string[][] = [[], [], []]
    const name = ({ metadata }: KubeObject) => metadata.name!
    const remove = informer.on('add', object => first!.push(name(object)))
    const removeWithin = informer.on('add', object => {
      second!.push(name(object))
      removeWithin()
    })
    informer.on('add', object => third!.push(name(object)))
    await informer.synced
    remove()
    remove()
    await askedTimes(source, 2)
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    assert.deepEqual([first, second, third], [['a', 'b'], ['a'], ['a', 'b', 'c', 'd']])
    informer.on('add', () => assert.fail('a stopped informer tells nothing'))
    await new Promise(setImmediate)
  })

  test('a listener that is there twice is told twice; one that comes late is told of what comes later', async t => {
    const source = new Source()
    source.lists.push(() => [pod('a', 1)])
    source.watches.push(async function* () {
      await new Promise(setImmediate)
      yield { type: 'MODIFIED', object: pod('a', 2) }
    })
    const informer = source.informer(t)
    const [early, late]: string[][] = [[], []]
    informer.on('add', () => early!.push('one'))
    informer.on('add', () => early!.push('two'))
    await informer.synced
    informer.on('add', () => late!.push('add'))
    informer.on('update', () => late!.push('update'))
    await askedTimes(source, 3)
    assert.deepEqual([early, late], [['one', 'two'], ['update']])
  })

  test('does not learn of what it has seen deleted, nor of what is older', async t => {
    const source = new Source()
    source.version = 3
    source.lists.push(() => [pod('a', 3)])
    source.watches.push(() => [
      { type: 'MODIFIED', object: pod('a', 5) },
      { type: 'DELETED', object: pod('a', 6) }
    ])
    const informer = source.informer(t)
    await askedTimes(source, 3)
    informer.learn(pod('a', 5))
    assert.deepEqual(names(informer), [])
    informer.learn(pod('b', 7))
    informer.learn(pod('b', 6))
    assert.equal(informer.get('b')?.metadata.resourceVersion, '7')
  })

  test('rejects whoever waits for an informer that is stopped before it has the objects', async t => {
    const source = new Source()
    source.lists.push(() => {
      throw new Error('never')
    })
    const informer = source.informer(t)
    informer.stop()
    await assert.rejects(informer.synced, /stopped before it had the objects/)
  })

  for (const seed of [1, 2, 3])
    test(`has in the end what the server has, and tells of each change in its order (seed ${seed})`, async t => {
      const randomness = new SeededRandomness(`informer-${seed}`)
      const below = (limit: number) => Math.floor(randomness.fraction() * limit)
      const source = new Source()
      const stored = new Map<string, KubeObject>()
      let history: WatchEvent<KubeObject>[] = []
      const steps = 400
      const change = () => {
        const name = `p${below(12)}`
        const old = stored.get(name)
        source.version++
        const type = !old ? 'ADDED' : below(2) ? 'MODIFIED' : 'DELETED'
        const object = pod(name, source.version)
        object.metadata.uid = type === 'ADDED' ? `uid-${source.version}` : old!.metadata.uid!
        if (type === 'DELETED') stored.delete(name)
        else stored.set(name, object)
        history.push({ type, object })
      }
      const watch = async function* (from: string): AsyncGenerator<WatchEvent<KubeObject>> {
        let known = Number(from)
        for (;;) {
          const oldest = Number(history[0]?.object.metadata.resourceVersion ?? source.version + 1)
          if (known + 1 < oldest) throw refused(410, 'Expired')
          const next = history.find(({ object }) => Number(object.metadata.resourceVersion) > known)
          if (!next) {
            if (source.version >= steps) return
            await new Promise(setImmediate)
            continue
          }
          known = Number(next.object.metadata.resourceVersion)
          yield next
          const luck = below(40)
          if (luck === 0) return
          if (luck === 1) throw new Error('the connection broke')
          if (luck === 2) throw refused(500, 'InternalError')
        }
      }
      const lists = () => [...stored.values()]
      for (let i = 0; i < steps; i++) {
        source.lists.push(lists)
        source.watches.push(watch)
      }
      const informer = source.informer(t)
      const told = new Map<string, string>()
      informer.on('add', ({ metadata }) => {
        assert.ok(!told.has(metadata.name!), `${metadata.name} was added twice`)
        told.set(metadata.name!, metadata.resourceVersion!)
      })
      informer.on('update', ({ metadata }, old) => {
        assert.equal(told.get(metadata.name!), old.metadata.resourceVersion)
        told.set(metadata.name!, metadata.resourceVersion!)
      })
      informer.on('delete', ({ metadata }) => assert.ok(told.delete(metadata.name!), `${metadata.name} was deleted twice`))
      while (source.version < steps) {
        change()
        // compacted
        if (below(60) === 0) history = history.slice(-1)
        if (below(3) === 0) await new Promise(setImmediate)
      }
      const inOrder = (map: Iterable<[string, string]>) => [...map].sort()
      const expected = inOrder([...stored].map(([name, { metadata }]) => [name, metadata.resourceVersion!]))
      for (let turn = 0; turn < 10_000 && JSON.stringify(inOrder(told)) !== JSON.stringify(expected); turn++)
        await new Promise(setImmediate)
      assert.deepEqual(inOrder(told), expected)
      assert.deepEqual(inOrder(informer.list().map(({ metadata }) => [metadata.name!, metadata.resourceVersion!])), expected)
    })
})
