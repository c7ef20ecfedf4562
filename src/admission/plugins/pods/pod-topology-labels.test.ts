import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { podTopologyLabels } from './pod-topology-labels.js'

const zone = { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r' }
const stored = { nodes: [{ metadata: { name: 'n', labels: { ...zone, other: 'x' } } }, { metadata: { name: 'bare' } }] }
const labels = async (object: object, subresource = '') =>
  (await attempt(podTopologyLabels, { resource: 'pods', subresource, object, stored })).object.metadata.labels

test('a Pod gets the zone and region of its node', async () => {
  assert.deepEqual(await labels({ metadata: { labels: { a: 'b' } }, spec: { nodeName: 'n' } }), { a: 'b', ...zone })
  assert.equal(await labels({ metadata: {}, spec: { nodeName: 'bare' } }), undefined)
  assert.equal(await labels({ metadata: {}, spec: { nodeName: 'missing' } }), undefined)
  assert.equal(await labels({ metadata: {}, spec: {} }), undefined)
})

test('a binding gets them, too, and gives them to the Pod', async () => {
  assert.deepEqual(await labels({ metadata: {}, target: { kind: 'Node', name: 'n' } }, 'binding'), zone)
  assert.equal(await labels({ metadata: {}, target: { kind: 'Other', name: 'n' } }, 'binding'), undefined)
})
