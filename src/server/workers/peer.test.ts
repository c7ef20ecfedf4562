import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { type Answers, Peer } from './peer.js'
import { channel } from './testing/channel.js'

function peers(answers: Answers) {
  const [a, b] = channel()
  new Peer(b, answers)
  return { asking: new Peer(a, {}), end: () => a.emit('disconnect') }
}

test('each question gets its own answer, in any order', async () => {
  let release = () => {}
  const slow = new Promise<string>(resolve => {
    release = () => resolve('slow')
  })
  const { asking } = peers({ slow: () => slow, twice: (n: number) => 2 * n })
  const waiting = asking.ask('slow')
  assert.deepEqual(await Promise.all([asking.ask('twice', 1), asking.ask('twice', 4)]), [2, 8])
  release()
  assert.equal(await waiting, 'slow')
})

test('a question that cannot be answered fails with the reason', async () => {
  const { asking } = peers({
    fails() {
      throw new Error('the disk is full')
    }
  })
  await assert.rejects(asking.ask('fails'), new Error('the disk is full'))
  assert.equal(await asking.ask('unknown'), undefined)
})

test('a connection goes with its question', async () => {
  const taken: unknown[] = []
  const { asking } = peers({ connection: (content, connection) => void taken.push(content, connection) })
  const socket = new Socket()
  await asking.ask('connection', 'here', socket)
  assert.equal(taken[0], 'here')
  assert.equal(taken[1], socket)
})

test('the end of the other process ends what waits for it', async () => {
  const { asking, end } = peers({ never: () => new Promise(() => {}) })
  const waiting = asking.ask('never')
  end()
  await assert.rejects(waiting, new Error('the other process has ended'))
  await assert.rejects(asking.ask('never'), new Error('the other process has ended'))
})

test('questions that nobody answers are bounded', async () => {
  const { asking, end } = peers({ never: () => new Promise(() => {}) })
  const waiting = Array.from({ length: 10_000 }, () => asking.ask('never').catch(() => {}))
  await assert.rejects(asking.ask('never'), new Error('the other process does not answer'))
  end()
  await Promise.all(waiting)
})
