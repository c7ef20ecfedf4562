import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Endpoints, Node, Pod, Service } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { mirror } from './mirroring.js'
import { endpointsOrder, fnv128a } from './port-order.js'
import type { Slice, WantedSlice } from './slice-changes.js'
import { planSlices, type SlicesPlan } from './slices.js'
import { addressCount, areEqual, repacked, subsetsOf, truncated } from './subsets.js'
import { TriggerTimes } from './trigger-times.js'

const metadata = (name: string) => ({ name, namespace: 'team', uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z' })

const serviceWith = (spec: object = {}, more: object = {}) =>
  ({
    metadata: { ...metadata('web'), ...more },
    spec: {
      selector: { app: 'web' },
      clusterIP: '10.0.0.1',
      ipFamilies: ['IPv4'],
      ports: [{ port: 80, protocol: 'TCP' }],
      ...spec
    }
  }) as unknown as Service

const podOf = (number: number, { ready = true, ...more }: { ready?: boolean; deletionTimestamp?: string } = {}) =>
  ({
    metadata: { ...metadata(`pod-${number}`), ...more },
    spec: { nodeName: 'node-0' },
    status: {
      phase: 'Running',
      podIP: `10.244.${number >> 8}.${number & 255}`,
      podIPs: [{ ip: `10.244.${number >> 8}.${number & 255}` }],
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:05Z' }]
    }
  }) as unknown as Pod
const pods = (count: number) => Array.from({ length: count }, (_, number) => podOf(number))
const node = { metadata: { labels: { 'topology.kubernetes.io/zone': 'a' } } } as unknown as Node
const nodeOf = (name: string) => (name === 'node-0' ? node : undefined)

/** The slices after the changes, as a server would keep them. */
function written(
  slices: readonly Slice[],
  { create, update, remove }: Pick<SlicesPlan, 'create' | 'update' | 'remove'>
): Slice[] {
  const named = (slice: WantedSlice, i: number) =>
    ({ ...slice, metadata: { name: `new-${slices.length + i}`, uid: `${i}`, ...slice.metadata } }) as Slice
  const changed = new Map(update.map(slice => [slice.metadata?.name, slice as Slice]))
  return [
    ...slices.filter(slice => !remove.includes(slice)).map(slice => changed.get(slice.metadata.name) ?? slice),
    ...create.map(named)
  ]
}

const planned = (service: Service, list: readonly Pod[], slices: readonly Slice[] = []) =>
  planSlices({ service, pods: list, nodeOf, slices })
const counts = (plan: SlicesPlan) => [plan.create.length, plan.update.length, plan.remove.length]
const sizes = (slices: readonly Slice[]) => slices.map(({ endpoints }) => endpoints!.length)

describe('EndpointSlices of a Service', () => {
  test('hold a hundred endpoints each, and are not written again when nothing has changed', () => {
    const slices = written([], planned(serviceWith(), pods(250)))
    assert.deepEqual(sizes(slices), [100, 100, 50])
    assert.deepEqual(counts(planned(serviceWith(), pods(250), slices)), [0, 0, 0])
    assert.deepEqual(counts(planned(serviceWith(), pods(250).reverse(), slices)), [0, 0, 0])
  })

  test('change as little as possible', () => {
    const slices = written([], planned(serviceWith(), pods(250)))
    const without = pods(250).filter((_, number) => number !== 7)
    const less = planned(serviceWith(), without, slices)
    assert.deepEqual(counts(less), [0, 1, 0])
    const left = written(slices, less)
    assert.deepEqual(sizes(left), [99, 100, 50])
    // the new one goes where most are
    assert.deepEqual(sizes(written(left, planned(serviceWith(), [...without, podOf(300)], left))), [100, 100, 50])
    // two do not fit there, but in the last
    assert.deepEqual(sizes(written(left, planned(serviceWith(), [...without, podOf(300), podOf(301)], left))), [99, 100, 52])
    // a slice that changes anyway is filled first
    const swapped = [...without.slice(1), podOf(300), podOf(301)]
    assert.deepEqual(sizes(written(left, planned(serviceWith(), swapped, left))), [100, 100, 50])
  })

  test('a slice without endpoints is deleted, or becomes one that is needed', () => {
    const slices = written([], planned(serviceWith(), pods(101)))
    assert.deepEqual(counts(planned(serviceWith(), pods(100), slices)), [0, 0, 1])
    const other = serviceWith({ ports: [{ port: 81, protocol: 'TCP' }] })
    assert.deepEqual(counts(planned(other, pods(100), slices)), [0, 1, 1])
  })

  test('one without endpoints and ports tells that there are none', () => {
    const slices = written([], planned(serviceWith(), []))
    assert.deepEqual([sizes(slices), slices[0]!.ports], [[0], []])
    assert.deepEqual(counts(planned(serviceWith(), [], slices)), [0, 0, 0])
    assert.deepEqual(counts(planned(serviceWith(), pods(1), slices)), [0, 1, 0])
  })

  test('a Pod that terminates serves, and is not ready', () => {
    const conditionsOf = (service: Service, pod: Pod) => planned(service, [pod]).create[0]!.endpoints![0]!.conditions
    const leaving = podOf(1, { deletionTimestamp: '2026-01-01T00:01:00Z' })
    assert.deepEqual(conditionsOf(serviceWith(), leaving), { ready: false, serving: true, terminating: true })
    const early = serviceWith({ publishNotReadyAddresses: true })
    assert.deepEqual(conditionsOf(early, podOf(1, { ready: false })), { ready: true, serving: false, terminating: false })
  })

  test('a Pod on an unknown Node is left out, and looked for again', () => {
    const lost = { ...podOf(1), spec: { nodeName: 'gone' } } as Pod
    const plan = planned(serviceWith(), [lost, podOf(2)])
    assert.deepEqual(plan.errors, ['skipping Pod pod-1 for Service team/web: Node gone Not Found'])
    assert.equal(plan.create[0]!.endpoints!.length, 1)
  })

  test('zones come from Nodes, and hints from the zones when the Service asks for them', () => {
    const [endpoint] = planned(serviceWith({ trafficDistribution: 'PreferClose' }), pods(1)).create[0]!.endpoints!
    assert.deepEqual([endpoint!.zone, endpoint!.hints], ['a', { forZones: [{ name: 'a' }] }])
    const slices = written([], planned(serviceWith(), pods(1)))
    assert.deepEqual(counts(planned(serviceWith({ trafficDistribution: 'PreferSameNode' }), pods(1), slices)), [0, 1, 0])
  })

  test('labels follow those of the Service, apart from the controller’s own', () => {
    const slices = written([], planned(serviceWith(), pods(1)))
    const labelled = serviceWith({}, { labels: { tier: 'front', 'kubernetes.io/service-name': 'mine' } })
    const plan = planned(labelled, pods(1), slices)
    assert.deepEqual(plan.update[0]!.metadata!.labels, {
      tier: 'front',
      'kubernetes.io/service-name': 'web',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io'
    })
  })
})

describe('Endpoints', () => {
  test('an address that is not ready somewhere is not ready for the port, and ports of the same addresses are together', () => {
    const port = (number: number) => ({ name: `p${number}`, port: number, protocol: 'TCP' })
    const subsets = [
      { addresses: [{ ip: '10.0.0.2' }], ports: [port(1)] },
      { notReadyAddresses: [{ ip: '10.0.0.2' }], addresses: [{ ip: '10.0.0.1' }], ports: [port(1), port(2)] }
    ]
    const packed = repacked(subsets)
    assert.equal(packed.length, 1)
    assert.deepEqual(packed[0]!.addresses, [{ ip: '10.0.0.1' }])
    assert.deepEqual(packed[0]!.notReadyAddresses, [{ ip: '10.0.0.2' }])
    assert.ok(areEqual(subsets, packed))
  })

  test('of more than a thousand addresses the ready ones are kept', () => {
    const list = [...pods(900), ...Array.from({ length: 200 }, (_, number) => podOf(1000 + number, { ready: false }))]
    const [subset] = truncated(subsetsOf(serviceWith(), list))
    assert.deepEqual([subset!.addresses!.length, subset!.notReadyAddresses!.length], [900, 100])
    assert.equal(addressCount(truncated(subsetsOf(serviceWith(), pods(1200)))), 1000)
  })

  test('ports have the order of the hashes that Go computes', () => {
    const printed = '(v1.EndpointPort){Name:(string)http Port:(int32)80 Protocol:(v1.Protocol)TCP AppProtocol:(*string)<nil>}'
    assert.equal(fnv128a(printed), '754b003f50f133a539c60d18cfb30a55')
    const plain = { name: 'http', port: 80, protocol: 'TCP' }
    const more = { ...plain, appProtocol: 'http' }
    assert.deepEqual(endpointsOrder([more, plain]), [plain, more])
  })

  test('mirrored slices are written when something differs', () => {
    const endpoints = {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: metadata('web'),
      subsets: [{ addresses: [{ ip: '198.51.100.1' }, { ip: '2001:db8::1' }], ports: [{ port: 80 }] }]
    } as unknown as Endpoints & KubeObject
    const slices = written([], mirror(endpoints, []))
    assert.deepEqual(
      slices.map(({ addressType }) => addressType),
      ['IPv4', 'IPv6']
    )
    const again = mirror(endpoints, slices)
    assert.deepEqual([again.create.length, again.update.length, again.remove.length], [0, 0, 0])
    const moved = { ...endpoints, subsets: [{ addresses: [{ ip: '198.51.100.2' }], ports: [{ port: 80 }] }] }
    const next = mirror(moved, slices)
    assert.deepEqual([next.create.length, next.update.length, next.remove.length], [0, 1, 1])
  })
})

test('the trigger time is that of the first change since the last look', () => {
  const times = new TriggerTimes()
  const readyAt = (number: number, seconds: number) => {
    const pod = podOf(number)
    pod.status.conditions![0]!.lastTransitionTime = `2026-01-01T00:00:${seconds}Z`
    return pod
  }
  assert.equal(times.take(serviceWith(), pods(1)), '2026-01-01T00:00:00Z')
  assert.equal(times.take(serviceWith(), pods(1)), undefined)
  assert.equal(times.take(serviceWith(), [readyAt(0, 30), readyAt(1, 20)]), '2026-01-01T00:00:20Z')
  times.forget('team/web')
  assert.equal(times.take(serviceWith(), pods(1)), '2026-01-01T00:00:00Z')
})
