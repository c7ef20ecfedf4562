import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn } from '../../util/turns.js'
import { CompactedError, FutureRevisionError } from '../contract.js'
import type { OpenFresh } from './contract-suite.js'
import { brief, line, put, record, remove } from './helpers.js'

export const compactionContract = (open: OpenFresh): void => {
  test('revisions below the compaction cannot be read or watched', async t => {
    const store = await open(t)
    const first = await put(store, '/a', 'one')
    const second = await put(store, '/a', 'two')
    await put(store, '/a', 'three')
    await store.compact(second)
    const expected = (error: Error) => error instanceof CompactedError && error.compactRevision === second
    await assert.rejects(store.get('/a', { revision: first }), expected)
    await assert.rejects(store.list('/', { revision: first }), expected)
    await assert.rejects(store.watch('/', first, { onEvents: () => {}, onError: () => {} }), expected)
  })

  test('revisions from the compaction on stay unchanged', async t => {
    const store = await open(t)
    await put(store, '/kept', 'kept')
    await put(store, '/deleted', 'x')
    await put(store, '/again', 'old life')
    await remove(store, '/deleted')
    await remove(store, '/again')
    await put(store, '/changed', 'one')
    const at = await put(store, '/changed', 'two')
    const three = await put(store, '/changed', 'three')
    const again = await put(store, '/again', 'new life')
    const gone = await remove(store, '/changed')
    await store.compact(at)
    const list = async (revision: number) => brief((await store.list('/', { revision })).items)
    assert.deepEqual(await list(at), ['/changed=two', '/kept=kept'])
    assert.deepEqual(await list(three), ['/changed=three', '/kept=kept'])
    assert.deepEqual(await list(again), ['/again=new life', '/changed=three', '/kept=kept'])
    assert.deepEqual(await list(gone), ['/again=new life', '/kept=kept'])
    assert.deepEqual(await store.get('/again'), {
      key: '/again',
      value: Buffer.from('new life'),
      createRevision: again,
      modRevision: again,
      version: 1
    })
    const watch = await record(store, '/', at + 1)
    const lines = [`${three} /changed=three (two)`, `${again} /again=new life`, `${gone} /changed=gone (three)`]
    assert.deepEqual((await watch.have(3)).map(line), lines)
  })

  test('a key deleted before the compaction can be created again', async t => {
    const store = await open(t)
    await put(store, '/a', 'one')
    await remove(store, '/a')
    const last = await put(store, '/b', 'x')
    const [created] = await Promise.all([put(store, '/a', 'two', 0), store.compact(last)])
    assert.equal((await store.get('/a'))?.createRevision, created)
    await store.compact(created)
    assert.equal((await store.get('/a'))?.value.toString(), 'two')
  })

  test('compacting again, or to an older revision, does nothing; compacting the future is refused', async t => {
    const store = await open(t)
    const first = await put(store, '/a', 'one')
    const second = await put(store, '/a', 'two')
    await store.compact(second)
    await store.compact(second)
    await store.compact(first)
    assert.equal((await store.get('/a'))?.value.toString(), 'two')
    await assert.rejects(store.compact(second + 1), FutureRevisionError)
  })

  test('a live watch does not notice a compaction', async t => {
    const store = await open(t)
    const watch = await record(store, '/', (await store.currentRevision()) + 1)
    const one = await put(store, '/a', 'one')
    await store.compact(one)
    await put(store, '/a', 'two')
    assert.equal((await watch.have(2)).length, 2)
  })

  test('a watch whose history is compacted meanwhile delivers all of it, or ends with the error', async t => {
    const store = await open(t)
    const first = await put(store, '/a', 'one')
    const last = await put(store, '/a', 'two')
    const watching = record(store, '/', first)
    await store.compact(last)
    const outcome = await watching.then(
      watch => Promise.race([watch.have(2), watch.error]),
      error => error
    )
    assert.ok(outcome instanceof CompactedError || (Array.isArray(outcome) && outcome.length === 2))
  })

  test('writes, lists and compactions at the same time are consistent', async t => {
    const store = await open(t)
    const keys = Array.from({ length: 10 }, (_, at) => `/x/${at}`)
    for (const key of keys) await put(store, key, '0')
    let done = false
    const compact = async (): Promise<void> => {
      while (!done) {
        await store.compact(await store.currentRevision())
        await nextTurn()
      }
    }
    const read = async (): Promise<void> => {
      while (!done) {
        assert.equal((await store.list('/x/')).items.length, keys.length)
        await nextTurn()
      }
    }
    const others = [compact(), read()]
    await Promise.all(
      keys.map(async key => {
        for (let round = 1; round <= 20; round++) await put(store, key, String(round))
      })
    )
    done = true
    await Promise.all(others)
    assert.deepEqual(
      brief((await store.list('/x/')).items),
      keys.map(key => `${key}=20`)
    )
  })
}
