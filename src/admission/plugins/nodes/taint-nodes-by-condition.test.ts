import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { taintNodesByCondition } from './taint-nodes-by-condition.js'

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
const taints = async (...given: object[]) =>
  (await attempt(taintNodesByCondition, { resource: 'nodes', object: { metadata: {}, spec: { taints: given } } })).object.spec
    .taints

test('a new Node gets the not-ready taint, once', async () => {
  assert.deepEqual(await taints(), [notReady])
  assert.deepEqual(await taints({ key: 'a', effect: 'NoSchedule' }), [{ key: 'a', effect: 'NoSchedule' }, notReady])
  assert.deepEqual(await taints(notReady), [notReady])
  const noExecute = { ...notReady, effect: 'NoExecute' }
  assert.deepEqual(await taints(noExecute), [noExecute, notReady])
})
