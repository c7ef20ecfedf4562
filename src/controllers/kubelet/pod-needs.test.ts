import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConfigMap, PersistentVolumeClaim, Pod, Secret } from '../../apimachinery/api/generated/core-v1.js'
import { configReferences, type Found, missingOf } from './pod-needs.js'

const pod = (spec: object): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'team', uid: 'u1' },
    spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec },
    status: {}
  }) as unknown as Pod

/** A namespace with these Secrets and ConfigMaps, by kind and name, and claims. */
function having(configs: Record<string, object> = {}, claims: Record<string, object> = {}): Found {
  return {
    config: ({ kind, name }) => configs[`${kind} ${name}`] as Secret | ConfigMap | undefined,
    claim: name => claims[name] as PersistentVolumeClaim | undefined,
    isAttached: ({ spec }) => spec.volumeName !== 'loose'
  }
}
const bound = { metadata: { name: 'data', namespace: 'team' }, spec: { volumeName: 'v1' }, status: { phase: 'Bound' } }
const volumesOf = (spec: object, found = having()) => missingOf(pod(spec), found)?.volumes

describe('what a Pod needs', () => {
  test('Secrets and ConfigMaps of its volumes', () => {
    const volumes = [
      { name: 'a', secret: { secretName: 'key' } },
      { name: 'b', configMap: { name: 'settings', items: [{ key: 'x', path: 'x' }] } },
      { name: 'c', secret: { secretName: 'maybe', optional: true } },
      { name: 'kube-api-access-12345', projected: { sources: [{ configMap: { name: 'kube-root-ca.crt' } }] } }
    ]
    assert.deepEqual(volumesOf({ volumes }), [
      'MountVolume.SetUp failed for volume "a" : secret "key" not found',
      'MountVolume.SetUp failed for volume "b" : configmap "settings" not found'
    ])
    const partly = having({ 'Secret key': { data: {} }, 'ConfigMap settings': { data: { y: '' } } })
    assert.deepEqual(volumesOf({ volumes }, partly), [
      'MountVolume.SetUp failed for volume "b" : configmap references non-existent config key: x'
    ])
    assert.equal(
      missingOf(pod({ volumes }), having({ 'Secret key': {}, 'ConfigMap settings': { binaryData: { x: '' } } })),
      undefined
    )
    assert.deepEqual(
      configReferences(pod({ volumes })).map(({ name }) => name),
      ['key', 'settings']
    )
  })

  test('all sources of a projected volume', () => {
    const volumes = [{ name: 'all', projected: { sources: [{ secret: { name: 's' } }, { configMap: { name: 'm' } }] } }]
    assert.deepEqual(volumesOf({ volumes }), [
      'MountVolume.SetUp failed for volume "all" : [secret "s" not found, configmap "m" not found]'
    ])
  })

  test('claims that are bound', () => {
    const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }]
    const text = (problem: string) => [
      `Unable to attach or mount volumes: unmounted volumes=[d], unattached volumes=[], failed to process volumes=[d]: error processing PVC team/data: ${problem}`
    ]
    assert.deepEqual(volumesOf({ volumes }), text('failed to fetch PVC from API server: persistentvolumeclaims "data" not found'))
    assert.deepEqual(
      volumesOf({ volumes }, having({}, { data: { ...bound, status: { phase: 'Lost' } } })),
      text('PVC is not bound')
    )
    assert.equal(missingOf(pod({ volumes }), having({}, { data: bound })), undefined)
    const attaching = missingOf(pod({ volumes }), having({}, { data: { ...bound, spec: { volumeName: 'loose' } } }))
    assert.deepEqual([attaching?.isAttaching, attaching?.volumes], [true, []])
  })

  test('an ephemeral volume needs the claim that was made for the Pod', () => {
    const volumes = [{ name: 'data', ephemeral: { volumeClaimTemplate: {} } }]
    assert.match(
      volumesOf({ volumes }, having({}, { 'web-data': bound }))![0]!,
      /PVC team\/data was not created for pod team\/web/
    )
    const ownerReferences = [{ uid: 'u1', controller: true }]
    const own = { ...bound, metadata: { ...bound.metadata, ownerReferences } }
    assert.equal(missingOf(pod({ volumes }), having({}, { 'web-data': own })), undefined)
  })

  test('what the environment of its containers refers to', () => {
    const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 'key', key: 'a' } } }]
    const envFrom = [{ configMapRef: { name: 'settings' } }]
    const containers = [
      { name: 'web', image: 'nginx', env },
      { name: 'side', image: 'nginx', envFrom }
    ]
    const found = (configs: Record<string, object>) =>
      Object.fromEntries(missingOf(pod({ containers }), having(configs))!.containers)
    assert.deepEqual(found({}), { web: 'secret "key" not found', side: 'configmap "settings" not found' })
    assert.deepEqual(found({ 'Secret key': { data: {} }, 'ConfigMap settings': {} }), {
      web: "couldn't find key a in Secret team/key"
    })
  })
})
