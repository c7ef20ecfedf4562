import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { LeaseSpec } from '../../apimachinery/api/generated/coordination-v1.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'
import { LeaderElection, type Lock, usualTimes } from './leader-election.js'

const { leaseDuration, renewDeadline, retryPeriod } = usualTimes

/** Makes a Lease from which the test can cut off individual servers. */
function open() {
  const clock = new FakeClock()
  let spec: LeaseSpec | undefined
  const leading = new Set<string>()
  const cut = new Set<string>()
  const elections: LeaderElection[] = []
  const join = async (identity: string) => {
    const lock: Lock = {
      async update(change) {
        if (cut.has(identity)) throw new Error('no connection')
        spec = change(spec) ?? spec
      }
    }
    const lead = async () => {
      leading.add(identity)
      return { stop: async () => void leading.delete(identity) }
    }
    const election = new LeaderElection({ lock, identity, times: usualTimes, clock, log: silentLogger, lead })
    elections.push(election)
    await election.start()
    return election
  }
  /** Advances the clock step by step. */
  const pass = async (milliseconds: number) => {
    for (let rest = milliseconds; rest > 0; rest -= retryPeriod) {
      clock.advance(Math.min(rest, retryPeriod))
      for (let i = 0; i < 25; i++) await setImmediate()
      assert.ok(leading.size <= 1, 'two lead')
    }
  }
  return { join, pass, leading, cut, spec: () => spec }
}

describe('leader election', () => {
  test('the first server leads and keeps leading', async () => {
    const { join, pass, leading, spec } = open()
    await join('a')
    await join('b')
    await pass(10 * leaseDuration)
    assert.deepEqual([...leading], ['a'])
    assert.equal(spec()?.leaseTransitions, 0)
  })

  test('a leader that is cut off stops its work before the next leader begins', async () => {
    const { join, pass, leading, cut, spec } = open()
    await join('a')
    await join('b')
    cut.add('a')
    await pass(renewDeadline)
    assert.deepEqual([...leading], [])
    await pass(leaseDuration)
    assert.deepEqual([...leading], ['b'])
    cut.delete('a')
    await pass(10 * leaseDuration)
    assert.deepEqual([...leading], ['b'])
    assert.equal(spec()?.leaseTransitions, 1)
  })

  test('a leader that stops releases the Lease at once', async () => {
    const { join, pass, leading } = open()
    const a = await join('a')
    await join('b')
    await a.stop()
    assert.deepEqual([...leading], [])
    await pass(retryPeriod)
    assert.deepEqual([...leading], ['b'])
  })
})
