import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ObjectForm } from '../registry/form/encode.js'
import { CompactedError, type Store } from './contract.js'
import { type CacheEvent, HistoryGoneError } from './event-window.js'
import { MeasuredStore } from './measured-store.js'
import { openMemoryStore } from './memory/store.js'
import { WatchCache } from './watch-cache.js'

const form = new ObjectForm('ConfigMap', 'v1')
const prefix = '/registry/configmaps/'
const uid = '11111111-2222-3333-4444-555555555555'

const codec = {
  splice: (value: Buffer, revision: number) => form.splice(value, revision),
  parse: (bytes: Buffer) => JSON.parse(bytes.toString()),
  read(value: Buffer, revision: number) {
    const bytes = form.splice(value, revision)
    return { bytes, object: JSON.parse(bytes.toString()) }
  },
  fields: () => undefined,
  fieldsIn: () => undefined
}

const value = (name: string, data: string, labels?: Record<string, string>) =>
  form.encode({ metadata: { name, namespace: 'ns', uid, labels }, data: { data } })

async function open(
  now = () => 0,
  wrap = (store: Store) => store
): Promise<{
  store: Store
  cache: WatchCache
  put(name: string, data: string, labels?: Record<string, string>): Promise<number>
  drop(name: string): Promise<number>
}> {
  const store = wrap(openMemoryStore())
  const cache = new WatchCache(store, prefix, codec, now)
  await cache.load()
  const commit = async (name: string, bytes: Buffer | undefined) => {
    const result = await store.commit([{ key: `${prefix}ns/${name}`, value: bytes }])
    assert.ok(result.ok)
    return result.revision
  }
  return {
    store,
    cache,
    put: (name, data, labels) => commit(name, value(name, data, labels)),
    drop: name => commit(name, undefined)
  }
}

const names = (cache: WatchCache, revision?: number) => [...cache.range('ns/', 'ns/', revision)].map(o => o.name).join(' ')
const shown = (e: CacheEvent) => `${e.previous?.revision ?? '-'}>${e.current?.revision ?? 'x'}`

