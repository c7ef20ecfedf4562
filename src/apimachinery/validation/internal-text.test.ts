import assert from 'node:assert/strict'
import { test } from 'node:test'
import { internalValue } from './internal-text.js'

test('metadata in a template has its fields in the order of Go, however it was sent', () => {
  const metadata = { ownerReferences: [{ uid: 'u', name: 'n', kind: 'K', apiVersion: 'v1' }], labels: { b: '2', a: '1' } }
  const shown = JSON.stringify(internalValue('core.v1.PersistentVolumeClaimTemplate', { metadata, spec: {} }))
  const start =
    '{"labels":{"a":"1","b":"2"},"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u"}],"Spec":{"AccessModes":null,'
  assert.equal(shown.slice(0, start.length), start)
})

test('an embedded object shows the fields of its metadata beside its own, and neither kind nor version', () => {
  const claim = {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    metadata: { name: 'v' },
    spec: {},
    status: { phase: 'Pending' }
  }
  const shown = internalValue('core.v1.PersistentVolumeClaim', claim)
  assert.deepEqual(Object.keys(shown as object), ['name', 'Spec', 'Status'])
})
