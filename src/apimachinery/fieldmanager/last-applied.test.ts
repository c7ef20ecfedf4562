import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateAnnotation } from './last-applied.js'

const key = 'kubectl.kubernetes.io/last-applied-configuration'

/** What the annotation of an object that has one says after an apply. */
function noted(metadata: object): string {
  const object = { metadata: { annotations: { [key]: '{}' } } }
  updateAnnotation(object, { kind: 'ConfigMap', metadata })
  return object.metadata.annotations[key]!
}

test('the annotation has the applied annotations without itself', () => {
  const annotations = { b: '2', a: '1', [key]: 'x' }
  assert.equal(
    noted({ name: 'x', annotations }),
    '{"kind":"ConfigMap","metadata":{"annotations":{"a":"1","b":"2"},"name":"x"}}\n'
  )
})

test('annotations that are null are left out', () => {
  assert.equal(noted({ name: 'x', annotations: null }), '{"kind":"ConfigMap","metadata":{"name":"x"}}\n')
})
