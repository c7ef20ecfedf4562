import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.js'

const refusal = async (rule: string, ...keys: string[]) => {
  const podAntiAffinity = { [rule]: keys.map(topologyKey => ({ topologyKey })) }
  const object = { metadata: { name: 'p' }, spec: { affinity: { podAntiAffinity } } }
  return (await attempt(limitPodHardAntiAffinityTopology, { resource: 'pods', object })).refused
}

test('required anti-affinity keeps other Pods only from the same node', async () => {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution'
  assert.equal(await refusal(required, 'kubernetes.io/hostname'), undefined)
  assert.equal(
    await refusal(required, 'kubernetes.io/hostname', 'zone'),
    'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed'
  )
  assert.equal(await refusal('preferredDuringSchedulingIgnoredDuringExecution', 'zone'), undefined)
})
