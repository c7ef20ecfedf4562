import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn } from '../../util/turns.js'
import type { Store, StoreEvent, Write } from '../contract.js'
import type { OpenFresh } from './contract-suite.js'
import { put, record, seeded, text } from './helpers.js'

export const concurrencyContract = (open: OpenFresh): void => {
  test('when many writers update one state, exactly one wins each round', async t => {
    const store = await open(t)
    let expected = 0
    for (let round = 0; round < 15; round++) {
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, writer) => store.commit([{ key: '/a', value: text(String(writer)), expected }]))
      )
      const winners = results.flatMap((result, writer) => (result.ok ? [{ writer, revision: result.revision }] : []))
      assert.equal(winners.length, 1)
      const { writer, revision } = winners[0]!
      assert.equal((await store.get('/a'))?.value.toString(), String(writer))
      for (const result of results) if (!result.ok) assert.equal(result.current?.modRevision, revision)
      expected = revision
    }
  })

  test('a counter that many writers increase loses no step', async t => {
    const store = await open(t)
    const revisions: number[] = []
    const increase = async (): Promise<void> => {
      let current = await store.get('/counter')
      for (;;) {
        const value = text(String(Number(current?.value ?? 0) + 1))
        const result = await store.commit([{ key: '/counter', value, expected: current?.modRevision ?? 0 }])
        if (result.ok) return void revisions.push(result.revision)
        current = result.current
      }
    }
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let step = 0; step < 15; step++) await increase()
      })
    )
    assert.equal((await store.get('/counter'))?.value.toString(), '120')
    assert.equal(new Set(revisions).size, 120)
  })

  test('a read shows whole commits, and every acknowledged one', async t => {
    const store = await open(t)
    const names = store.singleWrites ? ['a'] : ['a', 'b', 'c']
    let acknowledged = 0
    const write = async (): Promise<void> => {
      for (let round = 1; round <= 60; round++) {
        await store.commit(names.map(name => ({ key: `/x/${name}`, value: text(String(round)) })))
        acknowledged = round
      }
    }
    const read = async (): Promise<void> => {
      while (acknowledged < 60) {
        const atLeast = acknowledged
        const { items, revision } = await store.list('/x/')
        assert.ok(new Set(items.map(item => String(item.value))).size <= 1)
        assert.ok(Number(items[0]?.value ?? 0) >= atLeast)
        assert.ok(items.every(item => item.modRevision <= revision))
        assert.ok(revision <= (await store.currentRevision()))
        await nextTurn()
      }
    }
    await Promise.all([write(), read()])
  })

  for (const seed of [1, 2, 3]) {
    test(`watchers that start and stop see each event once and in order (seed ${seed})`, async t => {
      const store = await open(t)
      const random = seeded(seed)
      const from = (await store.currentRevision()) + 1
      const acknowledged: { revision: number; writes: Write[] }[] = []
      const writers = Array.from({ length: 6 }, async () => {
        for (let round = 0; round < 40; round++) {
          const keys = new Set(
            Array.from({ length: store.singleWrites ? 1 : 1 + random(3) }, () => `/${'abc'[random(3)]}/${random(4)}`)
          )
          const writes = [...keys].map(key => ({ key, value: random(4) === 0 ? undefined : text(String(random(1000))) }))
          const result = await store.commit(writes)
          if (result.ok) acknowledged.push({ revision: result.revision, writes })
          if (random(5) === 0) await nextTurn()
        }
      })
      let done = false
      const watchers = ['', '/', '/a/', '/b/', '/c/', '/b/1', '/a/', ''].map(async prefix => {
        const seen: StoreEvent[] = []
        let next = from
        while (!done) {
          const watch = await record(store, prefix, next)
          for (let turns = random(12); turns > 0 && !done; turns--) await nextTurn()
          watch.close()
          seen.push(...watch.events)
          next = Math.max(next, watch.revision() + 1)
        }
        return { prefix, seen, next }
      })
      await Promise.all(writers)
      const last = await put(store, '/last', 'x')
      done = true
      const expected = expectedEvents(acknowledged)
      for (const { prefix, seen, next } of await Promise.all(watchers)) {
        const mine = expected.filter(event => event.key.startsWith(prefix))
        const rest = await record(store, prefix, next)
        await rest.have(mine.length + ('/last'.startsWith(prefix) ? 1 : 0) - seen.length)
        const all = [...seen, ...rest.events].filter(event => event.revision < last)
        assert.deepEqual(all.map(describe), mine.map(describe), prefix)
      }
      await assertHistory(store, acknowledged)
    })
  }
}

interface Expected {
  readonly revision: number
  readonly key: string
  readonly current: { value: Buffer } | undefined
  readonly previous: { value: Buffer } | undefined
}

const describe = ({ revision, key, current, previous }: Expected): string =>
  `${revision} ${key} ${current?.value} ${previous?.value}`

const expectedEvents = (commits: readonly { revision: number; writes: Write[] }[]): Expected[] => {
  const state = new Map<string, { value: Buffer } | undefined>()
  return commits
    .toSorted((a, b) => a.revision - b.revision)
    .flatMap(({ revision, writes }) =>
      writes.map(({ key, value }) => {
        const previous = state.get(key)
        const current = value && { value }
        state.set(key, current)
        return { revision, key, current, previous }
      })
    )
}

/** Asserts that every revision still shows the state after its commit. */
const assertHistory = async (store: Store, commits: readonly { revision: number; writes: Write[] }[]): Promise<void> => {
  const state = new Map<string, string>()
  for (const { revision, writes } of commits.toSorted((a, b) => a.revision - b.revision)) {
    for (const { key, value } of writes) value === undefined ? state.delete(key) : state.set(key, String(value))
    const { items, count } = await store.list('/', { revision })
    assert.deepEqual(new Map(items.map(({ key, value }) => [key, String(value)])), new Map([...state].toSorted()))
    assert.equal(count, state.size)
  }
}
