import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FlowBench, level, schema } from '../../testkit/flow-control.js'
import type { FlowRequest } from './flow-request.js'

/** A level with so many seats for the users ann and bob. */
function bench(seats: number, queuing?: readonly [number, number, number]) {
  // the mandatory level has 5 shares as well
  const made = new FlowBench(2 * seats)
  made.configuration.use([level('l', { shares: 5, borrowing: 0, queuing: queuing! })], [schema('s', 'l', ['ann', 'bob'])])
  assert.equal(made.level('l').current, seats)
  return made
}

describe('a level without queues', () => {
  it('refuses what it has no seats for', () => {
    const b = bench(2)
    const [first] = [b.send('1', 'ann'), b.send('2', 'ann'), b.send('3', 'bob')]
    b.finish(first)
    b.send('4', 'bob')
    assert.deepEqual(b.taken(), ['1 begins', '2 begins', '3 refused', '4 begins'])
    assert.deepEqual([...b.configuration.flowStats.of('l', 's').rejected], [['concurrency-limit', 1]])
  })

  it('gives itself to a request that is wider, once it is empty', () => {
    const b = bench(2)
    const narrow = b.send('narrow', 'ann')
    b.send('wide', 'ann', { initialSeats: 5 })
    b.finish(narrow)
    b.send('wide', 'ann', { initialSeats: 5 })
    b.send('narrow', 'ann')
    assert.deepEqual(b.taken(), ['narrow begins', 'wide refused', 'wide begins', 'narrow refused'])
  })
})

describe('the exempt level', () => {
  it('lets everything begin', () => {
    const b = new FlowBench(1)
    b.configuration.use([], [])
    const exempt = b.level('exempt').queues
    const { configuration } = b
    const find = configuration.schemas.find.bind(configuration.schemas)
    configuration.schemas.find = (_, info) => find({ name: 'admin', groups: ['system:masters'] }, info)
    for (let i = 0; i < 5; i++) b.send(String(i), 'admin')
    assert.deepEqual(b.taken(), ['0 begins', '1 begins', '2 begins', '3 begins', '4 begins'])
    assert.equal(exempt.seatsInUse, 5)
  })
})

