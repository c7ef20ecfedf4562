import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { AdmissionMetrics } from '../../admission-metrics.js'
import { podSecurity as makePodSecurity } from './pod-security.js'

const podSecurity = makePodSecurity(new AdmissionMetrics(new Metrics()))

const label = (mode: string) => `pod-security.kubernetes.io/${mode}`
const namespace = (name: string, labels: object) => ({ metadata: { name, labels } })
const pod = (more: object = {}, name = 'p', namespace = 'default') => ({
  metadata: { name, namespace },
  spec: { containers: [{ name: 'c', image: 'i' }], ...more }
})
const stored = {
  namespaces: [
    namespace('strict', { [label('enforce')]: 'baseline' }),
    namespace('warned', { [label('warn')]: 'baseline' }),
    namespace('audited', { [label('audit')]: 'baseline' }),
    namespace('default', {})
  ],
  pods: [pod({ hostNetwork: true }, 'a', 'strict'), pod({ hostNetwork: true }, 'b', 'strict'), pod({}, 'c', 'strict')]
}
const create = (namespace: string, object: object, resource = 'pods', subresource = '') =>
  attempt(podSecurity, { resource, subresource, namespace, object, stored })

test('a Pod must meet the standard that its namespace enforces', async () => {
  assert.equal(
    (await create('strict', pod({ hostNetwork: true }))).refused,
    'violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'
  )
  assert.equal((await create('strict', pod())).refused, undefined)
  assert.equal((await create('default', pod({ hostNetwork: true }))).refused, undefined)
  assert.equal((await create('strict', pod({ hostNetwork: true }), 'pods', 'status')).refused, undefined)
})

test('an update of a Pod is validated when it brings other images', async () => {
  const update = async (image: string) => {
    const object = pod({ hostNetwork: true, containers: [{ name: 'c', image }] })
    const oldObject = pod({ hostNetwork: true })
    const what = { operation: 'UPDATE', resource: 'pods', namespace: 'strict', object, oldObject, stored } as const
    return (await attempt(podSecurity, what)).refused
  }
  assert.equal(await update('i'), undefined)
  assert.match((await update('other'))!, /^violates PodSecurity/)
})

test('Pods and templates that violate the warn standard get a warning', async () => {
  const warning = 'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'
  assert.deepEqual((await create('warned', pod({ hostNetwork: true }))).warnings, [warning])
  const deployment = { metadata: { name: 'd' }, spec: { template: pod({ hostNetwork: true }) } }
  assert.deepEqual((await create('warned', deployment, 'deployments.apps')).warnings, [warning])
  assert.deepEqual((await create('warned', deployment, 'deployments.apps', 'status')).warnings, [])
})

test('a namespace that becomes stricter warns of its Pods that violate the new standard', async () => {
  const update = (labels: object) => {
    const [object, oldObject] = [namespace('strict', labels), namespace('strict', {})]
    const what = { operation: 'UPDATE', resource: 'namespaces', namespace: 'strict', object, oldObject, stored } as const
    return attempt(podSecurity, what)
  }
  assert.deepEqual((await update({ [label('enforce')]: 'baseline' })).warnings, [
    'existing pods in namespace "strict" violate the new PodSecurity enforce level "baseline:latest"',
    'a (and 1 other pod): host namespaces'
  ])
  assert.match(
    (await update({ [label('enforce')]: 'x' })).refused!,
    /Invalid value: "x": must be one of privileged, baseline, restricted/
  )
})

test('the audit event has the enforced standard, and violations of the audit standard', async () => {
  const { annotations, refused } = await create('audited', pod({ hostNetwork: true }))
  assert.equal(refused, undefined)
  assert.deepEqual(
    [...annotations],
    [
      [label('enforce-policy'), 'privileged:latest'],
      [label('audit-violations'), 'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)']
    ]
  )
})

test('an ephemeral container must meet the standard, too', async () => {
  const ephemeralContainers = [{ name: 'e', image: 'i', securityContext: { privileged: true } }]
  const update = (subresource: string) =>
    attempt(podSecurity, {
      operation: 'UPDATE',
      resource: 'pods',
      subresource,
      namespace: 'strict',
      object: pod({ ephemeralContainers }),
      oldObject: pod(),
      stored
    })
  assert.match((await update('ephemeralcontainers')).refused ?? '', /violates PodSecurity/)
  assert.equal((await update('status')).refused, undefined)
})

const containersOf = (...images: string[]) => images.map((image, i) => ({ name: `c${i}`, image }))
for (const [what, spec, old, isChecked] of [
  ['the same', { containers: containersOf('a') }, { containers: containersOf('a') }, false],
  ['another image', { containers: containersOf('b') }, { containers: containersOf('a') }, true],
  ['one more container', { containers: containersOf('a', 'b') }, { containers: containersOf('a') }, true],
  ['another image of an init container', { initContainers: containersOf('b') }, { initContainers: containersOf('a') }, true],
  ['the same init container', { initContainers: containersOf('a') }, { initContainers: containersOf('a') }, false],
  ['a new ephemeral container', { ephemeralContainers: containersOf('a') }, {}, true],
  [
    'another ephemeral container',
    { ephemeralContainers: containersOf('a', 'b') },
    { ephemeralContainers: containersOf('a') },
    true
  ],
  [
    'another image of an ephemeral container',
    { ephemeralContainers: containersOf('b') },
    { ephemeralContainers: containersOf('a') },
    true
  ],
  ['the same ephemeral container', { ephemeralContainers: containersOf('a') }, { ephemeralContainers: containersOf('a') }, false]
] as const)
  test(`an update is ${isChecked ? '' : 'not '}checked when it brings ${what}`, async () => {
    const [object, oldObject] = [pod({ hostNetwork: true, ...spec }), pod({ hostNetwork: true, ...old })]
    const attempted = { operation: 'UPDATE', resource: 'pods', namespace: 'strict', object, oldObject, stored } as const
    assert.equal((await attempt(podSecurity, attempted)).refused !== undefined, isChecked)
  })

test('a namespace warns of its Pods by their violations, and names the first of each', async () => {
  const privileged = { containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] }
  const pods = [
    ...['z', 'y', 'x'].map(name => pod({ hostNetwork: true }, name, 'strict')),
    pod(privileged, 'w', 'strict'),
    pod({ hostNetwork: true }, 'elsewhere', 'default')
  ]
  const [object, oldObject] = [namespace('strict', { [label('enforce')]: 'baseline' }), namespace('strict', {})]
  const what = { operation: 'UPDATE', resource: 'namespaces', namespace: 'strict', object, oldObject } as const
  assert.deepEqual((await attempt(podSecurity, { ...what, stored: { ...stored, pods } })).warnings, [
    'existing pods in namespace "strict" violate the new PodSecurity enforce level "baseline:latest"',
    'w: privileged',
    'x (and 2 other pods): host namespaces'
  ])
  const none = await attempt(podSecurity, { ...what, stored: { ...stored, pods: [pod({}, 'c', 'strict')] } })
  assert.deepEqual(none.warnings, [])
  const laxer = await attempt(podSecurity, { ...what, object: oldObject, oldObject: object, stored: { ...stored, pods } })
  assert.deepEqual(laxer.warnings, [])
})
