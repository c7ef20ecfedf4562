/** What client-go's tests of leader election ask for (tools/leaderelection of v0.37.2), for an election over a client. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LeaseSpec } from '../../apimachinery/api/generated/coordination-v1.js'
import { alreadyExists, notFound, type StatusError, staleResourceVersion } from '../../apimachinery/status/status.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'
import { nextTurn } from '../../util/turns.js'
import { clientLease } from './client-lease.js'
import { type ElectionOptions, LeaderElection, usualTimes } from './leader-election.js'

const leases = { group: 'coordination.k8s.io', resource: 'leases' }
const { leaseDuration, renewDeadline, retryPeriod } = usualTimes

/** A server with one Lease, and the requests that it got. */
function open(present?: Partial<LeaseSpec>) {
  const clock = new FakeClock()
  const requests: string[] = []
  let version = 1
  let lease: any = present && { metadata: { name: 'lock', resourceVersion: '1' }, spec: present }
  /** What requests fail by, in their order; `hang` for one that is never answered. */
  const failures: (StatusError | Error | 'hang' | undefined)[] = []
  const answer = async (verb: string, work: () => unknown) => {
    requests.push(verb)
    const failure = failures.shift()
    if (failure === 'hang') return new Promise(() => {})
    if (failure) throw failure
    return structuredClone(work())
  }
  const client: any = {
    of: () => ({
      find: () => answer('get', () => lease),
      create: ({ metadata, spec }: any) =>
        answer('create', () => {
          if (lease) throw alreadyExists(leases, 'lock')
          return (lease = { metadata: { ...metadata, resourceVersion: String(++version) }, spec })
        }),
      update: (object: any) =>
        answer('update', () => {
          if (!lease) throw notFound(leases, 'lock')
          if (object.metadata.resourceVersion !== lease.metadata.resourceVersion) throw staleResourceVersion(leases, 'lock')
          return (lease = { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } })
        })
    })
  }
  const leading = new Set<string>()
  const leaders: string[] = []
  let losses = 0
  const join = (identity: string, more: Partial<ElectionOptions> = {}) =>
    new LeaderElection({
      lock: clientLease(client, 'lock', 'team'),
      identity,
      times: usualTimes,
      clock,
      log: silentLogger,
      lead: async () => {
        leading.add(identity)
        return { stop: async () => void leading.delete(identity) }
      },
      lost: () => void losses++,
      changed: leader => void leaders.push(leader),
      ...more
    })
  /** Advances the clock, and lets what falls due come to its end. */
  const pass = async (milliseconds: number) => {
    for (let rest = milliseconds; rest > 0; rest -= 500) {
      clock.advance(Math.min(rest, 500))
      for (let i = 0; i < 25; i++) await nextTurn()
      assert.ok(leading.size <= 1, 'two lead')
    }
  }
  return {
    ...{ clock, requests, failures, leading, leaders, join, pass },
    spec: (): LeaseSpec => lease?.spec,
    /** Another process writes the Lease. */
    write: (spec: Partial<LeaseSpec>) => {
      lease = { metadata: { name: 'lock', resourceVersion: String(++version) }, spec: { ...lease?.spec, ...spec } }
    },
    remove: () => (lease = undefined),
    losses: () => losses
  }
}
const held = { holderIdentity: 'other', leaseDurationSeconds: 15, leaseTransitions: 0, renewTime: '2026-01-01T00:00:00.000000Z' }
const conflict = staleResourceVersion(leases, 'lock')

