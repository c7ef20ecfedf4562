import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../testing/admission.js'
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.js'

const owner = (blockOwnerDeletion: boolean, kind = 'ReplicaSet') => ({
  apiVersion: 'apps/v1',
  kind,
  name: 'rs',
  uid: 'u',
  blockOwnerDeletion
})
const pod = (...ownerReferences: object[]) => ({ metadata: { name: 'p', ownerReferences } })
const stored = { 'replicasets.apps': [{ kind: 'ReplicaSet', metadata: { name: 'rs', namespace: 'default' } }] }
const refusal = async (object: object, oldObject: object | undefined, ...allowed: string[]) => {
  const operation = oldObject ? 'UPDATE' : 'CREATE'
  const what = { operation, resource: 'pods', object, oldObject, stored } as const
  return (await attempt(ownerReferencesPermissionEnforcement, { ...what, allows: q => allowed.includes(q) })).refused
}

test('a user who changes the owners of an object must be allowed to delete it', async () => {
  assert.match((await refusal(pod(owner(false)), pod()))!, /^cannot set an ownerRef on a resource you can't delete/)
  assert.equal(await refusal(pod(owner(false)), pod(), 'delete pods/p'), undefined)
  assert.equal(await refusal(pod(owner(false)), undefined), undefined)
  assert.equal(await refusal(pod(owner(false)), pod(owner(false))), undefined)
})

test('a user who sets blockOwnerDeletion must be allowed to set finalizers of the owner', async () => {
  assert.match((await refusal(pod(owner(true)), undefined))!, /^cannot set blockOwnerDeletion if an ownerReference refers to/)
  assert.equal(await refusal(pod(owner(true)), undefined, 'update replicasets/rs'), undefined)
  assert.equal(await refusal(pod(owner(true)), undefined, 'update */*'), undefined)
  assert.match(
    (await refusal(pod(owner(true, 'Other')), undefined))!,
    /cannot find RESTMapping for APIVersion apps\/v1 Kind Other/
  )
  // a reference that blocked the deletion before is not checked again
  assert.equal(await refusal(pod(owner(true), owner(false)), pod(owner(true)), 'delete pods/p'), undefined)
})