describe('the watch cache', () => {
  test('counts how long it takes to be filled, and how often that fails', async () => {
    const store = openMemoryStore()
    let time = 0
    let fails = true
    class SlowStore extends MeasuredStore {
      override async list(...args: Parameters<Store['list']>) {
        time += 2000
        if (fails) throw new Error('no')
        return super.list(...args)
      }
    }
    const slow = new SlowStore(store, () => {})
    const cache = new WatchCache(slow, prefix, codec, () => time)
    await assert.rejects(cache.load())
    assert.deepEqual([cache.counts.failedInitializations, cache.counts.initialization.count], [1, 0])
    fails = false
    await cache.load()
    const { failedInitializations, initialization, storedSeconds } = cache.counts
    assert.deepEqual([failedInitializations, initialization.sum, storedSeconds.sum], [1, 2, 2])
  })

  test("orders objects by the bytes of their keys, as etcd does, also where JavaScript's order is another", async () => {
    const { cache, put, drop } = await open()
    const given = ['\u{1f600}b', 'z', '\uffee', '\u{1f600}a', 'a']
    const inOrder = ['a', 'z', '\uffee', '\u{1f600}a', '\u{1f600}b']
    for (const name of given) await put(name, '1', { app: 'x' })
    const before = cache.revision
    assert.equal(names(cache), inOrder.join(' '))
    const found = (start: string) => [...cache.range('ns/', `ns/${start}`)].map(o => o.name)
    assert.deepEqual(found('\uffee'), inOrder.slice(2))
    assert.deepEqual(found('\u{1f600}'), inOrder.slice(3))
    assert.deepEqual(
      cache.by('labels', 'app', 'x', 'ns/').map(o => o.name),
      inOrder
    )
    const stored = await cache.listStored('ns/', 'ns/z', 'ns/\uffee', before)
    assert.deepEqual([...stored.keys()], ['ns/z', 'ns/\uffee'])
    await drop('\uffee')
    assert.equal(cache.get('ns/\uffee'), undefined)
    assert.equal(cache.get('ns/\u{1f600}a')?.name, '\u{1f600}a')
    assert.equal(names(cache), 'a z \u{1f600}a \u{1f600}b')
    assert.equal(names(cache, before), inOrder.join(' '))
  })

  test('shows a write as soon as it is acknowledged, with its revision in the bytes', async () => {
    const { cache, put } = await open()
    const revision = await put('a', '1')
    const object = JSON.parse(cache.get('ns/a')!.bytes.toString())
    assert.equal(object.metadata.resourceVersion, String(revision))
    assert.deepEqual(Object.keys(object), ['kind', 'apiVersion', 'metadata', 'data'])
  })

  test('reads the objects that the store already holds', async () => {
    const { store, put } = await open()
    await put('b', '1')
    await put('a', '1')
    const second = new WatchCache(store, prefix, codec, () => 0)
    await second.load()
    assert.equal(names(second), 'a b')
  })

  test('is ready only when it shows everything seen so far, including writes made while it was reading', async () => {
    const { store, put } = await open()
    await put('a', '1')
    const list = store.list.bind(store)
    store.list = async (...args) => {
      const listed = await list(...args)
      await put('b', '1')
      return listed
    }
    const second = new WatchCache(store, prefix, codec, () => 0)
    const loading = second.load()
    for (const turn of [1, 2, 3]) {
      if (second.ready) assert.equal(names(second), 'a b', `turn ${turn}`)
      await new Promise(setImmediate)
    }
    await loading
    assert.equal(names(second), 'a b')
    assert.equal(second.revision, store.seenRevision)
  })

  test('shows nothing newer than its revision, when the store is ahead of what this process has seen', async () => {
    const { store, put } = await open()
    const seen = await put('a', '1')
    await put('b', '1')
    const trailing: Store = Object.create(store, { seenRevision: { value: seen } })
    const second = new WatchCache(trailing, prefix, codec, () => 0)
    trailing.watch = async (_prefix, from, watcher) => {
      assert.equal(from, seen + 1)
      watcher.onCaughtUp?.()
      return { close() {} }
    }
    for (const method of ['list', 'get', 'commit', 'close'] as const) trailing[method] = store[method].bind(store) as never
    await second.load()
    assert.deepEqual([names(second), second.revision], ['a', seen])
  })

  test('does not become ready when a watch opens after close', async () => {
    const { store } = await open()
    const second = new WatchCache(store, prefix, codec, () => 0)
    const loading = second.load()
    second.close()
    await loading.catch(() => {})
    await new Promise(setImmediate)
    assert.equal(second.ready, false)
  })

  test('lists at an earlier revision, also after deletions', async () => {
    const { cache, put, drop } = await open()
    await put('a', '1')
    const before = await put('c', '1')
    await drop('a')
    await put('b', '1')
    await put('c', '2')
    assert.equal(names(cache), 'b c')
    assert.equal(names(cache, before), 'a c')
    assert.equal([...cache.range('ns/', 'ns/c', before)][0]!.revision, before)
  })

  test('a deletion carries the last state with the revision of the deletion', async () => {
    const { cache, put, drop } = await open()
    await put('a', 'last')
    const revision = await drop('a')
    const [, event] = cache.history.eventsAfter(1)
    const object = JSON.parse(event!.deleted!.bytes.toString())
    assert.equal(object.data.data, 'last')
    assert.equal(object.metadata.resourceVersion, String(revision))
  })

  test('wakes only the watchers of the namespace and of the object', async () => {
    const { cache, put } = await open()
    const woken: string[] = []
    const watcher = (name: string) => ({ onEvents: () => void woken.push(name), onError() {} })
    cache.watch({}, watcher('all'))
    cache.watch({ namespace: 'ns' }, watcher('ns'))
    cache.watch({ namespace: 'other' }, watcher('other'))
    cache.watch({ key: 'ns/a' }, watcher('a'))
    const b = cache.watch({ key: 'ns/b' }, watcher('b'))
    await put('a', '1')
    assert.deepEqual(woken.splice(0), ['all', 'ns', 'a'])
    b.close()
    await put('b', '1')
    assert.deepEqual(woken, ['all', 'ns'])
  })

  test('wakes the watchers of a label value when objects gain it and when they lose it', async () => {
    const { cache, put, drop } = await open()
    const seen: string[] = []
    const fixed = { of: 'labels', key: 'app', value: 'web' } as const
    const watch = (who: string, namespace: string | undefined) =>
      cache.watch({ namespace, fixed }, { onEvents: events => seen.push(...events.map(e => who + shown(e))), onError() {} })
    const all = watch('all ', undefined)
    watch('other ', 'other')
    await put('a', '1', { app: 'db' })
    await put('a', '2', { app: 'web' })
    await put('a', '3', { app: 'web' })
    await put('a', '4')
    await put('b', '5', { app: 'web' })
    await drop('b')
    assert.deepEqual(seen, ['all 2>3', 'all 3>4', 'all 4>5', 'all ->6', 'all 6>x'])
    all.close()
    await put('c', '8', { app: 'web' })
    assert.equal(seen.length, 5)
  })

  test('finds objects by label in key order, as they change', async () => {
    const { cache, put, drop } = await open()
    for (const name of ['c', 'a', 'b']) await put(name, '1', { app: name === 'b' ? 'y' : 'x' })
    const found = (v: string) =>
      cache
        .by('labels', 'app', v, 'ns/')
        .map(o => o.name)
        .join(' ')
    assert.equal(found('x'), 'a c')
    await put('b', '2', { app: 'x' })
    await put('c', '2', { app: 'y' })
    await put('d', '1', { other: 'x' })
    assert.equal(found('x'), 'a b')
    assert.equal(found('y'), 'c')
    await drop('a')
    assert.equal(found('x'), 'b')
    assert.equal(found('z'), '')
  })

  test('counts the objects of the later pages, while writes continue', async () => {
    const { cache, put, drop } = await open()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await put(name, '1')
    const revision = await cache.revision
    cache.history.keepForNextPage(revision)
    assert.equal(cache.history.remaining(revision, 'ns/', 'ns/c', 2, undefined), 3)
    await drop('d')
    await put('f', '1')
    assert.deepEqual(
      [...cache.range('ns/', 'ns/c', revision)].map(o => o.name),
      ['c', 'd', 'e']
    )
    assert.equal(cache.history.remaining(revision, 'ns/', 'ns/e', 2, 'ns/c'), 1)
    assert.equal(cache.history.remaining(revision, 'ns/', 'ns/d', 1, 'ns/unknown'), 2)
  })

  test('forgets old events, and refuses requests for them', async () => {
    let now = 0
    const { cache, put } = await open(() => now)
    const first = await put('a', '0')
    for (let i = 0; i < 300; i++) await put('a', String(i))
    now = 10 * 60_000
    for (let i = 0; i < 300; i++) await put('a', String(i))
    assert.throws(() => cache.history.eventsAfter(first), HistoryGoneError)
    assert.ok(cache.history.eventsAfter((await cache.revision) - 5).length === 5)
  })

  test('replays forgotten events from the history of the store, and continues with live events', async () => {
    let now = 0
    const { cache, put, drop } = await open(() => now)
    const first = await put('a', 'first')
    for (let i = 0; i < 300; i++) await put(`n${i % 7}`, String(i))
    await drop('n3')
    now = 10 * 60_000
    for (let i = 0; i < 300; i++) await put('a', String(i))
    const seen: CacheEvent[] = []
    const onEvents = (events: readonly CacheEvent[]) => void seen.push(...events)
    await new Promise<void>((resolve, reject) => {
      void cache.history.replay(first, 'ns/', {
        onEvents,
        onError: reject,
        onPresent() {
          cache.watch({}, { onEvents, onError: reject })
          resolve()
        }
      })
    })
    await put('z', 'live')
    // the revision's own event comes first
    const state = new Map<string, number>()
    assert.equal(seen[0]!.revision, first)
    for (const { current, previous, revision } of seen) {
      const { key } = (current ?? previous)!
      assert.equal(previous?.revision, state.get(key))
      if (current) state.set(key, revision)
      else state.delete(key)
    }
    assert.deepEqual(new Map([...state].sort()), new Map([...cache.range('ns/')].map(o => [o.key, o.revision])))
    assert.equal(seen.length, 603)
  })

  test('reads everything again when the store ends its watch, and tells its remaining watchers the differences', async () => {
    let cut: () => () => void = assert.fail
    const { cache, put, drop } = await open(undefined, store => ({
      root: store.root,
      shared: true,
      get seenRevision() {
        return store.seenRevision
      },
      currentRevision: () => store.currentRevision(),
      get: (key, options) => store.get(key, options),
      list: (key, options) => store.list(key, options),
      commit: writes => store.commit(writes),
      compact: revision => store.compact(revision),
      health: () => store.health(),
      close: () => store.close(),
      async watch(key, from, watcher) {
        const handle = await store.watch(key, from, watcher)
        cut = () => {
          handle.close()
          return () => watcher.onError(new Error('lost'))
        }
        return handle
      }
    }))
    for (const name of ['changed', 'deleted', 'same']) await put(name, '1')
    const seen: string[] = []
    const ended = new Promise<Error>(resolve => {
      cache.watch(
        {},
        {
          onEvents: events => seen.push(...events.map(e => `${(e.current ?? e.previous)!.name} ${shown(e)}`)),
          onError: resolve
        }
      )
    })
    const notice = cut()
    const created = await put('created', '1')
    const changed = await put('changed', '2')
    await drop('deleted')
    assert.equal(names(cache), 'changed deleted same')
    notice()
    assert.equal((await ended).message, 'lost')
    await cache.load()
    assert.equal(names(cache), 'changed created same')
    assert.deepEqual(seen, [`created ->${created}`, `changed 2>${changed}`, 'deleted 3>x'])
    const live = await put('same', '2')
    assert.equal(seen.at(-1), `same 4>${live}`)
  })

  test('reads a forgotten state from the store', async () => {
    let now = 0
    const { cache, put, drop } = await open(() => now)
    await put('a', '0')
    const before = await put('b', '0')
    await drop('b')
    for (let i = 0; i < 300; i++) await put('a', String(i))
    now = 10 * 60_000
    for (let i = 0; i < 300; i++) await put('a', String(i))
    assert.throws(() => names(cache, before), CompactedError)
    await cache.history.recall(before)
    assert.equal(names(cache, before), 'a b')
    assert.equal(cache.history.recall(cache.revision), undefined)
  })

  test('a client that lists and then watches from any revision sees every change once and in order', async () => {
    const { cache, put, drop } = await open()
    let seed = 42
    const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n
    const watchers: { seen: Map<string, number>; last: number }[] = []
    for (let step = 0; step < 600; step++) {
      const name = `n${random(12)}`
      if (random(4) === 0 && cache.get(`ns/${name}`)) await drop(name)
      else await put(name, String(step))
      if (step % 20 !== 0) continue
      // list at an earlier revision, then follow from there
      const current = await cache.revision
      const from = Math.max(2, current - random(15))
      const state = { seen: new Map([...cache.range('ns/', 'ns/', from)].map(o => [o.key, o.revision])), last: from }
      const follow = (events: readonly CacheEvent[]) => {
        for (const event of events) {
          assert.ok(event.revision > state.last, `${event.revision} after ${state.last}`)
          state.last = event.revision
          const { key } = (event.current ?? event.previous)!
          assert.equal(state.seen.get(key), event.previous?.revision, shown(event))
          if (event.current) state.seen.set(key, event.current.revision)
          else state.seen.delete(key)
        }
      }
      follow(cache.history.eventsAfter(from))
      cache.watch({}, { onEvents: follow, onError: assert.fail })
      watchers.push(state)
    }
    const now = new Map([...cache.range('ns/')].map(o => [o.key, o.revision]))
    for (const { seen } of watchers) assert.deepEqual(new Map([...seen].sort()), now)
  })
})

