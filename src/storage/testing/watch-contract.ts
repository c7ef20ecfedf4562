import assert from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '../../testkit/random.js'
import type { OpenFresh } from './contract-suite.js'
import { line, put, record, remove, text, write } from './helpers.js'

export const watchContract = (open: OpenFresh): void => {
  test('a watch shows creations, updates and deletions with the state before', async t => {
    const store = await open(t)
    const watch = await record(store, '/x/', (await store.currentRevision()) + 1)
    const created = await put(store, '/x/a', 'one')
    const updated = await put(store, '/x/a', 'two')
    const deleted = await remove(store, '/x/a')
    const events = await watch.have(3)
    assert.deepEqual(events.map(line), [`${created} /x/a=one`, `${updated} /x/a=two (one)`, `${deleted} /x/a=gone (two)`])
    assert.deepEqual(
      events.map(event => event.type),
      ['put', 'put', 'delete']
    )
    assert.deepEqual(events[1]?.current, {
      key: '/x/a',
      value: text('two'),
      createRevision: created,
      modRevision: updated,
      version: 2
    })
    assert.equal(watch.revision(), deleted)
  })

  test('a watch from an older revision shows history first and then live events', async t => {
    const store = await open(t)
    await put(store, '/x/a', 'one')
    const from = await put(store, '/x/a', 'two')
    const deleted = await remove(store, '/x/a')
    const watch = await record(store, '/x/', from)
    const live = await put(store, '/x/b', 'live')
    assert.deepEqual((await watch.have(3)).map(line), [
      `${from} /x/a=two (one)`,
      `${deleted} /x/a=gone (two)`,
      `${live} /x/b=live`
    ])
  })

  test('a watch from revision 1 shows the whole history', async t => {
    const store = await open(t)
    const revision = await put(store, '/a', 'one')
    const watch = await record(store, '', 1)
    assert.deepEqual((await watch.have(1)).map(line), [`${revision} /a=one`])
  })

  test('onCaughtUp is called once, after all of the history', async t => {
    const store = await open(t)
    const from = await put(store, '/x/a', 'one')
    await put(store, '/y', 'other')
    const last = await put(store, '/x/b', 'two')
    await put(store, '/y', 'other')
    for (const [start, expected] of [
      [from, [from, last, 'caught up']],
      [last + 1, ['caught up']],
      [last + 2, ['caught up']]
    ] as const) {
      const told: (number | string)[] = []
      await new Promise<void>((resolve, reject) => {
        store.watch('/x/', start, {
          onEvents: events => void told.push(...events.map(event => event.revision)),
          onCaughtUp: () => {
            told.push('caught up')
            setImmediate(resolve)
          },
          onError: reject
        })
      })
      assert.deepEqual(told, expected)
    }
  })

  test('a watcher that has caught up has received exactly the events that all others have', async t => {
    const store = await open(t)
    const from = (await store.currentRevision()) + 1
    const live = await record(store, '/x/', from)
    const rounds = times(60)
    let written = 0
    const writing = Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let i = 0; i < rounds; i++, written++) await put(store, `/x/${writer}`, String(i))
      })
    )
    const start = async () => {
      const told: number[] = []
      await new Promise<void>((resolve, reject) => {
        const opening = store.watch('/x/', from, {
          onEvents: events => void told.push(...events.map(event => event.revision)),
          onCaughtUp: () => {
            const [mine, everyones] = [told, live.events.map(event => event.revision)]
            void opening.then(handle => handle.close())
            try {
              assert.deepEqual(mine, everyones)
              assert.ok(mine.at(-1)! <= store.seenRevision)
              resolve()
            } catch (error) {
              reject(error)
            }
          },
          onError: reject
        })
      })
    }
    await live.have(1)
    while (written < 8 * rounds) await Promise.all(Array.from({ length: 5 }, start))
    await writing
  })

  test('a watch from a future revision waits for it', async t => {
    const store = await open(t)
    const watch = await record(store, '/', (await store.currentRevision()) + 3)
    for (const value of ['one', 'two']) await put(store, '/a', value)
    const third = await put(store, '/a', 'three')
    assert.deepEqual(
      (await watch.have(1)).map(event => event.revision),
      [third]
    )
  })

  test('a watch delivers the events of its prefix only', async t => {
    const store = await open(t)
    const from = (await store.currentRevision()) + 1
    const prefixes = ['', '/', '/x/', '/x/y/', '/x/a', '/x', '/z/']
    const live = await Promise.all(prefixes.map(prefix => record(store, prefix, from)))
    const all = ['/x/a', '/x/a/b', '/x/ab', '/x/y/a', '/xy', '/y/x/a']
    for (const key of all) await put(store, key, 'x')
    await live[0]!.have(all.length)
    const replayed = await Promise.all(prefixes.map(prefix => record(store, prefix, from)))
    for (const [at, prefix] of prefixes.entries()) {
      const expected = all.filter(key => key.startsWith(prefix))
      for (const watch of [live[at]!, replayed[at]!])
        assert.deepEqual(
          (await watch.have(expected.length)).map(event => event.key),
          expected,
          prefix
        )
    }
  })

  test('the events of one commit come in one call, live and replayed', async t => {
    const store = await open(t)
    if (store.singleWrites) return t.skip('it takes one write')
    const from = (await store.currentRevision()) + 1
    const live = await record(store, '/x/', from)
    for (let round = 0; round < 50; round++) {
      await write(store, ...['a', 'b', 'c', 'd'].map(name => ({ key: `/x/${name}`, value: text(String(round)) })))
    }
    const replayed = await record(store, '/x/', from)
    for (const watch of [live, replayed]) {
      await watch.have(200)
      for (const revision of new Set(watch.calls.flat())) {
        assert.deepEqual(
          watch.calls.filter(call => call.includes(revision)).map(call => call.filter(one => one === revision).length),
          [4]
        )
      }
    }
  })

  test('a watcher of this process gets the attachment of the write', async t => {
    const store = await open(t)
    const watch = await record(store, '/', (await store.currentRevision()) + 1)
    const attachment = { parsed: true }
    await write(store, { key: '/a', value: text('one'), attachment })
    await write(store, { key: '/b', value: text('two') })
    const events = await watch.have(2)
    assert.equal(events[0]?.attachment, attachment)
    assert.equal(events[1]?.attachment, undefined)
  })

  test('watchers receive a write before its writer is answered, and can read it then', async t => {
    const store = await open(t)
    const order: string[] = []
    let seen: unknown
    const watch = await record(store, '/', (await store.currentRevision()) + 1, events => {
      order.push('watcher')
      seen = store.get(events[0]!.key)
    })
    await put(store, '/a', 'one')
    order.push('writer')
    await watch.have(1)
    assert.deepEqual(order, ['watcher', 'writer'])
    assert.deepEqual(await seen, await store.get('/a'))
  })

  test('no event arrives after close', async t => {
    const store = await open(t)
    const from = (await store.currentRevision()) + 1
    const live = await record(store, '/', from)
    const other = await record(store, '/', from)
    const closesItself = await record(store, '/', from, () => closesItself.close())
    await put(store, '/a', 'one')
    await live.have(1)
    live.close()
    live.close()
    await put(store, '/a', 'two')
    await other.have(2)
    assert.equal(live.events.length, 1)
    assert.equal(closesItself.events.length, 1)
    const replayed = await record(store, '/', from)
    replayed.close()
    await put(store, '/a', 'three')
    assert.equal(replayed.events.length, 0)
  })

  test('a watcher that writes and watches does not disturb the order of the other watchers', async t => {
    const store = await open(t)
    const from = (await store.currentRevision()) + 1
    const echoes: Promise<unknown>[] = []
    await record(store, '/a/', from, events => {
      for (const event of events)
        echoes.push(put(store, event.key.replace('/a/', '/b/'), 'echo'), record(store, '/b/', event.revision))
    })
    const all = await record(store, '/', from)
    for (let at = 0; at < 10; at++) await put(store, `/a/${at}`, 'x')
    const revisions = (await all.have(20)).map(event => event.revision)
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b)
    )
    assert.equal(new Set(revisions).size, 20)
    await Promise.all(echoes)
  })

  test('a watcher that throws is ended, and harms no other', async t => {
    const store = await open(t)
    const from = (await store.currentRevision()) + 1
    const broken = await record(store, '/', from, () => {
      throw new Error('a bug')
    })
    const other = await record(store, '/', from)
    await put(store, '/a', 'one')
    await put(store, '/a', 'two')
    assert.equal((await broken.error).message, 'a bug')
    assert.equal((await other.have(2)).length, 2)
    assert.equal(broken.events.length, 1)
  })

  test('watches end when the store is closed', async t => {
    const store = await open(t)
    const watch = await record(store, '/', 1)
    await store.close()
    assert.match((await watch.error).message, /closed/)
  })
}
