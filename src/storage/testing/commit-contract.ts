import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ListOptions, StoreUnavailableError } from '../contract.js'
import type { OpenFresh } from './contract-suite.js'
import { brief, put, remove, text, write } from './helpers.js'

export const commitContract = (open: OpenFresh): void => {
  test('a created key can be read, at version 1', async t => {
    const store = await open(t)
    const revision = await put(store, '/a/1', 'one', 0)
    assert.deepEqual(await store.get('/a/1'), {
      key: '/a/1',
      value: text('one'),
      createRevision: revision,
      modRevision: revision,
      version: 1
    })
    assert.equal(await store.currentRevision(), revision)
  })

  test('an update keeps the creation and counts versions', async t => {
    const store = await open(t)
    const created = await put(store, '/a', 'one', 0)
    const updated = await put(store, '/a', 'two', created)
    assert.ok(updated > created)
    assert.deepEqual(await store.get('/a'), {
      key: '/a',
      value: text('two'),
      createRevision: created,
      modRevision: updated,
      version: 2
    })
  })

  test('a key that is created again starts over at version 1', async t => {
    const store = await open(t)
    await put(store, '/a', 'one')
    await put(store, '/a', 'two')
    await remove(store, '/a')
    assert.equal(await store.get('/a'), undefined)
    const revision = await put(store, '/a', 'three', 0)
    assert.deepEqual(await store.get('/a'), {
      key: '/a',
      value: text('three'),
      createRevision: revision,
      modRevision: revision,
      version: 1
    })
  })

  test('a create of an existing key is refused, and returns the current state', async t => {
    const store = await open(t)
    const revision = await put(store, '/a', 'one', 0)
    const current = { key: '/a', value: text('one'), createRevision: revision, modRevision: revision, version: 1 }
    assert.deepEqual(await store.commit([{ key: '/a', value: text('two'), expected: 0 }]), { ok: false, key: '/a', current })
    assert.deepEqual(await store.get('/a'), current)
  })

  test('a write is refused when the key has changed since', async t => {
    const store = await open(t)
    const first = await put(store, '/a', 'one')
    const second = await put(store, '/a', 'two')
    for (const value of [text('three'), undefined]) {
      const result = await store.commit([{ key: '/a', value, expected: first }])
      assert.ok(!result.ok)
      assert.equal(result.current?.modRevision, second)
    }
    await remove(store, '/a', second)
    assert.deepEqual(await store.commit([{ key: '/a', value: text('three'), expected: second }]), {
      ok: false,
      key: '/a',
      current: undefined
    })
  })

  test('deleting a missing key is refused', async t => {
    const store = await open(t)
    assert.deepEqual(await store.commit([{ key: '/a', value: undefined }]), { ok: false, key: '/a', current: undefined })
    await put(store, '/a', 'one')
    await remove(store, '/a')
    assert.deepEqual(await store.commit([{ key: '/a', value: undefined }]), { ok: false, key: '/a', current: undefined })
  })

  test('a refused commit uses up no revision', async t => {
    const store = await open(t)
    const revision = await put(store, '/a', 'one')
    await store.commit([{ key: '/a', value: text('two'), expected: 0 }])
    assert.equal(await store.currentRevision(), revision)
  })

  test('a store of single writes refuses a commit of more', async t => {
    const store = await open(t)
    if (!store.singleWrites) return t.skip('it takes them')
    const writes = ['/a', '/b'].map(key => ({ key, value: text('x') }))
    await assert.rejects(store.commit(writes), RangeError)
    assert.equal((await store.list('')).count, 0)
  })

  test('the writes of a commit have one revision', async t => {
    const store = await open(t)
    if (store.singleWrites) return t.skip('it takes one write')
    await put(store, '/b', 'old')
    await put(store, '/c', 'old')
    const revision = await write(
      store,
      { key: '/a', value: text('new'), expected: 0 },
      { key: '/b', value: text('new') },
      { key: '/c', value: undefined }
    )
    const { items } = await store.list('/')
    assert.deepEqual(brief(items), ['/a=new', '/b=new'])
    assert.deepEqual(
      items.map(item => item.modRevision),
      [revision, revision]
    )
  })

  test('one refused write refuses the whole commit', async t => {
    const store = await open(t)
    if (store.singleWrites) return t.skip('it takes one write')
    await put(store, '/b', 'old')
    const result = await store.commit([
      { key: '/a', value: text('new') },
      { key: '/b', value: text('new'), expected: 0 },
      { key: '/c', value: text('new') }
    ])
    assert.ok(!result.ok)
    assert.equal(result.key, '/b')
    assert.deepEqual(brief((await store.list('/')).items), ['/b=old'])
  })

  test('an impossible commit throws RangeError', async t => {
    const store = await open(t)
    const value = text('x')
    const bad = [
      [{ key: '', value }],
      [{ key: 'x'.repeat(65_536), value }],
      [{ key: '/\ud800', value }],
      [
        { key: '/a', value },
        { key: '/a', value }
      ]
    ]
    for (const writes of bad) await assert.rejects(store.commit(writes), RangeError)
    assert.equal((await store.list('')).count, 0)
  })

  test('values of any size and content come back unchanged', async t => {
    const store = await open(t)
    const values = [0, 1, 2000, 4096, 3_000_000].map(size => Buffer.from(Array.from({ length: size }, (_, at) => (at * 7) % 256)))
    for (const [at, value] of values.entries()) await write(store, { key: `/v/${at}`, value })
    for (const [at, value] of values.entries()) assert.ok((await store.get(`/v/${at}`))?.value.equals(value))
    assert.ok((await store.list('/v/')).items.every((item, at) => item.value.equals(values[at]!)))
  })

  test('keys may be 65,535 bytes long and hold any text', async t => {
    const store = await open(t)
    const keys = [`/${'x'.repeat(65_534)}`, '/__proto__', '/rôle:ü', '/\u{1f600}', '/a\u0000b']
    for (const key of keys) await put(store, key, key)
    for (const key of keys) assert.equal((await store.get(key))?.value.toString(), key)
  })

  test('long keys are in order, together with the keys that are their beginning', async t => {
    const store = await open(t)
    const beginning = `/${'x'.repeat(1899)}`
    const keys = [
      '/w',
      beginning,
      ...['', 'a', 'b', 'c'].map(end => `${beginning}${'y'.repeat(500)}${end}`),
      `${beginning}z`,
      '/y'
    ]
    for (const key of [...keys].reverse()) await put(store, key, key.slice(-1))
    await put(store, keys[3]!, 'new')
    const listed = async (prefix: string, options?: ListOptions) =>
      (await store.list(prefix, options)).items.map(({ key }) => key)
    assert.deepEqual(await listed('/'), keys)
    assert.deepEqual(await listed(beginning), keys.slice(1, -1))
    assert.deepEqual(await listed(`${beginning}y`), keys.slice(2, 6))
    assert.deepEqual(await listed(keys[2]!), keys.slice(2, 6))
    assert.deepEqual(await listed('/', { start: `${keys[3]}\0` }), keys.slice(4))
    assert.deepEqual(await listed('/', { start: keys[5]!, limit: 2 }), keys.slice(5, 7))
    await store.commit([{ key: keys[4]!, value: undefined }])
    assert.equal(await store.get(keys[4]!), undefined)
    assert.deepEqual(await listed(`${beginning}y`), [keys[2], keys[3], keys[5]])
    assert.equal((await store.get(keys[3]!))?.value.toString(), 'new')
    await store.compact(await store.currentRevision())
    assert.deepEqual(await listed('/'), [...keys.slice(0, 4), ...keys.slice(5)])
  })

  test('a commit that is refused because of a pending commit is answered after it, with its state', async t => {
    const store = await open(t)
    const order: string[] = []
    const first = store.commit([{ key: '/a', value: text('one'), expected: 0 }])
    const second = store.commit([{ key: '/a', value: text('two'), expected: 0 }])
    void first.then(() => order.push('first'))
    void second.then(() => order.push('second'))
    const [won, lost] = await Promise.all([first, second])
    assert.ok(won.ok && !lost.ok)
    assert.deepEqual(order, ['first', 'second'])
    assert.equal(lost.current?.modRevision, won.revision)
  })

  test('a commit can build on a pending commit', async t => {
    const store = await open(t)
    const created = store.commit([{ key: '/a', value: text('one'), expected: 0 }])
    const deleted = store.commit([{ key: '/a', value: undefined }])
    const again = store.commit([{ key: '/a', value: text('two'), expected: 0 }])
    const results = await Promise.all([created, deleted, again])
    assert.ok(results.every(result => result.ok))
    assert.equal((await store.get('/a'))?.version, 1)
  })

  test('close waits for pending writes, and then every call is refused', async t => {
    const store = await open(t)
    await put(store, '/a', 'one')
    const underWay = store.commit([{ key: '/a', value: text('two') }])
    await Promise.all([store.close(), store.close()])
    assert.ok((await underWay).ok)
    const refused = [
      store.commit([{ key: '/a', value: text('three') }]),
      store.get('/a'),
      store.list('/'),
      store.health(),
      store.compact(1),
      store.watch('/', 1, { onEvents: () => {}, onError: () => {} })
    ]
    for (const answer of refused) await assert.rejects(answer, StoreUnavailableError)
  })

  test('an open store is healthy', async t => {
    const store = await open(t)
    await store.health()
  })
}
