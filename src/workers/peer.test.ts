import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { type Answers, Peer } from './peer.js'

/** The two ends of a channel as a child process has it. */
function channel() {
  const ends = [new EventEmitter(), new EventEmitter()]
  const make = (own: EventEmitter, other: EventEmitter) =>
    Object.assign(own, {
      send(message: unknown) {
        setImmediate(() => other.emit('message', structuredClone(message)))
        return true
      }
    })
  return [make(ends[0]!, ends[1]!), make(ends[1]!, ends[0]!)] as const
}

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
