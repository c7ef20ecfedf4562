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
