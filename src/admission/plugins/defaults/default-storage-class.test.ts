import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { defaultStorageClass } from './default-storage-class.js'

const storageClass = (name: string, creationTimestamp: string, annotation = 'storageclass.kubernetes.io/is-default-class') => ({
  metadata: { name, creationTimestamp, annotations: { [annotation]: 'true' } }
})
const stored = {
  'storageclasses.storage.k8s.io': [
    storageClass('old', '2024-01-01T00:00:00Z'),
    storageClass('new', '2024-01-02T00:00:00Z', 'storageclass.beta.kubernetes.io/is-default-class'),
    storageClass('other', '2024-01-03T00:00:00Z', 'example.com/is-default-class')
  ]
}
const classOf = async (object: any, subresource = '', classes: any = stored) =>
  (await attempt(defaultStorageClass, { resource: 'persistentvolumeclaims', subresource, object, stored: classes })).object.spec
    .storageClassName

test('a claim without a class gets the newest default class', async () => {
  const only = { 'storageclasses.storage.k8s.io': [storageClass('only', '2024-01-01T00:00:00Z')] }
  assert.equal(await classOf({ metadata: { name: 'c' }, spec: {} }, '', only), 'only')
  assert.equal(await classOf({ metadata: { name: 'c' }, spec: {} }, '', {}), undefined)
  assert.equal(await classOf({ metadata: { name: 'c' }, spec: {} }), 'new')
  assert.equal(await classOf({ metadata: { name: 'c' }, spec: {} }, 'status'), undefined)
  assert.equal(await classOf({ metadata: { name: 'c' }, spec: { storageClassName: '' } }), '')
  const annotations = { 'volume.beta.kubernetes.io/storage-class': 'x' }
  assert.equal(await classOf({ metadata: { annotations }, spec: {} }), undefined)
})
