import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validateNodeResources } from './node-allocatable-devices.js'

const node = (name: string, zone: string, ...declaredFeatures: string[]): any => ({
  metadata: { name, labels: { zone } },
  status: { declaredFeatures }
})
const nodes = [node('old', 'a'), node('new', 'b', 'DRANodeAllocatableResources')]
const device = { name: 'd', nodeAllocatableResources: { cpu: {} } }

/** Returns why a ResourceSlice with this spec is refused. */
function refusal(spec: object, on = true): string | undefined {
  const resource = {
    get: (_: string, name: string) => nodes.find(({ metadata }) => metadata.name === name),
    peek: (found: unknown) => found,
    list: () => nodes
  }
  const services = { features: { enabled: () => on }, registry: { of: () => resource } }
  try {
    validateNodeResources({
      name: 's',
      object: { spec: { devices: [{ name: 'plain' }, device], ...spec } },
      resource: { groupResource: { group: 'resource.k8s.io', resource: 'resourceslices' } },
      context: { services }
    } as never)
    return undefined
  } catch (error) {
    return (error as Error).message.replace('resourceslices.resource.k8s.io "s" is forbidden: ', '')
  }
}
const lacking = 'node "old" does not support DRANodeAllocatableResources feature'
const zone = (...values: string[]) => ({ nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values }] }] })

test('a node of such devices declares the feature', () => {
  assert.equal(refusal({ nodeName: 'old' }), lacking)
  assert.equal(refusal({ nodeName: 'new' }), undefined)
  assert.equal(refusal({ nodeName: 'gone' }), 'node "gone" not found for device "d"')
  assert.equal(refusal({ nodeName: 'old' }, false), undefined)
  assert.equal(refusal({ nodeName: 'old', devices: [{ name: 'plain' }] }), undefined)
})

test('so do all nodes that a selector selects', () => {
  assert.equal(refusal({ allNodes: true }), lacking)
  assert.equal(refusal({ nodeSelector: zone('a', 'b') }), lacking)
  assert.equal(refusal({ nodeSelector: zone('b') }), undefined)
  const byName = { nodeSelectorTerms: [{}, { matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['new'] }] }] }
  assert.equal(refusal({ nodeSelector: byName }), lacking)
  assert.equal(refusal({ nodeSelector: { nodeSelectorTerms: [{}] } }), undefined)
})

test('each device may have nodes of its own', () => {
  const nowhere = 'device "d" in ResourceSlice has NodeAllocatableResources but does not map to any nodes'
  assert.equal(refusal({ nodeName: 'old', perDeviceNodeSelection: true }), nowhere)
  assert.equal(refusal({}), nowhere)
  assert.equal(refusal({ perDeviceNodeSelection: true, devices: [{ ...device, nodeName: 'old' }] }), lacking)
  assert.equal(refusal({ perDeviceNodeSelection: true, devices: [{ ...device, allNodes: true }] }), lacking)
  assert.equal(refusal({ perDeviceNodeSelection: true, devices: [{ ...device, nodeName: 'new' }] }), undefined)
})
