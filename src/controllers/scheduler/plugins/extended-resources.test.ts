/** Extended resources that devices provide where Nodes do not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Node } from '../../../apimachinery/api/generated/core-v1.js'
import type { DeviceClass, ResourceClaim, ResourceSlice } from '../../../apimachinery/api/generated/resource-v1.js'
import { podInfoOf } from '../pod-info.js'
import { aNode, aPod, clusterOf, decisionOn, messageFor, plugins, reserved } from '../testing/cluster.js'

const gpu = 'example.com/gpu'

const aClass = (name: string, extendedResourceName?: string, creationTimestamp?: string): DeviceClass => ({
  kind: 'DeviceClass',
  apiVersion: 'resource.k8s.io/v1',
  metadata: { name, creationTimestamp },
  spec: { extendedResourceName }
})

const slice = (node: string, devices = 2): ResourceSlice => ({
  kind: 'ResourceSlice',
  apiVersion: 'resource.k8s.io/v1',
  metadata: { name: node },
  spec: {
    driver: 'gpu.example.com',
    nodeName: node,
    pool: { name: node, generation: 1, resourceSliceCount: 1 },
    devices: Array.from({ length: devices }, (_, i) => ({ name: `gpu${i}` }))
  }
})

const claimOf = (name: string, pod?: string): ResourceClaim => ({
  kind: 'ResourceClaim',
  apiVersion: 'resource.k8s.io/v1',
  metadata: {
    name,
    namespace: 'default',
    uid: `uid of ${name}`,
    annotations: pod ? { 'resource.kubernetes.io/extended-resource-claim': 'true' } : undefined,
    ownerReferences: pod ? [{ apiVersion: 'v1', kind: 'Pod', name: pod, uid: `uid of ${pod}`, controller: true }] : undefined
  },
  spec: {
    devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpus', allocationMode: 'ExactCount', count: 1 } }] }
  },
  status: {}
})

const asking = (count: number, resource = gpu) => aPod('web', { requests: { [resource]: String(count) } })
const unhelpful = 'preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.'

interface Setting {
  readonly nodes?: readonly Node[]
  readonly classes?: readonly DeviceClass[]
  readonly claims?: readonly ResourceClaim[]
  readonly slices?: readonly ResourceSlice[]
}

const clusterWith = ({ nodes = [aNode('a')], classes = [aClass('gpus', gpu)], claims = [], slices = [slice('a')] }: Setting) =>
  clusterOf(nodes, [], { devices: { classes, claims, slices } })

/** Where the Pod goes, and the devices of its claims. */
function outcome(setting: Setting, pod = asking(1)): unknown {
  const decision = decisionOn(pod, clusterWith(setting))
  if (!('node' in decision)) return decision.message
  reserved.splice(0)
  decision.reserve()
  const devices = reserved.flatMap(({ allocation }) => allocation?.devices.results ?? [])
  return [decision.node.name, ...devices.map(({ request, device }) => `${request}: ${device}`)]
}

