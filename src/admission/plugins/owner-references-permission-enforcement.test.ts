import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../testkit/admission.js'
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

const update = (object: object, oldObject: object, more: object = {}) =>
  attempt(ownerReferencesPermissionEnforcement, { operation: 'UPDATE', resource: 'pods', object, oldObject, stored, ...more })

test('the questions name the object, and the finalizers of its owners', async () => {
  const all = { allows: (question: string) => question !== 'update */*' }
  const { refused, asked } = await update(pod(owner(true)), pod(), all)
  assert.equal(refused, undefined)
  assert.deepEqual(asked, ['delete pods default/p', 'update *.*/finalizers /*', 'update replicasets.apps/finalizers default/rs'])
})

test('the finalizers of an owner of the whole cluster are not those of a namespace', async () => {
  const of = (owner: object) => ({
    stored: { ...stored, nodes: [{ kind: 'Node', metadata: { name: 'n' } }] },
    object: pod(owner)
  })
  const node = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n', blockOwnerDeletion: true }
  const { asked } = await attempt(ownerReferencesPermissionEnforcement, { resource: 'pods', ...of(node) })
  assert.deepEqual(asked, ['update *.*/finalizers /*', 'update nodes/finalizers /n'])
  const free = await attempt(ownerReferencesPermissionEnforcement, { resource: 'pods', ...of(owner(false)) })
  assert.deepEqual(free.asked, [])
})

test('owners of the core group and of the whole cluster are found', async () => {
  const nodes = [{ kind: 'Node', metadata: { name: 'n' } }]
  const of = (apiVersion: string) => pod({ apiVersion, kind: 'Node', name: 'n', uid: 'n', blockOwnerDeletion: true })
  const create = (apiVersion: string) =>
    attempt(ownerReferencesPermissionEnforcement, {
      resource: 'pods',
      object: of(apiVersion),
      stored: { nodes },
      allows: question => question === 'update nodes/n'
    })
  assert.equal((await create('v1')).refused, undefined)
  for (const apiVersion of ['v2', 'apps/v1'])
    assert.match((await create(apiVersion)).refused!, /^cannot set blockOwnerDeletion in this case because cannot find/)
})

test('a user who removes an owner must be allowed to delete the object, and one who changes nothing need not', async () => {
  assert.match(
    (await update(pod(), pod(owner(false)))).refused!,
    /^cannot set an ownerRef on a resource you can't delete: no rule, <nil>$/
  )
  assert.deepEqual((await update(pod(), pod())).asked, [])
  assert.equal((await update(pod(owner(true)), pod(), { subresource: 'status' })).refused, undefined)
  const status = { subresource: 'status', resource: 'services' }
  assert.match((await update(pod(owner(true)), pod(), status)).refused!, /can't delete/)
})

test('one of several owners that may not be blocked is enough to refuse', async () => {
  const other = { ...owner(true), name: 'other', uid: 'o' }
  const allows = (question: string) => ['delete pods/p', 'update replicasets/rs'].includes(question)
  assert.match((await update(pod(owner(true), other), pod(), { allows })).refused!, /can't set finalizers on/)
  assert.equal((await update(pod(owner(true), { ...other, blockOwnerDeletion: false }), pod(), { allows })).refused, undefined)
  // another reference to an owner that was blocked before
  assert.equal((await update(pod(other, owner(true)), pod(other), { allows })).refused, undefined)
})
