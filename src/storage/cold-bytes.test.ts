import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { ObjectForm } from '../registry/form/encode.js'
import { CachedObject } from './cached-object.js'
import { type ColdBytes, ResidentBytes } from './cold-bytes.js'
import type { Store, StoredValues } from './contract.js'
import { openLmdbStore } from './lmdb/store.js'
import { openMemoryStore } from './memory/store.js'
import { freshDirectory } from './testing/fresh-directory.js'
import { WatchCache } from './watch-cache.js'

const form = new ObjectForm('ConfigMap', 'v1')
const prefix = '/registry/configmaps/'
const uid = '11111111-2222-3333-4444-555555555555'
const value = (name: string, data: string) =>
  form.encode({ metadata: { name, namespace: 'ns', uid, labels: { data } }, data: { data } })

const codec = {
  splice: (bytes: Buffer, revision: number) => form.splice(bytes, revision),
  parse: (bytes: Buffer) => JSON.parse(bytes.toString()),
  header: (bytes: Buffer, revision: number) => ({ object: form.headerOf(bytes), length: form.lengthAt(bytes, revision) }),
  read(given: Buffer, revision: number) {
    const bytes = form.splice(given, revision)
    return { bytes, object: JSON.parse(bytes.toString()), verbatim: true }
  },
  fields: () => undefined,
  fieldsIn: () => undefined
}

async function open(t: TestContext): Promise<Store> {
  let close = async () => {}
  const store = await openLmdbStore({ directory: await freshDirectory(t, () => close()) })
  close = () => store.close()
  return store
}

/** A cache whose objects begin without bytes, and the number of values that it has read since. */
async function loaded(store: Store) {
  let reads = 0
  const values: StoredValues = {
    scan: (...given) => store.values!.scan(...given),
    last: store.values!.last,
    read(key, revision) {
      reads++
      return store.values!.read(key, revision)
    }
  }
  const counted = new Proxy(store, {
    get(_, name) {
      const found = name === 'values' ? values : Reflect.get(store, name, store)
      return typeof found === 'function' ? found.bind(store) : found
    }
  })
  const cache = new WatchCache(counted, prefix, codec, () => 0)
  await cache.load()
  return { cache, reads: () => reads }
}

async function put(store: Store, name: string, data: string | undefined): Promise<number> {
  const result = await store.commit([{ key: `${prefix}ns/${name}`, value: data === undefined ? undefined : value(name, data) }])
  assert.ok(result.ok)
  return result.revision
}

const dataOf = (object: CachedObject | undefined) => object && JSON.parse(object.bytes.toString()).data.data

test('selectable fields of what others write are read when they are asked for, once', async t => {
  const store = await open(t)
  let parsed = 0
  const partial = {
    ...codec,
    hasFields: true,
    read: (given: Buffer, revision: number) => ({
      bytes: form.splice(given, revision),
      object: form.headerOf(given),
      isPart: true,
      verbatim: true
    }),
    parse(bytes: Buffer) {
      parsed++
      return JSON.parse(bytes.toString())
    },
    fields: (object: any) => ({ data: object.data.data }),
    fieldsIn(bytes: Buffer) {
      return this.fields(this.parse(bytes))
    }
  }
  const cache = new WatchCache(store, prefix, partial, () => 0)
  await cache.load()
  await put(store, 'a', 'one')
  const first = cache.get('ns/a')!
  await put(store, 'a', 'two')
  assert.equal(parsed, 0)
  assert.deepEqual([first.fields, first.fields, cache.get('ns/a')!.fields], [{ data: 'one' }, { data: 'one' }, { data: 'two' }])
  assert.equal(parsed, 2)
})

