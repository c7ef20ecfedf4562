import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FlowBench, level, schema } from '../../testkit/flow-control.js'

describe('the seats of levels', () => {
  const limits = (bench: FlowBench, name: string) => {
    const { nominal, least, most, current } = bench.level(name)
    return [nominal, least, most, current]
  }

  it('are divided by shares, with what levels lend and borrow', () => {
    const bench = new FlowBench(600)
    bench.configuration.use(
      [level('a', { shares: 40, lendable: 25 }), level('b', { shares: 100, lendable: 90, borrowing: 10 })],
      []
    )
    assert.deepEqual(limits(bench, 'a').slice(0, 3), [166, 124, 766])
    assert.deepEqual(limits(bench, 'b').slice(0, 3), [414, 41, 455])
    assert.deepEqual(limits(bench, 'catch-all').slice(0, 3), [21, 21, 621])
    assert.deepEqual(limits(bench, 'exempt'), [0, 0, 600, 0])
  })

  it('are lent every ten seconds to levels that need them', () => {
    const bench = new FlowBench(100)
    const busy = level('busy', { shares: 45, lendable: 50 })
    bench.configuration.use([busy, level('idle', { shares: 50, lendable: 80 })], [schema('s', 'busy', ['ann'])])
    const requests = Array.from({ length: 200 }, (_, i) => bench.send(String(i), 'ann'))
    const begun = requests.filter(({ isUnderWay }) => isUnderWay)
    const before = bench.level('busy').current
    assert.equal(begun.length, before)
    bench.clock.advance(10_000)
    bench.configuration.adjust()
    assert.ok(bench.level('busy').current > 70, String(bench.level('busy').current))
    const sum = ['busy', 'idle', 'catch-all'].reduce((all, name) => all + bench.level(name).current, 0)
    assert.ok(Math.abs(sum - 100) <= 1)
    for (const request of begun) bench.finish(request)
    // the demand of the past is forgotten slowly
    bench.clock.advance(10_000)
    bench.configuration.adjust()
    bench.clock.advance(10_000)
    bench.configuration.adjust()
    const after = bench.level('busy').current
    for (let i = 0; i < 300; i++) {
      bench.clock.advance(10_000)
      bench.configuration.adjust()
    }
    assert.ok(bench.level('busy').current < after)
  })

  it('never are fewer than a level keeps, nor more than it may borrow', () => {
    const bench = new FlowBench(100)
    bench.configuration.use(
      [level('a', { shares: 45, lendable: 50 }), level('b', { shares: 50, lendable: 80, borrowing: 20, queuing: [1, 1, 1000] })],
      [schema('s', 'b', ['ann'])]
    )
    for (let i = 0; i < 500; i++) bench.send(String(i), 'ann')
    bench.clock.advance(10_000)
    bench.configuration.adjust()
    const [a, b] = [bench.level('a'), bench.level('b')]
    assert.ok(a.current >= a.least)
    assert.equal(b.current, b.most)
  })

  it('of the exempt level are what it needs, and the others have the rest', () => {
    const bench = new FlowBench(20)
    bench.configuration.use([level('l', { shares: 15, lendable: 100 })], [])
    const { queues } = bench.level('exempt')
    const schemas = bench.configuration.schemas
    const find = schemas.find.bind(schemas)
    schemas.find = (_, info) => find({ name: 'admin', groups: ['system:masters'] }, info)
    for (let i = 0; i < 12; i++) bench.send(String(i), 'admin')
    bench.configuration.adjust()
    assert.equal(queues.seatsInUse, 12)
    assert.equal(bench.level('exempt').current, 12)
  })
})

describe('a change of the configuration', () => {
  const queuing = [4, 2, 10] as const

  it('lets a level without its object end its work, and then go', () => {
    const bench = new FlowBench(2)
    bench.configuration.use([level('l', { shares: 5, borrowing: 0, queuing })], [schema('s', 'l', ['ann'])])
    const [first, second] = [bench.send('1', 'ann'), bench.send('2', 'ann')]
    bench.configuration.use([], [schema('s', 'l', ['ann'])])
    assert.equal(bench.level('l').quiescing, true)
    assert.equal(bench.send('3', 'ann').flow.schema.name, 'catch-all')
    bench.finish(first)
    assert.deepEqual(bench.taken(), ['1 begins', '2 waits', '3 begins', '2 begins'])
    assert.ok(bench.level('l'))
    bench.finish(second)
    assert.equal(bench.level('l'), undefined)
  })

  it('takes up a level again that came back in time', () => {
    const bench = new FlowBench(2)
    const objects = [[level('l', { shares: 5, borrowing: 0, queuing })], [schema('s', 'l', ['ann'])]] as const
    bench.configuration.use(...objects)
    const first = bench.send('1', 'ann')
    bench.configuration.use([], [])
    bench.configuration.use(...objects)
    assert.equal(bench.level('l').quiescing, false)
    bench.send('2', 'ann')
    bench.finish(first)
    assert.deepEqual(bench.taken(), ['1 begins', '2 waits', '2 begins'])
  })

  it('serves those that wait by the new number of seats', () => {
    const bench = new FlowBench(2)
    const use = (shares: number) =>
      bench.configuration.use([level('l', { shares, borrowing: 0, queuing })], [schema('s', 'l', ['ann'])])
    use(5)
    for (const name of ['1', '2', '3']) bench.send(name, 'ann')
    assert.deepEqual(bench.taken(), ['1 begins', '2 waits', '3 waits'])
    use(100)
    assert.deepEqual(bench.taken(), ['2 begins'])
  })

  it('leaves requests in queues that are one too many', () => {
    const bench = new FlowBench(2)
    const use = (queues: number) =>
      bench.configuration.use(
        [level('l', { shares: 5, borrowing: 0, queuing: [queues, 1, 10] })],
        [schema('s', 'l', ['ann', 'bob', 'cat', 'dan'])]
      )
    use(64)
    const requests = ['ann', 'bob', 'cat', 'dan'].map(user => bench.send(user, user))
    use(1)
    bench.taken()
    for (const request of requests) bench.finish(request)
    assert.deepEqual(bench.taken().sort(), ['bob begins', 'cat begins', 'dan begins'])
    assert.equal(bench.level('l').queues.queues.length, 1)
  })

  it('lets a level that refuses now still serve those that wait', () => {
    const bench = new FlowBench(2)
    const schemas = [schema('s', 'l', ['ann'])]
    bench.configuration.use([level('l', { shares: 5, borrowing: 0, queuing })], schemas)
    const first = bench.send('1', 'ann')
    bench.send('2', 'ann')
    bench.configuration.use([level('l', { shares: 5, borrowing: 0 })], schemas)
    bench.send('3', 'ann')
    bench.finish(first)
    assert.deepEqual(bench.taken(), ['1 begins', '2 waits', '3 refused', '2 begins'])
  })

  it('ignores a level whose object contradicts itself', () => {
    const bench = new FlowBench(2)
    const broken = { name: 'l', uid: '', spec: { type: 'Limited' } }
    bench.configuration.use([broken], [schema('s', 'l', ['ann'])])
    assert.equal(bench.level('l'), undefined)
    assert.equal(bench.send('1', 'ann').flow.schema.name, 'catch-all')
  })
})
