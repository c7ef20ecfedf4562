import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { Spread } from './spread.js'

/** A process that takes connections until it is told to hang. */
function worker(spread: Spread) {
  const taken: Socket[] = []
  let hanging: { resolve(): void; reject(error: Error): void } | undefined
  let hangs = false
  const connections = spread.add({
    async ask(_what: string, _content: unknown, socket: Socket) {
      if (hangs) await new Promise<void>((resolve, reject) => (hanging = { resolve, reject }))
      taken.push(socket)
    }
  })
  const goOn = () => {
    hangs = false
    hanging?.resolve()
  }
  return { taken, connections, goOn, hang: () => (hangs = true), die: () => hanging?.reject(new Error('gone')) }
}

function first(spread: Spread) {
  const own: Socket[] = []
  const give = spread.over(socket => own.push(socket))
  const giveSome = (count: number) => {
    const sockets = Array.from({ length: count }, () => new Socket())
    for (const socket of sockets) give(socket)
    return sockets
  }
  return { own, give: giveSome }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('each connection goes to the process that has the fewest, the first process before the others', async () => {
  const spread = new Spread()
  const { own, give } = first(spread)
  const [c, d] = [worker(spread), worker(spread)]
  give(1)
  assert.equal(own.length, 1)
  give(1)
  await turn()
  assert.deepEqual([c.taken.length, d.taken.length], [1, 0])
  for (const { connections } of [c, d]) spread.remove(connections)
  own.splice(0)[0]!.emit('close')
  give(3)
  const [a, b] = [worker(spread), worker(spread)]
  give(6)
  await turn()
  assert.deepEqual([own.length, a.taken.length, b.taken.length], [3, 3, 3])
  a.connections.closed(2)
  own[0]!.emit('close')
  give(3)
  await turn()
  assert.deepEqual([own.length, a.taken.length, b.taken.length], [4, 5, 3])
})

test('a process that hangs has one connection more, and those that wait for it go to others', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const spread = new Spread()
  const { own, give } = first(spread)
  const [a, b] = [worker(spread), worker(spread)]
  a.hang()
  give(9)
  await turn()
  assert.deepEqual([own.length, a.taken.length, b.taken.length], [3, 0, 3])
  t.mock.timers.tick(999)
  assert.equal(own.length, 3)
  t.mock.timers.tick(1)
  await turn()
  assert.deepEqual([own.length, a.taken.length, b.taken.length], [4, 0, 4])
  give(2)
  await turn()
  assert.deepEqual([own.length, a.taken.length, b.taken.length], [5, 0, 5])
  // it goes on
  a.goOn()
  await turn()
  give(3)
  await turn()
  assert.deepEqual([own.length, a.taken.length, b.taken.length], [5, 4, 5])
  // and is not taken for one that hangs later
  t.mock.timers.tick(10_000)
  a.connections.closed(2)
  give(1)
  await turn()
  assert.equal(a.taken.length, 5)
})

test('what waits for a process that ends goes to others', async () => {
  const spread = new Spread()
  const { own, give } = first(spread)
  const [a, b] = [worker(spread), worker(spread)]
  a.hang()
  const [, lost] = give(9)
  await turn()
  a.die()
  await turn()
  assert.ok(lost!.destroyed)
  assert.deepEqual([own.length, a.taken.length, b.taken.length], [4, 0, 4])
  b.hang()
  give(6)
  await turn()
  spread.remove(b.connections)
  assert.equal(own.length + b.taken.length, 8 + 6 - 1)
  give(1)
  assert.equal(own.length + b.taken.length, 8 + 6)
})
