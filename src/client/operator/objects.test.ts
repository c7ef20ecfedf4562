/** The helpers for objects: conditions, owners, finalizers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import {
  addFinalizer,
  controllerOf,
  findCondition,
  hasControllerReference,
  hasFinalizer,
  isConditionTrue,
  removeCondition,
  removeFinalizer,
  removeOwnerReference,
  setCondition,
  setControllerReference,
  setOwnerReference
} from './index.js'

/** An object as JSON has it, which may have any fields. */
interface Thing extends KubeObject {
  [field: string]: any
}

const object = (): Thing => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'team', uid: '1', generation: 3 }
})
const first = Date.UTC(2026, 0, 1)

describe('a condition', () => {
  test('is set with the generation and the time, and found', () => {
    const one = object()
    assert.equal(setCondition(one, { type: 'Ready', status: 'True', reason: 'Done', message: 'all there' }, first), true)
    assert.deepEqual(one.status.conditions, [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Done',
        message: 'all there',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        observedGeneration: 3
      }
    ])
    assert.equal(isConditionTrue(one, 'Ready'), true)
    assert.equal(findCondition(one, 'Ready')?.reason, 'Done')
    assert.equal(isConditionTrue(one, 'Other'), false)
    assert.equal(findCondition(object(), 'Ready'), undefined)
  })

  test('keeps its time until its status changes, and tells when nothing has changed', () => {
    const one = object()
    const ready = { type: 'Ready', status: 'True', reason: 'Done' } as const
    setCondition(one, ready, first)
    setCondition(one, { type: 'Other', status: 'Unknown', reason: 'New' }, first)
    assert.equal(setCondition(one, ready, first + 5000), false)
    assert.equal(setCondition(one, { ...ready, reason: 'StillDone' }, first + 5000), true)
    assert.equal(findCondition(one, 'Ready')?.lastTransitionTime, '2026-01-01T00:00:00Z')
    one.metadata.generation = 4
    assert.equal(setCondition(one, { ...ready, reason: 'StillDone' }, first + 6000), true)
    assert.equal(findCondition(one, 'Ready')?.observedGeneration, 4)
    setCondition(one, { ...ready, status: 'False' }, first + 7000)
    assert.equal(findCondition(one, 'Ready')?.lastTransitionTime, '2026-01-01T00:00:07Z')
    assert.deepEqual(
      one.status.conditions.map(({ type }: { type: string }) => type),
      ['Ready', 'Other']
    )
    assert.deepEqual([removeCondition(one, 'Ready'), removeCondition(one, 'Ready')], [true, false])
  })
})

describe('an owner', () => {
  const child = (namespace: string | undefined = 'team'): Thing => ({ metadata: { name: 'child', namespace } })

  test('controls an object alone', () => {
    const one = child()
    setControllerReference(object(), one)
    setControllerReference(object(), one)
    assert.deepEqual(one.metadata.ownerReferences, [
      { apiVersion: 'v1', kind: 'Thing', name: 'a', uid: '1', controller: true, blockOwnerDeletion: true }
    ])
    assert.equal(controllerOf(one)?.name, 'a')
    assert.equal(hasControllerReference(one), true)
    assert.equal(hasControllerReference(one, object()), true)
    const other = { ...object(), metadata: { ...object().metadata, name: 'b', uid: '2' } }
    assert.equal(hasControllerReference(one, other), false)
    assert.throws(() => setControllerReference(other, one), /already controlled by Thing a/)
    setOwnerReference(other, one)
    assert.equal(one.metadata.ownerReferences.length, 2)
    setOwnerReference(object(), one)
    assert.equal(hasControllerReference(one, object()), true)
    assert.deepEqual([removeOwnerReference(other, one), removeOwnerReference(other, one)], [true, false])
  })

  test('that was made again replaces the one before, in whatever version', () => {
    const one = child()
    const group = (version: string, uid: string) => ({
      ...object(),
      apiVersion: `example.com/${version}`,
      metadata: { ...object().metadata, uid }
    })
    setControllerReference(group('v1', '1'), one)
    setControllerReference(group('v2', '2'), one)
    assert.deepEqual(
      one.metadata.ownerReferences?.map(({ uid, apiVersion }) => [uid, apiVersion]),
      [['2', 'example.com/v2']]
    )
  })

  test('lies in the namespace of the object, or in none', () => {
    assert.throws(() => setControllerReference(object(), child('other')), /cannot be owned by one in the namespace team/)
    assert.throws(() => setOwnerReference(object(), { metadata: { name: 'child' } }), /without a namespace/)
    const cluster = { ...object(), metadata: { name: 'a', uid: '1' } }
    setControllerReference(cluster, child())
    assert.throws(
      () => setControllerReference({ metadata: { name: 'a' } }, child()),
      /must be an object that the server has returned/
    )
  })
})

test('finalizers are added and removed once', () => {
  const one = object()
  assert.deepEqual([addFinalizer(one, 'x/y'), addFinalizer(one, 'x/y'), hasFinalizer(one, 'x/y')], [true, false, true])
  addFinalizer(one, 'x/z')
  assert.deepEqual([removeFinalizer(one, 'x/y'), removeFinalizer(one, 'x/y')], [true, false])
  assert.deepEqual(one.metadata.finalizers, ['x/z'])
})
