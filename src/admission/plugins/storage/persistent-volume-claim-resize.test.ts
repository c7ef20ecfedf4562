import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.js'

const claim = (storage: string, storageClassName = 'grows', phase = 'Bound', annotations = {}) => ({
  metadata: { name: 'c', annotations },
  spec: { storageClassName, resources: { requests: { storage } } },
  status: { phase }
})
const stored = {
  'storageclasses.storage.k8s.io': [
    { metadata: { name: 'grows' }, allowVolumeExpansion: true },
    { metadata: { name: 'fixed' }, allowVolumeExpansion: false }
  ]
}
const refusal = async (object: object, oldObject: object) => {
  const what = { operation: 'UPDATE', resource: 'persistentvolumeclaims', object, oldObject, stored } as const
  return (await attempt(persistentVolumeClaimResize, what)).refused
}

test('a claim grows only when it is bound and its class allows expansion', async () => {
  assert.equal(await refusal(claim('2Gi'), claim('1Gi')), undefined)
  assert.match((await refusal(claim('2Gi', 'fixed'), claim('1Gi', 'fixed')))!, /^only dynamically provisioned pvc can be resized/)
  assert.match((await refusal(claim('2Gi', 'missing'), claim('1Gi')))!, /^only dynamically provisioned pvc can be resized/)
  assert.equal(await refusal(claim('1Gi', 'fixed'), claim('1024Mi', 'fixed')), undefined)
  assert.equal(
    await refusal(claim('2Gi', 'grows', 'Bound'), claim('1Gi', 'grows', 'Pending')),
    'Only bound persistent volume claims can be expanded'
  )
  const annotated = { 'volume.beta.kubernetes.io/storage-class': 'fixed' }
  assert.match((await refusal(claim('2Gi', 'grows', 'Bound', annotated), claim('1Gi')))!, /^only dynamically provisioned/)
})
