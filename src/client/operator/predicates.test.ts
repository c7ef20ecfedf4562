import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import {
  and,
  annotationsChanged,
  generationChanged,
  labelsChanged,
  not,
  type ObjectChange,
  or,
  type Predicate,
  resourceVersionChanged
} from './predicates.js'

const old: KubeObject = {
  metadata: { name: 'a', generation: 1, resourceVersion: '5', labels: { app: 'x', tier: 'db' }, annotations: { note: 'one' } }
}
const update = (metadata: Partial<KubeObject['metadata']>): ObjectChange<KubeObject> => ({
  type: 'update',
  object: { metadata: { ...old.metadata, ...metadata } },
  old
})

describe('predicates', () => {
  const cases: readonly [name: string, predicate: Predicate, changes: object, same: object][] = [
    ['generationChanged', generationChanged, { generation: 2 }, { resourceVersion: '6' }],
    ['labelsChanged', labelsChanged, { labels: { app: 'x' } }, { labels: { tier: 'db', app: 'x' } }],
    ['annotationsChanged', annotationsChanged, { annotations: undefined }, { labels: {} }],
    ['resourceVersionChanged', resourceVersionChanged, { resourceVersion: '6' }, { generation: 2 }]
  ]
  for (const [name, predicate, changes, same] of cases)
    test(`${name} lets pass what changes it, and what is made or deleted`, () => {
      assert.equal(predicate(update(changes)), true)
      assert.equal(predicate(update(same)), false)
      for (const type of ['create', 'delete'] as const) assert.equal(predicate({ type, object: old }), true)
    })

  test('take no labels and empty labels for the same', () => {
    const bare: KubeObject = { metadata: { name: 'a' } }
    assert.equal(labelsChanged({ type: 'update', object: { metadata: { name: 'a', labels: {} } }, old: bare }), false)
  })

  test('are combined', () => {
    const [yes, no] = [() => true, () => false]
    const change = update({})
    const shown = [and(), and(yes), and(yes, no), or(), or(no, yes), or(no, no), not(yes), not(no)].map(each => each(change))
    assert.deepEqual(shown, [true, true, false, false, true, false, false, true])
  })
})
