import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { nodeRestriction } from './node-restriction.js'

const leases = { group: 'coordination.k8s.io', resource: 'leases' }
const kubelet = (name = 'n1') => ({ name: `system:node:${name}`, groups: ['system:nodes', 'system:authenticated'] })
test('a refusal names the object, or how its name would begin', async () => {
  const message = async (metadata: object) => {
    const [resource, context] = [{ ...leases, groupResource: leases }, { user: kubelet() }]
    const { name = '' } = metadata as { name?: string }
    const attributes = {
      resource,
      subresource: '',
      operation: 'CREATE',
      namespace: 'kube-node-lease',
      name,
      object: { metadata },
      context
    }
    try {
      await nodeRestriction.admit!(attributes as never)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  const why = 'is forbidden: can only access node lease with the same name as the requesting node'
  assert.equal(await message({ name: 'n2' }), `leases.coordination.k8s.io "n2" ${why}`)
  assert.equal(await message({ generateName: 'n1-' }), `leases.coordination.k8s.io "n1-" ${why}`)
  assert.equal(await message({}), `leases.coordination.k8s.io "Unknown" ${why}`)
})

const refusal = async (what: object, user = kubelet()) =>
  (await attempt(nodeRestriction, { resource: 'leases.coordination.k8s.io', user, ...what })).refused

test('a kubelet writes only its own lease, in the namespace for them', async () => {
  const lease = (name: string, namespace = 'kube-node-lease') => ({ namespace, object: { metadata: { name } } })
  assert.equal(await refusal(lease('n1')), undefined)
  assert.equal(await refusal(lease('n2')), 'can only access node lease with the same name as the requesting node')
  assert.equal(await refusal(lease('n1', 'default')), 'can only access leases in the "kube-node-lease" system namespace')
  assert.equal(await refusal(lease('n2'), { name: 'alice', groups: [] }), undefined)
  assert.match((await refusal(lease('n1'), kubelet('')))!, /^could not determine node from user "system:node:"/)
})

test('a kubelet writes only its own CSINode and the ResourceSlices of its node', async () => {
  const csiNode = (name: string) => ({ resource: 'csinodes.storage.k8s.io', object: { metadata: { name } } })
  assert.equal(await refusal(csiNode('n1')), undefined)
  assert.equal(await refusal(csiNode('n2')), 'can only access CSINode with the same name as the requesting node')
  const slice = (nodeName: string) => ({ metadata: { name: 's' }, spec: { nodeName } })
  const resource = 'resourceslices.resource.k8s.io'
  const denied = (verb: string) => `can only ${verb} ResourceSlice with the same NodeName as the requesting node`
  assert.equal(await refusal({ resource, object: slice('n1') }), undefined)
  assert.equal(await refusal({ resource, object: slice('n2') }), denied('create'))
  assert.equal(await refusal({ resource, operation: 'DELETE', oldObject: slice('n2') }), denied('delete'))
})
