import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RemoteMetadata, type RemotePage, RemoteWatch } from './remote-watch.js'

const owners = [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'a' }]
const item = (uid: string, isOwned = true) => ({ metadata: { uid, ...(isOwned && { ownerReferences: owners }) } })
const event = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`

/** Runs a watch against answers in turn; then the server answers no more. Resolves with what the watch has asked and told. */
async function run(pages: RemotePage[][], streams: (readonly (string | Error)[] | number)[], room = { left: 1e6 }) {
  const seen: string[] = []
  const pauses: number[] = []
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const watch = new RemoteWatch({
    async *list() {
      seen.push('list')
      const next = pages.shift()
      if (!next) throw new Error('no list')
      yield* next
    },
    async watch(version, seconds, signal) {
      assert.ok(seconds >= 300 && seconds <= 600)
      const stream = streams.shift()
      seen.push(`watch ${version}`)
      if (stream === undefined) {
        setImmediate(end)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }
      if (typeof stream === 'number') return { status: stream, body: chunks([]) }
      return { status: 200, body: chunks(stream) }
    },
    clock: {
      now: () => 0,
      setTimeout(callback, milliseconds) {
        // only pauses are so short
        if (milliseconds <= 30_000) {
          pauses.push(milliseconds)
          setImmediate(callback)
        }
        return { cancel() {} }
      }
    },
    changed: ({ uid, ownerReferences = [] }: RemoteMetadata) => void seen.push(`changed ${uid} ${ownerReferences.length}`),
    gone: uid => void seen.push(`gone ${uid}`),
    listed: () => void seen.push('listed'),
    room
  })
  await ended
  const { isWatching } = watch
  const owned = [...watch.close()]
  assert.equal(watch.isWatching, false)
  return { seen, pauses, isWatching, owned }
}

async function* chunks(parts: readonly (string | Error)[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (typeof part !== 'string') throw part
    yield Buffer.from(part)
  }
}

test('lists, and watches from there; a watch that breaks goes on', async () => {
  const pages = [[{ items: [item('1'), item('2', false)] }, { metadata: { resourceVersion: '7' }, items: [item('3')] }]]
  const text = event('ADDED', item('4')) + event('MODIFIED', item('1', false)) + event('MODIFIED', item('2', false))
  const { seen, owned } = await run(pages, [
    [
      text.slice(0, 30),
      text.slice(30),
      event('DELETED', item('2', false)),
      event('BOOKMARK', { metadata: { resourceVersion: '9' } })
    ],
    [event('DELETED', { metadata: { uid: '3', resourceVersion: '10' } }), new Error('broken')]
  ])
  assert.deepEqual(seen, [
    ...['list', 'changed 1 1', 'changed 3 1', 'listed', 'watch 7', 'changed 4 1', 'changed 1 0', 'gone 2', 'watch 9', 'gone 3'],
    'watch 10'
  ])
  assert.deepEqual(owned, ['4'])
})

test('lists again when the version is too old, and tells what went meanwhile', async () => {
  const page = (version: string, ...items: RemotePage['items'] & object) => [{ metadata: { resourceVersion: version }, items }]
  const { seen } = await run(
    [page('1', item('a'), item('b')), page('2', item('b'), item('c')), page('3', item('b'))],
    [[event('ERROR', { code: 410 })], 410]
  )
  assert.deepEqual(seen, [
    ...['list', 'changed a 1', 'changed b 1', 'listed', 'watch 1'],
    ...['list', 'changed b 1', 'changed c 1', 'gone a', 'listed', 'watch 2'],
    ...['list', 'changed b 1', 'gone c', 'listed', 'watch 3']
  ])
})

test('waits longer after each failure, and says that it does not watch', async () => {
  const page = [{ metadata: { resourceVersion: '1' } }]
  const lists = Array.from({ length: 8 }, () => page)
  const { pauses, isWatching } = await run(lists, [405, 405, 405, 405, 405, 405, 405])
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  assert.equal(isWatching, false)
})

test('holds what there is room for, and gives the room back', async () => {
  const room = { left: 1500 }
  const { seen, owned } = await run(
    [[{ metadata: { resourceVersion: '1' }, items: [item('a'), item('b'), item('c')] }]],
    [
      [
        event('DELETED', item('a')),
        event('MODIFIED', item('c')),
        event('MODIFIED', item('d')),
        event('MODIFIED', item('b', false)),
        event('MODIFIED', item('d'))
      ]
    ],
    room
  )
  assert.deepEqual(seen, [
    ...['list', 'changed a 1', 'changed b 1', 'listed', 'watch 1'],
    ...['gone a', 'changed c 1', 'changed b 0', 'changed d 1', 'watch 1']
  ])
  assert.deepEqual([owned, room.left], [['c', 'd'], 1500])
})

test('does not hold an object of 64 kB; one that becomes so large counts as one without owners', async () => {
  const large = (uid: string) => ({ metadata: { uid, name: 'x'.repeat(65_536), ownerReferences: owners } })
  const annotated = { metadata: { ...item('b').metadata, annotations: { a: 'x'.repeat(65_536) } } }
  const pages = [[{ metadata: { resourceVersion: '1' }, items: [item('a'), large('c')] }]]
  const { seen, owned } = await run(pages, [[event('MODIFIED', large('a')), event('ADDED', annotated)]])
  assert.deepEqual(seen, ['list', 'changed a 1', 'listed', 'watch 1', 'changed a 0', 'changed b 1', 'watch 1'])
  assert.deepEqual(owned, ['b'])
})

test('an event without end is refused', async () => {
  const { seen } = await run([[{ metadata: { resourceVersion: '1' } }]], [Array(10).fill('x'.repeat(1024 * 1024))])
  assert.deepEqual(seen, ['list', 'listed', 'watch 1', 'watch 1'])
})
