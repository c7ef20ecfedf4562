import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { namespaceLifecycle } from './namespace-lifecycle.js'

const stored = {
  namespaces: [{ metadata: { name: 'there' } }, { metadata: { name: 'going', deletionTimestamp: '2024-01-01T00:00:00Z' } }]
}
const object = { metadata: { name: 'a' } }
const create = async (namespace: string, resource = 'configmaps') =>
  (await attempt(namespaceLifecycle, { resource, namespace, object, stored })).refused

test('objects are created only in a namespace that exists and is not being deleted', async () => {
  assert.equal(await create('there'), undefined)
  assert.equal(await create('missing'), 'namespaces "missing" not found')
  assert.equal(await create('going'), 'unable to create new content in namespace going because it is being terminated')
  assert.equal(await create('going', 'localsubjectaccessreviews.authorization.k8s.io'), undefined)
  const update = { operation: 'UPDATE', resource: 'configmaps', namespace: 'going', object, oldObject: object, stored } as const
  assert.equal((await attempt(namespaceLifecycle, update)).refused, undefined)
})

test('the namespaces of the system cannot be deleted', async () => {
  const remove = async (name: string) => {
    const what = {
      operation: 'DELETE',
      resource: 'namespaces',
      namespace: name,
      oldObject: { metadata: { name } },
      stored
    } as const
    return (await attempt(namespaceLifecycle, what)).refused
  }
  for (const name of ['default', 'kube-system', 'kube-public'])
    assert.equal(await remove(name), 'this namespace may not be deleted')
  assert.equal(await remove('there'), undefined)
})

test('only new objects need their namespace, and only Namespaces cannot be deleted', async () => {
  const refusal = async (what: object) =>
    (await attempt(namespaceLifecycle, { resource: 'configmaps', namespace: 'missing', object, stored, ...what })).refused
  assert.equal(await refusal({ namespace: '' }), undefined)
  assert.equal(await refusal({ operation: 'DELETE', oldObject: object }), undefined)
  assert.equal(await refusal({}), 'namespaces "missing" not found')
  assert.equal(await refusal({ operation: 'UPDATE', oldObject: object }), undefined)
  assert.equal(await refusal({ resource: 'nodes' }), undefined)
  assert.equal(await refusal({ resource: 'namespaces' }), undefined)
  const immortal = { metadata: { name: 'default' } }
  assert.equal(await refusal({ operation: 'DELETE', namespace: 'going', object: undefined, oldObject: immortal }), undefined)
  const update = { operation: 'UPDATE', resource: 'namespaces', object: immortal, oldObject: immortal }
  assert.equal(await refusal(update), undefined)
  const custom = { resource: 'namespaces.example.com', operation: 'DELETE', object: undefined, oldObject: immortal }
  assert.equal(await refusal(custom), undefined)
  assert.equal(await refusal({ subresource: 'scale' }), 'namespaces "missing" not found')
})
