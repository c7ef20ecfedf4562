import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CompactedError, type KeyVersion } from '../contract.js'
import type { OpenFresh } from './contract-suite.js'
import { put, remove, seeded } from './helpers.js'

const shown = (versions: readonly KeyVersion[]) => versions.map(({ revision, state }) => `${revision} ${state?.value ?? 'gone'}`)

export const versionsContract = (open: OpenFresh): void => {
  test('the states of a key are its own, over all its lives', async t => {
    const store = await open(t)
    const one = await put(store, '/a', '1')
    await put(store, '/ab', 'other')
    const gone = await remove(store, '/a')
    const two = await put(store, '/a', '2')
    const all = await store.versions!('/a', { from: 1, limit: 10 })
    assert.deepEqual(shown(all), [`${two} 2`, `${gone} gone`, `${one} 1`])
    assert.deepEqual(all[0]!.state, await store.get('/a'))
    assert.deepEqual(all[2]!.state, await store.get('/a', { revision: one }))
    for (const key of ['/b', '', '/\ud800']) assert.deepEqual(await store.versions!(key, { from: 1, limit: 10 }), [])
  })

  test('at random: the states are those that reads of each revision show', async t => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seeded(seed)
      const store = await open(t)
      const keys = ['/a', '/b', '/c']
      const first = await put(store, '/z', 'x')
      for (let i = 0; i < 40; i++) {
        const key = keys[random(3)]!
        if (random(3) === 0 && (await store.get(key))) await remove(store, key)
        else await put(store, key, String(i))
      }
      const last = await store.currentRevision()
      const floor = random(2) === 0 ? first : first + random(last - first)
      await store.compact(floor)
      for (let i = 0; i < 10; i++) {
        const key = keys[random(3)]!
        const from = floor + random(last - floor + 1)
        const before = from + 1 + random(last - from + 3)
        const limit = 1 + random(8)
        const expected: string[] = []
        let older: string | undefined
        for (let revision = from; revision < Math.min(before, last + 1); revision++) {
          const state = await store.get(key, { revision })
          const now = state && `${state.modRevision} ${state.value}`
          if (now !== older) expected.push(now ?? `${revision} gone`)
          older = now
        }
        const found = await store.versions!(key, { from, before, limit })
        assert.deepEqual(shown(found), expected.reverse().slice(0, limit), `seed ${seed}, ${key} from ${from} before ${before}`)
      }
    }
  })

  test('what is compacted or forgotten is not shown', async t => {
    const store = await open(t)
    const one = await put(store, '/a/x', '1')
    const two = await put(store, '/a/x', '2')
    const three = await put(store, '/a/x', '3')
    await store.compact(two)
    await assert.rejects(store.versions!('/a/x', { from: one, limit: 5 }), CompactedError)
    assert.deepEqual(shown(await store.versions!('/a/x', { from: two, limit: 5 })), [`${three} 3`, `${two} 2`])
    await store.forget!('/a/', three + 1, () => true)
    await assert.rejects(store.versions!('/a/x', { from: two, limit: 5 }), CompactedError)
    assert.deepEqual(shown(await store.versions!('/a/x', { from: three, limit: 5 })), [`${three} 3`])
  })
}
