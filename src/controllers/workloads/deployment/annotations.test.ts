import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deployment, ReplicaSet } from '../../../apimachinery/api/generated/apps-v1.js'
import { annotationsOfNew, byRevision, revisionAfter, revisionOf } from './annotations.js'

const set = (revision?: string) =>
  ({ metadata: { name: 'a', annotations: revision && { 'deployment.kubernetes.io/revision': revision } } }) as ReplicaSet

test('revisions count in 64 bits', () => {
  const sets = [set('9007199254740993'), set('3'), set('9007199254740992'), set()]
  assert.equal(revisionAfter(sets), 9007199254740994n)
  assert.equal(revisionAfter([]), 1n)
  assert.deepEqual(sets.toSorted(byRevision).map(revisionOf), [0n, 3n, 9007199254740992n, 9007199254740993n])
  assert.equal(revisionOf(set('9223372036854775808')), 0n)
  assert.equal(revisionOf(set('many')), 0n)
  const annotations = annotationsOfNew({ metadata: {} } as Deployment, {}, 3546343826724305833n)
  assert.deepEqual(annotations, { 'deployment.kubernetes.io/revision': '3546343826724305833' })
})
