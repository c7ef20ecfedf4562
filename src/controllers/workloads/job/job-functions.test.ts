import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Job } from '../../../apimachinery/api/generated/batch-v1.js'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { failuresWith, finishedAt, noFailures, remaining } from './backoff.js'
import { IndexSet } from './index-set.js'
import { failureRule, successRule } from './policies.js'

const second = (count: number) => new Date(count * 1000).toISOString()
const ended = (at: number, exitCode = 1) =>
  ({
    metadata: { name: 'p', namespace: 'n' },
    spec: {},
    status: { containerStatuses: [{ name: 'c', state: { terminated: { exitCode, finishedAt: second(at) } } }] }
  }) as unknown as Pod

describe('a set of indexes', () => {
  test('is read and written as in the status', () => {
    for (const text of ['', '0', '0,1', '0-2', '1,3-5,7,8', '2,4,6-9']) assert.equal(String(IndexSet.parse(text, 10)), text)
    assert.equal(String(IndexSet.parse('0-2,x,3,5-20,21', 10)), '0-3,5-9')
    assert.equal(String(IndexSet.parse('12', 10)), '')
  })

  test('grows, and knows what is missing', () => {
    const set = IndexSet.parse('1,4-6', 10).with([2, 0, 9])
    assert.equal(String(set), '0-2,4-6,9')
    assert.deepEqual([set.size, set.has(3), set.has(5), set.has(9), set.has(10)], [7, false, true, true, false])
    assert.deepEqual(set.firstMissing(5, 12), [3, 7, 8, 10, 11])
    assert.deepEqual(set.firstMissing(2, 12), [3, 7])
    assert.equal(set.common(IndexSet.parse('2-4,9', 10)), 3)
    assert.deepEqual(IndexSet.empty.firstMissing(2, 1), [0])
  })
})

describe('the back-off of a Job', () => {
  test('doubles from ten seconds to ten minutes', () => {
    const waits = [0, 1, 2, 3, 6, 7, 40].map(count => remaining({ count, last: 0 }, 0) / 1000)
    assert.deepEqual(waits, [0, 10, 20, 40, 320, 600, 600])
    assert.equal(remaining({ count: 1, last: 0 }, 4000), 6000)
    assert.equal(remaining({ count: 1, last: 0 }, 40_000), 0)
  })

  test('counts failures since the last success', () => {
    const two = failuresWith(noFailures, [], [ended(3), ended(5)])
    assert.deepEqual(two, { count: 2, last: 5000 })
    assert.deepEqual(failuresWith(two, [], [ended(9)]), { count: 3, last: 9000 })
    assert.deepEqual(failuresWith(two, [ended(7)], []), noFailures)
    assert.deepEqual(failuresWith(two, [ended(7)], [ended(6), ended(9)]), { count: 1, last: 9000 })
    assert.equal(failuresWith(two, [], []), two)
  })

  test('knows when a Pod ended, also where it does not say so', () => {
    const pod = ended(3)
    assert.equal(finishedAt(pod), 3000)
    const deleted = { creationTimestamp: second(1), deletionTimestamp: second(40), deletionGracePeriodSeconds: 30 }
    assert.equal(finishedAt({ ...pod, metadata: deleted, status: {} } as Pod), 10_000)
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: second(7) }]
    assert.equal(finishedAt({ ...pod, metadata: deleted, status: { conditions } } as unknown as Pod), 7000)
  })
})

describe('the policies of a Job', () => {
  const withRules = (rules: object[]) => ({ spec: { podFailurePolicy: { rules } } }) as unknown as Job

  test('of failures take the first rule that matches', () => {
    const inThree = { onExitCodes: { operator: 'In', values: [3] } }
    const job = withRules([
      { action: 'Ignore', ...inThree },
      { action: 'Count', onExitCodes: { operator: 'NotIn', values: [4] } }
    ])
    assert.deepEqual(failureRule(job, ended(1, 3)), { action: 'Ignore', counts: false, message: undefined })
    assert.deepEqual(failureRule(job, ended(1, 5)), { action: 'Count', counts: true, message: undefined })
    assert.deepEqual(failureRule(job, ended(1, 4)), { action: undefined, counts: true, message: undefined })
    assert.equal(
      failureRule(
        withRules([{ action: 'FailJob', onExitCodes: { ...inThree.onExitCodes, containerName: 'other' } }]),
        ended(1, 3)
      ).action,
      undefined
    )
    const pod = ended(1)
    pod.status.conditions = [{ type: 'DisruptionTarget', status: 'True' }] as unknown as Pod['status']['conditions']
    const onPodConditions = [{ type: 'DisruptionTarget', status: 'True' }]
    const { message } = failureRule(withRules([{ action: 'FailJob', onPodConditions }]), pod)
    assert.equal(message, 'Pod n/p has condition DisruptionTarget matching FailJob rule at index 0')
  })

  test('of success hold by indexes, by count, or by both', () => {
    const rule = (rules: object[], succeeded: string) =>
      successRule({ spec: { completions: 10, successPolicy: { rules } } } as unknown as Job, IndexSet.parse(succeeded, 10))
    assert.equal(rule([{ succeededIndexes: '1,3' }, { succeededCount: 2 }], '1,2'), 'Matched rules at index 1')
    assert.equal(rule([{ succeededIndexes: '1-2' }], '0-5'), 'Matched rules at index 0')
    assert.equal(rule([{ succeededIndexes: '1-5', succeededCount: 2 }], '0,4,5'), 'Matched rules at index 0')
    assert.equal(rule([{ succeededIndexes: '1-5', succeededCount: 2 }], '0,4'), undefined)
    assert.equal(rule([{ succeededCount: 0 }], ''), undefined)
  })
})
