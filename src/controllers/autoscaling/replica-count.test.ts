import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import { timestamp } from '../../util/time.js'
import { byAverage, byShare, byUtilization, byValue, type PodsOf } from './replica-count.js'

const now = Date.UTC(2030, 0, 1)
const tolerances = { up: 0.1, down: 0.1 }

interface PodState {
  phase?: string
  readyFor?: number
  startedFor?: number
  ready?: boolean
}
const pod = (name: string, { phase = 'Running', startedFor = 3600, readyFor = startedFor, ready = true }: PodState = {}): Pod =>
  ({
    metadata: { name },
    spec: { containers: [{ name: 'web', resources: { requests: { cpu: '100m' } } }] },
    status: {
      phase,
      startTime: timestamp(now - startedFor * 1000),
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: timestamp(now - readyFor * 1000) }]
    }
  }) as unknown as Pod

const given = (pods: Pod[], current = pods.length): PodsOf => ({ pods, current, tolerances, now })
const metrics = (values: Record<string, number>) => new Map(Object.entries(values))
const cpu = (pods: Pod[], values: Record<string, number>, target = 50) => {
  const { replicas, utilization } = byUtilization(given(pods), metrics(values), target, 'cpu', undefined)
  return [replicas, utilization]
}

describe('the count of Pods that a metric asks for', () => {
  test('follows what Pods use of what they request', () => {
    const pods = [pod('a'), pod('b')]
    assert.deepEqual(cpu(pods, { a: 100, b: 100 }), [4, 100])
    assert.deepEqual(cpu(pods, { a: 10, b: 10 }), [1, 10])
    assert.deepEqual(cpu(pods, { a: 50, b: 59 }), [2, 54], 'within the tolerance')
    assert.deepEqual(cpu(pods, { a: 56, b: 56 }), [3, 56], 'beyond it')
  })

  test('does not count Pods that are going or not ready for more', () => {
    const going = pod('c')
    going.metadata.deletionTimestamp = timestamp(now)
    assert.deepEqual(cpu([pod('a'), going], { a: 100, c: 900 }), [2, 100])
    const pending = pod('c', { phase: 'Pending' })
    assert.deepEqual(cpu([pod('a'), pending], { a: 100 }), [2, 100], 'of 2, half of the usage of one')
    assert.deepEqual(cpu([pod('a'), pending], { a: 300 }), [6, 300])
    assert.throws(() => cpu([pending], { c: 1 }), /pods might be unready/)
  })

  test('leaves out what Pods use while they start', () => {
    const starting = pod('b', { startedFor: 100, readyFor: 10 })
    assert.deepEqual(cpu([pod('a'), starting], { a: 50, b: 900 }), [2, 50])
    assert.deepEqual(cpu([pod('a'), pod('b', { startedFor: 100, readyFor: 20 })], { a: 50, b: 150 }), [4, 100])
    assert.deepEqual(cpu([pod('a'), pod('b', { ready: false, readyFor: 3590 })], { a: 50, b: 900 }), [2, 50], 'never ready')
    assert.deepEqual(cpu([pod('a'), pod('b', { ready: false, readyFor: 60 })], { a: 50, b: 150 }), [4, 100], 'not any more')
  })

  test('assumes that Pods without metrics use what changes least', () => {
    const pods = [pod('a'), pod('b'), pod('c')]
    assert.deepEqual(cpu(pods, { a: 100, b: 100 }), [4, 100], 'the third uses nothing')
    assert.deepEqual(cpu(pods, { a: 10, b: 10 }), [3, 10], 'the third uses all')
  })

  test('needs requests', () => {
    const one = pod('a')
    one.spec.containers![0]!.resources = {}
    assert.throws(() => cpu([one], { a: 1 }), /^Error: missing request for cpu in container web of Pod a$/)
    assert.throws(() => byUtilization(given([pod('a')]), metrics({ a: 1 }), 50, 'cpu', 'x'), /container x not found in Pod a/)
  })

  test('follows averages, values and shares', () => {
    const pods = [pod('a'), pod('b')]
    assert.deepEqual(byAverage(given(pods), metrics({ a: 3000, b: 1000 }), 1000), { replicas: 4, usage: 2000 })
    assert.deepEqual(byValue(given(pods), 3000, 1000), { replicas: 6, usage: 3000 })
    assert.deepEqual(byValue(given([], 0), 3000, 1000), { replicas: 3, usage: 3000 })
    assert.deepEqual(byShare(2, tolerances, 3000, 1000), { replicas: 3, usage: 1500 })
    assert.deepEqual(byShare(2, tolerances, 2100, 1000), { replicas: 2, usage: 1050 })
  })
})