describe('values that cannot be read', () => {
  const openUnreadable = async () => {
    const inner = openMemoryStore()
    let why: string | undefined = 'no key'
    let gate: Promise<void> | undefined
    const store = new Proxy(inner, {
      get(target, name) {
        const member = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        if (name !== 'list') return member.bind(target)
        return async (...given: Parameters<Store['list']>) => {
          const result = await target.list(...given)
          const items = result.items.map(item => (why === undefined ? item : { ...item, unreadable: why }))
          await gate
          return { ...result, items }
        }
      }
    })
    await inner.commit([{ key: `${prefix}ns/a`, value: value('a', '1') }])
    const cache = new WatchCache(store, prefix, codec, () => 0)
    return { cache, setWhy: (to: string | undefined) => (why = to), setGate: (to: Promise<void>) => (gate = to) }
  }
  const settled = async (cache: WatchCache) => {
    for (let i = 0; i < 5; i++) await new Promise(setImmediate)
    await cache.load()
  }

  test('are not shown, and are read again on demand', async () => {
    const { cache, setWhy } = await openUnreadable()
    await cache.load()
    assert.equal(names(cache), '')
    assert.equal(cache.whyUnreadable('ns/a')?.message, 'no key')
    let ended = 0
    cache.watch({}, { onEvents() {}, onError: () => void ended++ })
    cache.retryUnreadable()
    await settled(cache)
    assert.equal(names(cache), '')
    setWhy(undefined)
    cache.retryUnreadable()
    await settled(cache)
    assert.equal(names(cache), 'a')
    assert.equal(cache.whyUnreadable('ns/a'), undefined)
    assert.equal(ended, 2)
    cache.retryUnreadable()
    await settled(cache)
    assert.equal(ended, 2, 'a cache that shows all values goes on')
  })

  test('are read again after a load that began before they were readable', async () => {
    const { cache, setWhy, setGate } = await openUnreadable()
    let open = () => {}
    setGate(new Promise(resolve => (open = resolve)))
    const loading = cache.load()
    await new Promise(setImmediate)
    setWhy(undefined)
    cache.retryUnreadable()
    open()
    await loading
    await settled(cache)
    assert.equal(names(cache), 'a')
  })
})