describe('extended resources', () => {
  test('are devices of the class that has their name, or whose name they have', () => {
    assert.deepEqual(outcome({}, asking(2)), ['a', 'container-0-request-0: gpu0', 'container-0-request-0: gpu1'])
    assert.deepEqual(outcome({}, asking(1, 'deviceclass.resource.kubernetes.io/gpus')), ['a', 'container-0-request-0: gpu0'])
    assert.equal(outcome({}, asking(3)), `0/1 nodes are available: 1 cannot allocate all claims. ${unhelpful}`)
    assert.match(String(outcome({}, asking(1, 'example.com/other'))), /1 Insufficient example\.com\/other\./)
    assert.match(String(outcome({ classes: [aClass('gpus')] })), /1 Insufficient example\.com\/gpu\./)
  })

  test('are asked for by a claim that is still to be made', () => {
    outcome({})
    const [{ claim, mappings }] = reserved as [(typeof reserved)[number]]
    const { name, uid, ...metadata } = claim.metadata
    assert.deepEqual(metadata, {
      generateName: 'web-extended-resources-',
      namespace: 'default',
      annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'uid of web', controller: true }]
    })
    const exactly = { deviceClassName: 'gpus', allocationMode: 'ExactCount', count: 1 }
    assert.deepEqual(claim.spec, { devices: { requests: [{ name: 'container-0-request-0', exactly }] } })
    assert.deepEqual(mappings, [{ containerName: 'main', resourceName: gpu, requestName: 'container-0-request-0' }])
    const classes = [{ ...aClass('gpus', gpu), spec: { extendedResourceName: gpu, selectors: [{ cel: { expression: '1' } }] } }]
    assert.throws(() => outcome({ classes }), /class gpus: selector #0 on device gpu.example.com\/a\/gpu0: CEL/)
  })

  test('come from the Node itself where it has some', () => {
    const withPlugin = aNode('a', { allocatable: { [gpu]: '1' } })
    assert.deepEqual(outcome({ nodes: [withPlugin] }), ['a'])
    // its devices do not count then
    assert.match(String(outcome({ nodes: [withPlugin] }, asking(2))), /1 Insufficient example\.com\/gpu\./)
    const none = aNode('a', { allocatable: { [gpu]: '0' } })
    assert.deepEqual(outcome({ nodes: [none] }), ['a', 'container-0-request-0: gpu0'])
    const nodes = [withPlugin, aNode('b')]
    assert.deepEqual(outcome({ nodes, slices: [slice('b')] }, asking(2)), [
      'b',
      'container-0-request-0: gpu0',
      'container-0-request-0: gpu1'
    ])
    const pod = asking(1)
    const withClaim = { ...pod, spec: { ...pod.spec, resourceClaims: [{ name: 'own', resourceClaimName: 'own' }] } }
    assert.deepEqual(outcome({ nodes: [withPlugin], claims: [claimOf('own')] }, withClaim), ['a', 'one: gpu0'])
    assert.deepEqual(outcome({ claims: [claimOf('own')] }, withClaim), ['a', 'one: gpu0', 'container-0-request-0: gpu1'])
  })

  test('are of the newest class that has the name', () => {
    const classes = [
      aClass('old', gpu, '2026-01-01T00:00:00Z'),
      aClass('new-b', gpu, '2026-01-02T00:00:00Z'),
      aClass('new-a', gpu, '2026-01-02T00:00:00Z')
    ]
    outcome({ classes })
    assert.equal(reserved[0]!.claim.spec.devices.requests![0]!.exactly!.deviceClassName, 'new-a')
  })

  test('of a Pod that did not come to its Node are asked for anew, when the claim has gone', () => {
    const cluster = clusterWith({ claims: [claimOf('left', 'web')] })
    const nowhere = '0/1 nodes are available: 1 cannot schedule extended resource claim.'
    assert.equal(messageFor(asking(1), cluster), `${nowhere} deletion of ResourceClaim completed, ${unhelpful}`)
    assert.equal(messageFor(asking(1), clusterWith({ claims: [claimOf('left', 'other')] })), 'on a')
  })

  test('keep a Pod waiting until a class provides them', () => {
    const fit = plugins.find(({ name }) => name === 'NodeResourcesFit')!
    const cluster = clusterWith({})
    const info = podInfoOf(asking(1))
    const helps = (object: DeviceClass | undefined, old?: DeviceClass) =>
      fit.mayHelp({ on: 'DeviceClass', object: object as never, old: old as never }, info, cluster)
    assert.equal(helps(aClass('gpus', gpu)), true)
    assert.equal(helps(aClass('gpus', 'example.com/other')), false)
    assert.equal(helps(aClass('gpus', gpu), aClass('gpus', 'example.com/other')), true)
    assert.equal(helps(aClass('gpus', gpu), aClass('gpus', gpu)), false)
    assert.equal(helps(undefined, aClass('gpus', gpu)), false)
    const implicit = podInfoOf(asking(1, 'deviceclass.resource.kubernetes.io/gpus'))
    assert.equal(fit.mayHelp({ on: 'DeviceClass', object: aClass('gpus') as never, old: undefined }, implicit, cluster), true)
    // a Node without the resource may have devices
    const node = (name: string) => ({ on: 'node', node: aNode(name), old: aNode(name) }) as const
    assert.equal(fit.mayHelp(node('b'), info, cluster), true)
    assert.equal(fit.mayHelp(node('b'), podInfoOf(aPod('web', { requests: { cpu: '1' } })), cluster), false)
  })
})