describe('a candidate', () => {
  test('makes the Lease that is not there', async () => {
    const { join, leading, requests, spec, leaders } = open()
    await join('a').start()
    assert.deepEqual([...leading], ['a'])
    assert.deepEqual(requests, ['get', 'create'])
    assert.deepEqual(spec(), {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0
    })
    assert.deepEqual(leaders, ['a'])
  })

  for (const [what, present] of [
    ['that nobody has ever held', {}],
    ['that was given back', { ...held, holderIdentity: '' }],
    ['whose holder never said for how long', { holderIdentity: 'other' }]
  ] as const)
    test(`takes a Lease ${what}, which is a transition`, async () => {
      const { join, leading, requests, spec } = open(present)
      await join('a').start()
      assert.deepEqual([...leading], ['a'])
      assert.deepEqual(requests, ['get', 'update'])
      assert.equal(spec().leaseTransitions, 1)
    })

  test('waits until a Lease was not renewed for its duration, by its own clock, whatever time the Lease has', async () => {
    const { join, leading, pass, leaders, spec, clock } = open({ ...held, leaseDurationSeconds: 3 })
    clock.advance(60 * 60 * 1000)
    await join('a').start()
    await pass(2500)
    assert.deepEqual([...leading], [])
    await pass(1500)
    assert.deepEqual([...leading], ['a'])
    assert.equal(spec().leaseTransitions, 1)
    assert.deepEqual(leaders, ['other', 'a'])
  })

  test('waits for one that is renewed as long as that goes on', async () => {
    const { join, leading, pass, write } = open(held)
    await join('a').start()
    for (let i = 0; i < 5; i++) {
      await pass(10_000)
      write({ renewTime: `2026-01-01T00:00:0${i + 1}.000000Z` })
    }
    assert.deepEqual([...leading], [])
  })

  test('goes on with the Lease that it held before it started again', async () => {
    const { join, leading, spec } = open({
      ...held,
      holderIdentity: 'a',
      acquireTime: '2025-01-01T00:00:00.000000Z',
      leaseTransitions: 4
    })
    await join('a').start()
    assert.deepEqual([...leading], ['a'])
    assert.deepEqual([spec().acquireTime, spec().leaseTransitions], ['2025-01-01T00:00:00.000000Z', 4])
  })

  test('meets one that is faster', async () => {
    const { join, leading, failures, requests, write } = open()
    failures.push(undefined, alreadyExists(leases, 'lock'))
    const starting = join('a').start()
    write(held)
    await starting
    assert.deepEqual(requests, ['get', 'create', 'get'])
    assert.deepEqual([...leading], [])
  })

  test('tries again when the server cannot be reached, or does not answer', async () => {
    const { join, leading, failures, pass } = open()
    failures.push(new Error('no connection'), 'hang')
    await join('a').start()
    await pass(retryPeriod + renewDeadline)
    assert.deepEqual([...leading], [])
    await pass(retryPeriod)
    assert.deepEqual([...leading], ['a'])
  })

  test('comes at times of its own', async () => {
    const { join, requests, pass } = open(held)
    await join('a', { fraction: () => 1 }).start()
    await pass(2.2 * retryPeriod - 500)
    assert.equal(requests.length, 1)
    await pass(500)
    assert.equal(requests.length, 2)
  })
})

describe('a leader', () => {
  test('writes its Lease again without a look', async () => {
    const { join, requests, pass, spec } = open()
    await join('a').start()
    await pass(2 * retryPeriod)
    assert.deepEqual(requests, ['get', 'create', 'update', 'update'])
    assert.deepEqual([spec().renewTime, spec().acquireTime], ['2026-01-01T00:00:04.000000Z', '2026-01-01T00:00:00.000000Z'])
  })

  test('looks when that fails, and goes on', async () => {
    const { join, requests, pass, failures, leading } = open()
    await join('a').start()
    failures.push(conflict)
    await pass(2 * retryPeriod)
    assert.deepEqual(requests, ['get', 'create', 'update', 'get', 'update', 'update'])
    assert.deepEqual([...leading], ['a'])
  })

  test('makes its Lease again when somebody has deleted it', async () => {
    const { join, pass, remove, leading, spec } = open()
    await join('a').start()
    remove()
    await pass(retryPeriod)
    assert.deepEqual([...leading], ['a'])
    assert.equal(spec().holderIdentity, 'a')
  })

  test('bears failures that are shorter than the deadline', async () => {
    const { join, pass, failures, leading, losses } = open()
    await join('a').start()
    for (let i = 0; i < 3; i++) failures.push(new Error('no connection'))
    await pass(renewDeadline)
    assert.deepEqual([...leading], ['a'])
    assert.equal(losses(), 0)
  })

  test('stops when it cannot renew until the deadline, and before another can begin; it does not stand again', async () => {
    const { join, pass, failures, leading, losses, requests } = open()
    await join('a').start()
    for (let i = 0; i < 10; i++) failures.push(new Error('no connection'))
    await pass(renewDeadline)
    assert.deepEqual([...leading], [])
    assert.equal(losses(), 1)
    assert.ok(renewDeadline < leaseDuration)
    const { length } = requests
    await pass(60_000)
    assert.equal(requests.length, length)
  })

  test('stops at the deadline also while a request is not answered', async () => {
    const { join, pass, failures, leading, losses } = open()
    await join('a').start()
    failures.push('hang')
    await pass(renewDeadline)
    assert.deepEqual([...leading], [])
    assert.equal(losses(), 1)
  })

  test('stops at once when another one has its Lease', async () => {
    const { join, pass, write, leading, leaders, spec } = open()
    await join('a').start()
    write({ holderIdentity: 'b' })
    await pass(retryPeriod)
    assert.deepEqual([...leading], [])
    assert.deepEqual(leaders, ['a', 'b'])
    assert.equal(spec().holderIdentity, 'b')
  })

  test('whose work cannot begin tries again', async () => {
    let attempts = 0
    const { join, pass } = open()
    await join('a', {
      lead: async () => {
        if (++attempts === 1) throw new Error('not yet')
        return { stop: async () => {} }
      }
    }).start()
    await pass(retryPeriod)
    assert.equal(attempts, 2)
  })

  test('is not healthy when it has not renewed its Lease for long, though it should have stopped', async () => {
    let now = Date.UTC(2026, 0, 1)
    const stuck = { now: () => now, setTimeout: () => ({ cancel() {} }) }
    const leader = open().join('a', { clock: stuck })
    const follower = open(held).join('b', { clock: stuck })
    await Promise.all([leader.start(), follower.start()])
    now += leaseDuration + 20_000
    assert.equal(leader.problem(20_000), undefined)
    assert.match(String(leader.problem()), /not renewed for 35000 ms/)
    now += 1
    assert.match(String(leader.problem(20_000)), /not renewed for 35001 ms/)
    assert.equal(follower.problem(), undefined)
  })
})