describe('fair queuing', () => {
  it('lets requests wait for seats, as many as a queue holds', () => {
    const b = bench(1, [1, 1, 2])
    const requests = ['1', '2', '3', '4'].map(name => b.send(name, 'ann'))
    assert.deepEqual(b.taken(), ['1 begins', '2 waits', '3 waits', '4 refused'])
    assert.deepEqual([...b.configuration.flowStats.of('l', 's').rejected], [['queue-full', 1]])
    b.finish(requests[0]!)
    assert.deepEqual(b.taken(), ['2 begins'])
    b.finish(requests[1]!)
    b.finish(requests[2]!)
    assert.deepEqual(b.taken(), ['3 begins'])
    assert.ok(b.level('l').queues.isIdle)
    assert.equal(b.level('l').queues.seatsInUse, 0)
  })

  it('serves a flow between the many requests of another', () => {
    const b = bench(1, [64, 1, 50])
    const running = [b.send('a0', 'ann')]
    for (let i = 1; i < 10; i++) running.push(b.send(`a${i}`, 'ann'))
    for (let i = 0; i < 3; i++) running.push(b.send(`b${i}`, 'bob'))
    b.taken()
    const byName = new Map(running.map((request, i) => [i < 10 ? `a${i}` : `b${i - 10}`, request]))
    const order: string[] = []
    for (let next: string | undefined = 'a0'; next; next = b.taken()[0]?.split(' ')[0]) {
      order.push(next)
      b.clock.advance(10)
      b.finish(byName.get(next)!)
    }
    assert.equal(order.length, 13)
    // bob comes when ann has had something, and from then on it is one of each
    assert.deepEqual(order.slice(0, 7), ['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3'])
  })

  it('counts what a request has really taken', () => {
    const b = bench(1, [64, 1, 50])
    const all = new Map<string, FlowRequest>()
    for (let i = 0; i < 8; i++) all.set(`a${i}`, b.send(`a${i}`, 'ann'))
    for (let i = 0; i < 8; i++) all.set(`b${i}`, b.send(`b${i}`, 'bob'))
    b.taken()
    const order: string[] = []
    for (let next: string | undefined = 'a0'; next; next = b.taken()[0]?.split(' ')[0]) {
      order.push(next)
      b.clock.advance(next.startsWith('a') ? 40 : 10)
      b.finish(all.get(next)!)
    }
    // ann's requests take four times as long, so bob has four of his in the time of one
    const before = (name: string) => order.slice(0, order.indexOf(name)).filter(n => n.startsWith('b')).length
    assert.ok(before('a2') >= 4, order.join(' '))
  })

  it('gives a queue no credit for the time in which it was empty', () => {
    const b = bench(1, [64, 1, 50])
    for (let i = 0; i < 100; i++) {
      const request = b.send('a', 'ann')
      b.clock.advance(10)
      b.finish(request)
    }
    b.taken()
    const all = new Map<string, FlowRequest>([['a0', b.send('a0', 'ann')]])
    for (let i = 0; i < 4; i++) all.set(`b${i}`, b.send(`b${i}`, 'bob'))
    for (let i = 1; i < 4; i++) all.set(`a${i}`, b.send(`a${i}`, 'ann'))
    b.taken()
    const order: string[] = []
    for (let next: string | undefined = 'a0'; next; next = b.taken()[0]?.split(' ')[0]) {
      order.push(next)
      b.clock.advance(10)
      b.finish(all.get(next)!)
    }
    assert.deepEqual(order, ['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  })

  it('waits until a wide request has its seats', () => {
    const b = bench(3, [64, 1, 50])
    const narrow = [b.send('1', 'ann'), b.send('2', 'ann'), b.send('3', 'ann')]
    b.send('wide', 'ann', { initialSeats: 2 })
    b.send('4', 'ann')
    b.taken()
    b.finish(narrow[0]!)
    assert.deepEqual(b.taken(), [])
    b.finish(narrow[1]!)
    assert.deepEqual(b.taken(), ['wide begins'])
    b.finish(narrow[2]!)
    assert.deepEqual(b.taken(), ['4 begins'])
  })

  it('keeps the seats of a write while its watchers are told', () => {
    const b = bench(2, [1, 1, 10])
    const write = b.send('write', 'ann', { finalSeats: 2, additionalMs: 5 })
    b.send('next', 'ann')
    b.finish(write)
    assert.deepEqual(b.taken(), ['write begins', 'next waits'])
    b.clock.advance(4)
    assert.deepEqual(b.taken(), [])
    b.clock.advance(1)
    assert.deepEqual(b.taken(), ['next begins'])
  })

  it('takes longer over final work that is wider than the level', () => {
    const b = bench(2, [1, 1, 10])
    const write = b.send('write', 'ann', { finalSeats: 10, additionalMs: 5 })
    assert.deepEqual(write.estimate, { initialSeats: 1, finalSeats: 2, additionalMs: 25 })
  })
})

describe('a request in a queue', () => {
  it('is refused when it has waited long enough', () => {
    const b = bench(1, [1, 1, 10])
    const first = b.send('1', 'ann')
    const [late, later] = [b.send('late', 'ann'), b.send('later', 'ann')]
    b.level('l').queues.limitWait(later, 2000)
    b.level('l').queues.limitWait(late, 1000)
    b.taken()
    b.clock.advance(999)
    assert.deepEqual(b.taken(), [])
    b.clock.advance(1)
    assert.deepEqual(b.taken(), ['late is refused'])
    b.clock.advance(1000)
    assert.deepEqual(b.taken(), ['later is refused'])
    assert.deepEqual([...b.configuration.flowStats.of('l', 's').rejected], [['time-out', 2]])
    assert.equal(b.level('l').queues.waiting, 0)
    b.finish(first)
    assert.ok(b.level('l').queues.isIdle)
  })

  it('leaves its queue when its client goes', () => {
    const b = bench(1, [1, 1, 1])
    const { queues } = b.level('l')
    const first = b.send('1', 'ann')
    const gone = b.send('gone', 'ann')
    assert.ok(queues.leave(gone))
    assert.ok(!queues.leave(gone))
    b.send('2', 'ann')
    b.finish(first)
    assert.deepEqual(b.taken(), ['1 begins', 'gone waits', '2 waits', '2 begins'])
    assert.equal(queues.cancelled, 1)
  })

  it('makes way for those behind it when it was too wide', () => {
    const b = bench(2, [1, 1, 10])
    b.send('1', 'ann')
    const wide = b.send('wide', 'ann', { initialSeats: 2 })
    b.send('2', 'ann')
    b.taken()
    b.level('l').queues.leave(wide)
    assert.deepEqual(b.taken(), ['2 begins'])
  })
})
