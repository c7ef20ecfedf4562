import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HorizontalPodAutoscalerBehavior } from '../../apimachinery/api/generated/autoscaling-v2.js'
import { ScaleHistory, type Wanted } from './history.js'

const seconds = (count: number) => count * 1000
const wanted = (current: number, desired: number, more: Partial<Wanted> = {}): Wanted => ({
  current,
  desired,
  min: 1,
  max: 100,
  ...more
})

const short = (history: ScaleHistory, given: Wanted, now: number, behavior?: HorizontalPodAutoscalerBehavior) => {
  const { replicas, ableToScale, scalingLimited } = history.decide(given, behavior, now)
  return [replicas, ableToScale.reason, scalingLimited.reason, scalingLimited.isLimited]
}

describe('the changes of an autoscaler', () => {
  test('go up at once, by twice at most, and down when no higher count was wanted for five minutes', () => {
    const history = new ScaleHistory()
    assert.deepEqual(short(history, wanted(2, 9), 0), [4, 'ReadyForNewScale', 'ScaleUpLimit', true])
    assert.deepEqual(short(history, wanted(4, 9), seconds(15)), [8, 'ReadyForNewScale', 'ScaleUpLimit', true])
    assert.deepEqual(short(history, wanted(8, 3), seconds(30)), [9, 'ScaleDownStabilized', 'DesiredWithinRange', false])
    assert.deepEqual(short(history, wanted(9, 3), seconds(315)), [9, 'ScaleDownStabilized', 'DesiredWithinRange', false])
    assert.deepEqual(short(history, wanted(9, 3), seconds(316)), [3, 'ReadyForNewScale', 'DesiredWithinRange', false])
  })

  test('stay within the limits of the autoscaler', () => {
    const history = new ScaleHistory()
    assert.deepEqual(short(history, wanted(3, 9, { max: 5 }), 0), [5, 'ReadyForNewScale', 'TooManyReplicas', true])
    assert.deepEqual(short(new ScaleHistory(), wanted(3, 1, { min: 2 }), 0), [2, 'ReadyForNewScale', 'TooFewReplicas', true])
  })

  test('obey the policies of a behavior', () => {
    const rules = (type: string, value: number, selectPolicy = 'Max') => ({
      selectPolicy,
      stabilizationWindowSeconds: 0,
      policies: [{ type, value, periodSeconds: 60 }]
    })
    const behavior = { scaleUp: rules('Pods', 3), scaleDown: rules('Percent', 50) }
    const history = new ScaleHistory()
    assert.deepEqual(short(history, wanted(2, 9), 0, behavior), [5, 'ReadyForNewScale', 'ScaleUpLimit', true])
    history.changed(behavior, 2, 5, 0)
    assert.deepEqual(short(history, wanted(5, 9), seconds(59), behavior), [5, 'ReadyForNewScale', 'ScaleUpLimit', true])
    assert.deepEqual(short(history, wanted(5, 9), seconds(60), behavior), [8, 'ReadyForNewScale', 'ScaleUpLimit', true])
    assert.deepEqual(short(history, wanted(9, 2), seconds(120), behavior), [4, 'ReadyForNewScale', 'ScaleDownLimit', true])
    history.changed(behavior, 9, 4, seconds(120))
    assert.deepEqual(short(history, wanted(4, 2), seconds(130), behavior), [4, 'ReadyForNewScale', 'ScaleDownLimit', true])
    const fixed = { ...behavior, scaleDown: rules('Pods', 1, 'Disabled') }
    assert.deepEqual(short(history, wanted(9, 2), seconds(400), fixed), [9, 'ReadyForNewScale', 'ScaleDownLimit', true])
  })

  test('wait for the stabilization windows of a behavior', () => {
    const rules = (window: number) => ({
      selectPolicy: 'Max',
      stabilizationWindowSeconds: window,
      policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }]
    })
    const behavior = { scaleUp: rules(60), scaleDown: rules(120) }
    const history = new ScaleHistory()
    history.begin(4, 0)
    assert.deepEqual(short(history, wanted(4, 6), seconds(15), behavior).slice(0, 2), [4, 'ScaleUpStabilized'])
    assert.deepEqual(short(history, wanted(4, 6), seconds(60), behavior).slice(0, 2), [6, 'ReadyForNewScale'])
    assert.deepEqual(short(history, wanted(6, 2), seconds(75), behavior).slice(0, 2), [6, 'ScaleDownStabilized'])
    assert.deepEqual(short(history, wanted(6, 2), seconds(180), behavior).slice(0, 2), [2, 'ReadyForNewScale'])
  })
})
