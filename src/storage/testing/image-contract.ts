import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Store, StoreImage } from '../contract.js'
import type { OpenFresh } from './contract-suite.js'
import { brief, line, put, record, remove } from './helpers.js'

/** Runs for engines that can be copied. */
export const imageContract = (open: OpenFresh): void => {
  const imageOf = async (t: TestContext, store: Store): Promise<StoreImage> => {
    const image = await store.image!()
    t.after(() => image.dispose())
    return image
  }
  const openImage = async (t: TestContext, image: StoreImage): Promise<Store> => {
    const store = await image.open()
    t.after(() => store.close())
    return store
  }
  const present = async (store: Store, revision?: number) => brief((await store.list('/', { revision })).items)

  test('a store begins from an image with its present, its history and its revision', async t => {
    const store = await open(t)
    const one = await put(store, '/a', 'one')
    const two = await put(store, '/a', 'two')
    const three = await put(store, '/b', 'three')
    const gone = await remove(store, '/b')
    const image = await imageOf(t, store)
    const copy = await openImage(t, image)
    assert.deepEqual([image.revision, copy.seenRevision, await copy.currentRevision()], [gone, gone, gone])
    assert.deepEqual(await copy.get('/a'), await store.get('/a'))
    assert.deepEqual(await present(copy, one), ['/a=one'])
    assert.deepEqual(await present(copy, three), ['/a=two', '/b=three'])
    const watch = await record(copy, '/', two)
    const lines = [`${two} /a=two (one)`, `${three} /b=three`, `${gone} /b=gone (three)`]
    assert.deepEqual((await watch.have(3)).map(line), lines)
  })

  test('stores that begin from one image change apart from each other, and from the store of the image', async t => {
    const store = await open(t)
    const first = await put(store, '/a', 'one')
    await put(store, '/b', 'one')
    const image = await imageOf(t, store)
    const [left, right] = [await openImage(t, image), await openImage(t, image)]
    assert.equal(await put(store, '/a', 'store'), first + 2)
    assert.equal(await put(left, '/a', 'left', first), first + 2)
    assert.equal(await remove(right, '/a'), first + 2)
    await put(right, '/c', 'right')
    const late = await openImage(t, image)
    assert.deepEqual(await present(store), ['/a=store', '/b=one'])
    assert.deepEqual(await present(left), ['/a=left', '/b=one'])
    assert.deepEqual(await present(right), ['/b=one', '/c=right'])
    assert.deepEqual(await present(late), ['/a=one', '/b=one'])
    for (const one of [store, left, right, late]) assert.deepEqual(await present(one, first), ['/a=one'])
    const watches = await Promise.all([store, left, right, late].map(one => record(one, '/a', first)))
    const seen = await Promise.all(watches.map((watch, at) => watch.have(at < 3 ? 2 : 1)))
    const changes = ['=store (one)', '=left (one)', '=gone (one)'].map(change => [`${first + 2} /a${change}`])
    assert.deepEqual(
      seen.map(events => events.slice(1).map(line)),
      [...changes, []]
    )
  })

  test('a compaction of one store leaves the history of the others', async t => {
    const store = await open(t)
    const first = await put(store, '/a', 'one')
    await put(store, '/a', 'two')
    const deleted = await put(store, '/b', 'x')
    const last = await remove(store, '/b')
    const image = await imageOf(t, store)
    const copy = await openImage(t, image)
    await store.compact(last)
    assert.deepEqual(await present(copy, first), ['/a=one'])
    assert.deepEqual(await present(copy, deleted), ['/a=two', '/b=x'])
    await copy.compact(deleted)
    assert.deepEqual(await present(copy, deleted), ['/a=two', '/b=x'])
    assert.deepEqual(await present(await openImage(t, image), first), ['/a=one'])
  })

  test('a store stays when its image is disposed of', async t => {
    const store = await open(t)
    await put(store, '/a', 'one')
    const image = await imageOf(t, store)
    const copy = await openImage(t, image)
    await image.dispose()
    await store.close()
    await put(copy, '/b', 'two')
    assert.deepEqual(await present(copy), ['/a=one', '/b=two'])
    await assert.rejects(async () => store.image!(), /the store is closed/)
  })
}
