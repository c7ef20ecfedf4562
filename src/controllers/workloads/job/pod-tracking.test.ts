import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import type { Informer, ResourceClient } from '../../../client/stored-types.js'
import { trackingFinalizer } from './job-pods.js'
import { PodTracking } from './pod-tracking.js'

const pod = (finalizers: string[] | undefined, rest: object = {}) =>
  ({ metadata: { name: 'p', namespace: 'n', uid: 'u', finalizers, ...rest } }) as unknown as Pod
const tracked = pod([trackingFinalizer])

function given(patch: () => Promise<Pod>) {
  const listeners = new Map<string, (pod: Pod) => void>()
  const learned: Pod[] = []
  const patches: object[] = []
  let present: Pod | undefined = tracked
  const informer = {
    on: (event: string, listener: (pod: Pod) => void) => listeners.set(event, listener),
    get: () => present,
    learn: (one: Pod) => void learned.push(one)
  } as unknown as Informer<Pod>
  const client = {
    patch: (_: Pod, change: object) => {
      patches.push(change)
      return patch()
    }
  } as unknown as ResourceClient<Pod & KubeObject>
  const show = (event: 'update' | 'delete', one: Pod) => {
    present = event === 'delete' ? undefined : one
    listeners.get(event)?.(one)
  }
  return { tracking: new PodTracking(client, informer), learned, patches, show }
}

test('a Pod has lost its finalizer as soon as that is asked for, once', async () => {
  const { tracking, learned, patches, show } = given(async () => pod(undefined))
  await tracking.release(tracked)
  assert.deepEqual(patches, [{ metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } }])
  assert.equal(tracking.isReleased(tracked), true)
  assert.equal(learned.length, 1)
  await tracking.release(tracked)
  assert.equal(patches.length, 1)
  show('update', tracked)
  assert.equal(tracking.isReleased(tracked), true, 'an older state changes nothing')
  show('update', pod(undefined))
  assert.equal(tracking.isReleased(tracked), false)
})

test('a Pod that goes with its finalizer is not brought back', async () => {
  const { tracking, learned, show } = given(async () => pod(undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }))
  await tracking.release(tracked)
  assert.deepEqual(learned, [])
  show('delete', tracked)
  assert.equal(tracking.isReleased(tracked), false)
})

test('a Pod keeps its finalizer when it cannot be removed', async () => {
  const { tracking } = given(() => Promise.reject(new Error('not now')))
  await assert.rejects(tracking.release(tracked), /not now/)
  assert.equal(tracking.isReleased(tracked), false)
  const gone = given(() => Promise.reject(new StatusError({ code: 404, reason: 'NotFound', message: 'gone' } as never)))
  await gone.tracking.release(tracked)
  assert.equal(gone.tracking.isReleased(tracked), true, 'until the informer has seen that it is gone')
})