describe('a leader that stops', () => {
  test('gives its Lease back, once its work has ended', async () => {
    const order: string[] = []
    const { join, spec, requests } = open()
    const election = join('a', {
      lead: async () => ({
        stop: async () => {
          order.push(`work ends while ${spec().holderIdentity} leads`)
        }
      })
    })
    await election.start()
    await election.stop()
    assert.deepEqual(order, ['work ends while a leads'])
    assert.deepEqual([spec().holderIdentity, spec().leaseDurationSeconds, spec().leaseTransitions], ['', 1, 0])
    assert.deepEqual(requests, ['get', 'create', 'update'])
  })

  test('tries again when somebody writes at the same time', async () => {
    const { join, spec, failures } = open()
    const election = join('a')
    await election.start()
    failures.push(conflict)
    await election.stop()
    assert.equal(spec().holderIdentity, '')
  })

  test('leaves a Lease alone that is no longer its own, or gone', async () => {
    for (const change of ['write', 'remove'] as const) {
      const { join, spec, write, remove } = open()
      const election = join('a')
      await election.start()
      if (change === 'write') write({ holderIdentity: 'b' })
      else remove()
      await election.stop()
      assert.equal(spec()?.holderIdentity, change === 'write' ? 'b' : undefined)
    }
  })

  test('waits for a renewal that is under way', async () => {
    const { join, spec, clock } = open()
    const election = join('a')
    await election.start()
    clock.advance(retryPeriod)
    await election.stop()
    await nextTurn()
    assert.equal(spec().holderIdentity, '')
  })

  test('keeps it when it is told so, and one that does not lead has nothing to give back', async () => {
    const { join, spec, requests } = open()
    const election = join('a', { releases: false })
    await election.start()
    await election.stop()
    assert.equal(spec().holderIdentity, 'a')
    const follower = join('b')
    await follower.start()
    await follower.stop()
    assert.equal(requests.at(-1), 'get')
  })
})

test('times with which two could lead are refused', () => {
  const { join } = open()
  const wrong = (times: object) => () => join('a', { times: { ...usualTimes, ...times } })
  assert.throws(wrong({ leaseDuration: renewDeadline }), /leaseDuration must be greater than renewDeadline/)
  assert.throws(wrong({ renewDeadline: 2400 }), /renewDeadline must be greater than 1.2 times retryPeriod/)
  assert.throws(wrong({ retryPeriod: 0 }), /retryPeriod must be greater than 0/)
  assert.throws(() => join(''), /identity of a candidate is empty/)
  wrong({ leaseDuration: 15_000, renewDeadline: 2000, retryPeriod: 1000 })()
})