describe('objects whose bytes are in the store', () => {
  test('are read when they are asked for, once', async t => {
    const store = await open(t)
    const revision = await put(store, 'a', 'one')
    const { cache, reads } = await loaded(store)
    const object = cache.get('ns/a')!
    assert.deepEqual([object.name, object.namespace, object.uid, object.labels, reads()], ['a', 'ns', uid, { data: 'one' }, 0])
    assert.equal(object.length, form.splice(value('a', 'one'), revision).length)
    assert.deepEqual(object.bytes, form.splice(value('a', 'one'), revision))
    assert.equal(object.bytes, object.bytes)
    assert.equal(reads(), 1)
  })

  test('keep their bytes when they are overwritten or deleted, even if the store forgets them', async t => {
    const store = await open(t)
    await put(store, 'a', 'one')
    await put(store, 'b', 'one')
    const { cache, reads } = await loaded(store)
    const [a, b] = [cache.get('ns/a')!, cache.get('ns/b')!]
    const before = cache.revision
    cache.history.keepForNextPage(before)
    await put(store, 'a', 'two')
    const last = await put(store, 'b', undefined)
    assert.equal(reads(), 2)
    await store.compact(last)
    assert.equal(dataOf(a), 'one')
    assert.equal(dataOf(b), 'one')
    assert.deepEqual([...cache.range('', '', before)].map(dataOf), ['one', 'one'])
    assert.equal(dataOf(cache.get('ns/a')), 'two')
    assert.equal(reads(), 2)
  })

  test("are made of the store's own value when they are overwritten, where it lasts", async t => {
    const store = openMemoryStore()
    t.after(() => store.close())
    const first = await put(store, 'a', 'one')
    const { cache, reads } = await loaded(store)
    const stored = (await store.get(`${prefix}ns/a`))!.value
    const a = cache.get('ns/a')!
    assert.equal(dataOf(a), 'one')
    await put(store, 'a', 'two')
    await store.compact(await put(store, 'a', 'three'))
    assert.equal(dataOf(a), 'one')
    assert.deepEqual([a.bytes, a.glance()], [form.splice(stored, first), form.splice(stored, first)])
    assert.notEqual(a.bytes, a.bytes)
    assert.equal(reads(), 1)
  })

  test('are found in a commit of several objects', async t => {
    const store = await open(t)
    const names = ['a', 'b', 'c']
    await store.commit(names.map(name => ({ key: `${prefix}ns/${name}`, value: value(name, name) })))
    const { cache } = await loaded(store)
    assert.deepEqual([...cache.range('')].map(dataOf), names)
  })

  test('are read from the store of a fork in its caches', async t => {
    const store = await open(t)
    await put(store, 'a', 'one')
    const { cache } = await loaded(store)
    const taken = cache.image()!
    const image = await store.image!()
    const fork = await image.open()
    t.after(() => fork.close())
    await image.dispose()
    await store.close()
    assert.throws(() => cache.get('ns/a')!.bytes, /the store is closed/)
    const second = new WatchCache(
      fork,
      prefix,
      { ...codec, read: () => assert.fail('read'), header: () => assert.fail('read') },
      () => 0
    )
    second.beginWith(taken)
    await second.load()
    assert.equal(dataOf(second.get('ns/a')), 'one')
  })
})

describe('the bytes in memory', () => {
  const cold = (budget: number): ColdBytes & { reads: string[] } => {
    const reads: string[] = []
    return {
      reads,
      resident: new ResidentBytes(budget),
      fields: () => undefined,
      made: value => value,
      read(object) {
        reads.push(object.key)
        return Buffer.alloc(object.length)
      }
    }
  }
  const objectOf = (key: string, from: ColdBytes, length = 10) =>
    new CachedObject(key, 1, { length, object: { metadata: {} } }, undefined, from)

  test('are those that were asked for last', () => {
    const from = cold(25)
    const [a, b, c] = ['a', 'b', 'c'].map(key => objectOf(key, from)) as [CachedObject, CachedObject, CachedObject]
    a.bytes
    b.glance()
    // takes the place of the one that nobody has asked for, and not of the one that has been here longer
    c.bytes
    for (const object of [a, c, b]) object.bytes
    assert.deepEqual(from.reads, ['a', 'b', 'c', 'b'])
    assert.equal(from.resident.bytes, 20)
  })

  test('are not taken from others by those who look at many objects', () => {
    const from = cold(25)
    const [a, b, c] = ['a', 'b', 'c'].map(key => objectOf(key, from)) as [CachedObject, CachedObject, CachedObject]
    a.bytes
    b.glance()
    for (const object of [a, b, c, c]) object.glance()
    assert.deepEqual(from.reads, ['a', 'b', 'c', 'c'])
    assert.equal(from.resident.bytes, 20)
  })

  test('do not count when their object keeps them', () => {
    const from = cold(25)
    const [a, b] = [objectOf('a', from), objectOf('b', from)]
    a.bytes
    for (const object of [a, b]) object.keep()
    assert.equal(from.resident.bytes, 0)
    for (const object of [a, b]) object.glance()
    assert.deepEqual(from.reads, ['a', 'b'])
  })
})
