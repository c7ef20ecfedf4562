import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn } from '../../util/turns.js'
import { CompactedError, type KeyValue, type StoreEvent } from '../contract.js'
import type { OpenFresh } from './contract-suite.js'
import { brief, line, put, record, remove, seeded } from './helpers.js'

const isPlain = (value: Buffer) => value.toString().startsWith('plain')
const isGone = (error: Error) => error instanceof CompactedError

export const forgetContract = (open: OpenFresh): void => {
  test('chosen values are gone, and reads that would need them fail; all else stays', async t => {
    const store = await open(t)
    const one = await put(store, '/a/x', 'plain 1')
    const two = await put(store, '/a/x', 'plain 2')
    const three = await put(store, '/a/x', 'plain 3')
    const other = await put(store, '/b/x', 'plain 1')
    await put(store, '/b/x', 'plain 2')
    await store.forget!('/a/', three, isPlain)
    await assert.rejects(store.get('/a/x', { revision: one }), isGone)
    await assert.rejects(store.list('/a/', { revision: one }), isGone)
    await assert.rejects(store.list('/', { revision: one }), isGone)
    const watcher = { onEvents: () => {}, onError: () => {} }
    for (const from of [one, two])
      for (const prefix of ['/a/', '/a/x', '/'])
        await assert.rejects(async () => void (await store.watch(prefix, from, watcher)), isGone)
    // superseded at `three`, which is not before it
    assert.equal(String((await store.get('/a/x', { revision: two }))?.value), 'plain 2')
    const watch = await record(store, '/a/', three)
    assert.deepEqual((await watch.have(1)).map(line), [`${three} /a/x=plain 3 (plain 2)`])
    assert.equal(String((await store.get('/b/x', { revision: other }))?.value), 'plain 1')
    await store.forget!('/a/', three + 1, isPlain)
    await assert.rejects(store.get('/a/x', { revision: two }), isGone)
    assert.deepEqual(brief((await store.list('/a/', { revision: three })).items), ['/a/x=plain 3'])
    assert.deepEqual(brief((await store.list('/')).items), ['/a/x=plain 3', '/b/x=plain 2'])
  })

  test('what is not chosen stays readable where nothing was forgotten', async t => {
    const store = await open(t)
    const one = await put(store, '/a/x', 'sealed 1')
    const two = await put(store, '/a/x', 'sealed 2')
    await remove(store, '/a/x')
    await store.forget!('/a/', two + 2, isPlain)
    assert.equal(String((await store.get('/a/x', { revision: one }))?.value), 'sealed 1')
    const watch = await record(store, '/a/', one)
    assert.equal((await watch.have(3)).length, 3)
  })

  test('at random: every read fails or is whole, and no event shows a former value that was to be forgotten', async t => {
    for (let seed = 1; seed <= 8; seed++) {
      const store = await open(t)
      const below = seeded(seed)
      const states = new Map<number, string[]>()
      const now = new Map<string, string>()
      let bound = 0
      let revision = 1
      /** By value: the revision at which it was overwritten or deleted. */
      const ends = new Map<string, number>()
      for (let i = 0; i < 120; i++) {
        const key = `/${'ab'[below(2)]}/${below(3)}`
        const before = now.get(key)
        if (before !== undefined && below(4) === 0) {
          revision = await remove(store, key)
          now.delete(key)
        } else {
          const value = `${below(2) ? 'plain' : 'sealed'} ${i}`
          revision = await put(store, key, value)
          now.set(key, value)
        }
        if (before !== undefined) ends.set(before, revision)
        states.set(revision, [...now].map(([key, value]) => `${key}=${value}`).sort())
        if (below(20) !== 0) continue
        bound = Math.max(bound, revision - below(10))
        await store.forget!('/a/', bound, isPlain)
      }
      let failed = 0
      for (const [revision, state] of states)
        for (const prefix of ['/a/', '/b/', '/']) {
          const found = await store.list(prefix, { revision }).catch((error: Error) => error)
          if (found instanceof Error) {
            assert.ok(isGone(found) && prefix !== '/b/' && revision < bound, `seed ${seed}: ${prefix} at ${revision}: ${found}`)
            failed++
          } else
            assert.deepEqual(
              brief(found.items),
              state.filter(line => line.startsWith(prefix)),
              `seed ${seed}: ${prefix} at ${revision}`
            )
        }
      assert.ok(failed > 0 || bound === 0, `seed ${seed}`)
      const seen: StoreEvent[] = []
      const last = await put(store, '/a/end', 'sealed')
      for (let from = 2; from <= revision; from++) {
        const watch = await record(store, '/a/', from).catch(() => undefined)
        while (watch && watch.events.at(-1)?.revision !== last) await nextTurn()
        watch?.close()
        seen.push(...(watch?.events ?? []))
      }
      assert.ok(seen.length > 0, `seed ${seed}`)
      const values = seen.flatMap(({ current, previous }) =>
        [current, previous].filter((one): one is KeyValue => one !== undefined)
      )
      for (const { value } of values)
        assert.ok(!isPlain(value) || (ends.get(String(value)) ?? bound) >= bound, `seed ${seed}: ${value}`)
    }
  })
}
