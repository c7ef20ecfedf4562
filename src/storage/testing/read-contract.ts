import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FutureRevisionError, type KeyValue } from '../contract.js'
import type { OpenFresh } from './contract-suite.js'
import { brief, put, remove } from './helpers.js'

export const readContract = (open: OpenFresh): void => {
  test('a list is in byte order', async t => {
    const store = await open(t)
    const keys = ['/b', '/a/b', '/a', '/a-b', '/a.b', '/a0', '/A', '/é', '/\uffee', '/\u{1f600}', '/a/']
    for (const key of keys) await put(store, key, 'x')
    const byBytes = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    assert.deepEqual(
      (await store.list('/')).items.map(item => item.key),
      byBytes
    )
    assert.deepEqual(
      (await store.list('')).items.map(item => item.key),
      byBytes
    )
  })

  test('a list has the keys of its prefix and no others', async t => {
    const store = await open(t)
    for (const key of ['/pods', '/pods-x/a', '/pods.x/a', '/pods/', '/pods/a', '/pods/b/c', '/pods0', '/podt/a'])
      await put(store, key, 'x')
    assert.deepEqual(
      (await store.list('/pods/')).items.map(item => item.key),
      ['/pods/', '/pods/a', '/pods/b/c']
    )
    assert.deepEqual(
      (await store.list('/pods/b')).items.map(item => item.key),
      ['/pods/b/c']
    )
    assert.equal((await store.list('/nothing/')).count, 0)
    assert.equal((await store.list('x'.repeat(5000))).count, 0)
  })

  test('an impossible key does not exist', async t => {
    const store = await open(t)
    await put(store, '/\ufffd', 'x')
    for (const key of ['', '/\ud800', 'x'.repeat(5000)]) assert.equal(await store.get(key), undefined)
  })

  test('an empty store lists nothing', async t => {
    const store = await open(t)
    const revision = await store.currentRevision()
    const { streamed: _, ...found } = await store.list('/')
    assert.deepEqual(found, { items: [], revision, more: false, count: 0 })
  })

  test('limit, start and count page through a list', async t => {
    const store = await open(t)
    for (const name of 'abcde') await put(store, `/x/${name}`, name)
    const revision = await put(store, '/y', 'y')
    const { items, ...rest } = await store.list('/x/', { limit: 2 })
    assert.deepEqual(brief(items), ['/x/a=a', '/x/b=b'])
    assert.deepEqual(rest, { revision, more: true, count: 5 })
    const second = await store.list('/x/', { limit: 3, start: '/x/b\0' })
    assert.deepEqual(brief(second.items), ['/x/c=c', '/x/d=d', '/x/e=e'])
    assert.equal(second.more, false)
    assert.equal(second.count, 3)
    assert.equal((await store.list('/x/', { limit: 0 })).more, true)
  })

  test('a start outside of the prefix means its beginning or its end', async t => {
    const store = await open(t)
    await put(store, '/x/a', 'a')
    assert.equal((await store.list('/x/', { start: '/a' })).count, 1)
    assert.equal((await store.list('/x/', { start: '/z' })).count, 0)
    assert.equal((await store.list('/x/', { start: '/x/0'.padEnd(5000, '0') })).count, 1)
    assert.equal((await store.list('/x/', { start: '/x/b'.padEnd(5000, '0') })).count, 0)
  })

  test('pages at one revision show that revision while writes continue', async t => {
    const store = await open(t)
    for (let at = 0; at < 20; at++) await put(store, `/x/${String(at).padStart(2, '0')}`, 'old')
    const expected = brief((await store.list('/x/')).items)
    const found: KeyValue[] = []
    let { items, revision, more, count } = await store.list('/x/', { limit: 3 })
    for (let page = 0; ; page++) {
      assert.equal(count, 20 - found.length)
      found.push(...items)
      if (!more) break
      await put(store, `/x/${String(page).padStart(2, '0')}`, 'new')
      await remove(store, `/x/${19 - page}`)
      await put(store, `/x/05-${page}`, 'new')
      ;({ items, more, count } = await store.list('/x/', { limit: 3, revision, start: `${items.at(-1)!.key}\0` }))
    }
    assert.deepEqual(brief(found), expected)
  })

  test('get and list at an older revision show the state of that time', async t => {
    const store = await open(t)
    const created = await put(store, '/x/a', 'one')
    const updated = await put(store, '/x/a', 'two')
    const other = await put(store, '/x/b', 'other')
    const deleted = await remove(store, '/x/a')
    const again = await put(store, '/x/a', 'three')
    const value = async (revision: number) => (await store.get('/x/a', { revision }))?.value.toString()
    assert.equal(await value(created - 1), undefined)
    assert.deepEqual(await Promise.all([created, updated, other, deleted, again].map(value)), [
      'one',
      'two',
      'two',
      undefined,
      'three'
    ])
    const list = async (revision: number) => brief((await store.list('/x/', { revision })).items)
    assert.deepEqual(await list(created), ['/x/a=one'])
    assert.deepEqual(await list(other), ['/x/a=two', '/x/b=other'])
    assert.deepEqual(await list(deleted), ['/x/b=other'])
    assert.equal((await store.list('/x/', { revision: updated })).revision, updated)
    for (const [revision, count] of [
      [created - 1, 0],
      [created, 1],
      [other, 2],
      [deleted, 1],
      [again, 2]
    ] as const) {
      assert.equal((await store.list('/x/', { revision, limit: 0 })).count, count)
    }
  })

  test('a future revision cannot be read', async t => {
    const store = await open(t)
    const revision = await put(store, '/a', 'one')
    const next = { revision: revision + 1 }
    for (const read of [() => store.get('/a', next), () => store.list('/', next)]) {
      await assert.rejects(read, (error: Error) => error instanceof FutureRevisionError && error.currentRevision === revision)
    }
  })
}
