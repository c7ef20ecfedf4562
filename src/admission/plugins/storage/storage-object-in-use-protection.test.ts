import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { storageObjectInUseProtection } from './storage-object-in-use-protection.js'

const finalizers = async (resource: string, given?: string[]) => {
  const object = { metadata: given ? { finalizers: given } : {} }
  return (await attempt(storageObjectInUseProtection, { resource, object })).object.metadata.finalizers
}

test('new volumes, claims and attributes classes have the finalizer that protects them while they are in use', async () => {
  assert.deepEqual(await finalizers('persistentvolumes'), ['kubernetes.io/pv-protection'])
  assert.deepEqual(await finalizers('persistentvolumeclaims', ['a/b']), ['a/b', 'kubernetes.io/pvc-protection'])
  assert.deepEqual(await finalizers('persistentvolumeclaims', ['kubernetes.io/pvc-protection']), ['kubernetes.io/pvc-protection'])
  assert.deepEqual(await finalizers('volumeattributesclasses.storage.k8s.io'), ['kubernetes.io/vac-protection'])
  assert.equal(await finalizers('configmaps'), undefined)
})
