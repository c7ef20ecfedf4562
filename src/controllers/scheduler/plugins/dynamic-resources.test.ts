/** Devices for the claims of Pods. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Node } from '../../../apimachinery/api/generated/core-v1.js'
import type {
  AllocationResult,
  Device,
  DeviceClass,
  DeviceRequest,
  DeviceTaintRule,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimStatus,
  ResourceSlice,
  ResourceSliceSpec
} from '../../../apimachinery/api/generated/resource-v1.js'
import type { ClaimBinder } from '../devices/claim-binder.js'
import { aNode, aPod, clusterOf, decisionOn, messageFor, reserved, verdicts } from '../testing/cluster.js'
import { dynamicResources } from './dynamic-resources.js'

const driver = 'gpu.example.com'

const slice = (node: string | undefined, devices: Device[], spec: Partial<ResourceSliceSpec> = {}): ResourceSlice => ({
  kind: 'ResourceSlice',
  apiVersion: 'resource.k8s.io/v1',
  metadata: { name: `slice-${node}-${devices[0]?.name}` },
  spec: { driver, pool: { name: node ?? 'all', generation: 1, resourceSliceCount: 1 }, nodeName: node, devices, ...spec }
})

const aClass = (name: string, spec: DeviceClass['spec'] = {}): DeviceClass => ({
  kind: 'DeviceClass',
  apiVersion: 'resource.k8s.io/v1',
  metadata: { name },
  spec
})

const exactly = (name: string, given: Partial<ExactDeviceRequest> = {}): DeviceRequest => ({
  name,
  exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1, ...given }
})

const claim = (
  name: string,
  devices: Partial<ResourceClaimSpec['devices']>,
  status: ResourceClaimStatus = {}
): ResourceClaim => ({
  kind: 'ResourceClaim',
  apiVersion: 'resource.k8s.io/v1',
  metadata: { name, namespace: 'default', uid: `uid of ${name}` },
  spec: { devices: { requests: [exactly('gpu')], ...devices } },
  status
})

const cel = (expression: string) => [{ cel: { expression } }]
const podWith = (...claims: string[]) =>
  aPod('web', { spec: { resourceClaims: claims.map(name => ({ name, resourceClaimName: name })) } })

interface Setting {
  readonly nodes?: readonly Node[]
  readonly claims: readonly ResourceClaim[]
  readonly slices: readonly ResourceSlice[]
  readonly classes?: readonly DeviceClass[]
  readonly rules?: readonly DeviceTaintRule[]
}

/** The devices that the claims of a Pod get, or why it fits nowhere. */
function outcome(
  { nodes = [aNode('a'), aNode('b')], classes = [aClass('gpu')], ...devices }: Setting,
  ...names: string[]
): unknown {
  const cluster = clusterOf(nodes, [], { devices: { classes, ...devices } })
  const pod = podWith(...(names.length > 0 ? names : devices.claims.map(({ metadata }) => metadata.name!)))
  const decision = decisionOn(pod, cluster)
  if (!('node' in decision)) return decision.message
  decision.reserve()
  return reserved.map(({ allocation }) =>
    (allocation?.devices.results ?? []).map(({ request, pool, device }) => `${request}: ${pool}/${device}`).join(', ')
  )
}

const unhelpful = 'preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.'

describe('devices', () => {
  const two = (name: string, attributes: (i: number) => Device['attributes'] = () => undefined) =>
    [0, 1].map((i): Device => ({ name: `${name}${i}`, attributes: attributes(i) }))

  test('come from the Node that has them, and each only once', () => {
    const slices = [slice('b', two('gpu'))]
    assert.deepEqual(outcome({ claims: [claim('one', {})], slices }), ['gpu: b/gpu0'])
    assert.deepEqual(outcome({ claims: [claim('one', {}), claim('two', {})], slices }), ['gpu: b/gpu0', 'gpu: b/gpu1'])
    const three = [claim('one', {}), claim('two', { requests: [exactly('gpus', { count: 2 })] })]
    assert.equal(outcome({ claims: three, slices }), `0/2 nodes are available: 2 cannot allocate all claims. ${unhelpful}`)
    const devices = { results: [{ request: 'gpu', driver, pool: 'b', device: 'gpu0' }] }
    const taken = claim('taken', {}, { allocation: { devices } })
    assert.deepEqual(outcome({ claims: [claim('one', {}), taken], slices }, 'one'), ['gpu: b/gpu1'])
  })

  test('are selected by expressions over their attributes and capacity, of the class and of the request', () => {
    const devices: Device[] = [
      {
        name: 'small',
        attributes: { model: { string: 'x' }, version: { version: '1.2.0' } },
        capacity: { memory: { value: '8Gi' } }
      },
      { name: 'other', attributes: { model: { string: 'y' }, cores: { int: 8 } }, capacity: { memory: { value: '80Gi' } } },
      {
        name: 'large',
        attributes: { model: { string: 'x' }, [`${driver}/cores`]: { int: 8 } },
        capacity: { memory: { value: '80Gi' } }
      }
    ]
    const classes = [
      aClass('gpu', { selectors: cel(`device.driver == "${driver}" && device.attributes["${driver}"].model == "x"`) })
    ]
    const found = (expression: string) =>
      outcome({
        claims: [claim('one', { requests: [exactly('gpu', { selectors: cel(expression) })] })],
        slices: [slice('a', devices)],
        classes
      })
    const gpu = `"${driver}"`
    assert.deepEqual(found(`device.capacity[${gpu}].memory.compareTo(quantity("16Gi")) > 0`), ['gpu: a/large'])
    assert.deepEqual(found(`"cores" in device.attributes[${gpu}] && device.attributes[${gpu}].cores > 4`), ['gpu: a/large'])
    assert.deepEqual(
      found(`has(device.attributes[${gpu}].version) && device.attributes[${gpu}].version.isLessThan(semver("2.0.0"))`),
      ['gpu: a/small']
    )
    assert.equal(
      found('"x" in device.attributes["no.such"]'),
      `0/2 nodes are available: 2 cannot allocate all claims. ${unhelpful}`
    )
    assert.throws(
      () => found(`device.attributes[${gpu}].cores > 4`),
      /claim default\/one: selector #0 on device gpu\.example\.com\/a\/small: CEL runtime error: no such key: cores/
    )
  })

  test('of one claim match in an attribute, or differ in it', () => {
    const onBoard = (i: number) => ({ board: { int: i } })
    const slices = [slice('a', [...two('x', onBoard), ...two('y', onBoard)])]
    const both = [exactly('first'), exactly('second')]
    const constrained = (constraint: object) =>
      outcome({ claims: [claim('one', { requests: both, constraints: [constraint] })], slices })
    assert.deepEqual(constrained({ matchAttribute: `${driver}/board` }), ['first: a/x0, second: a/y0'])
    assert.deepEqual(constrained({ distinctAttribute: `${driver}/board` }), ['first: a/x0, second: a/x1'])
    assert.match(String(constrained({ matchAttribute: `${driver}/none` })), /cannot allocate all claims/)
    assert.deepEqual(constrained({ requests: ['second'], matchAttribute: `${driver}/board` }), ['first: a/x0, second: a/x1'])
  })

  test('may all be asked for, or the best of several choices', () => {
    const slices = [slice('a', two('gpu')), slice('b', [{ name: 'fast', attributes: { fast: { bool: true } } }])]
    const all = [exactly('all', { allocationMode: 'All' })]
    assert.deepEqual(outcome({ nodes: [aNode('a')], claims: [claim('one', { requests: all })], slices }), [
      'all: a/gpu0, all: a/gpu1'
    ])
    const sub = (name: string, expression: string) => ({ name, deviceClassName: 'gpu', count: 1, selectors: cel(expression) })
    const isFast = `"fast" in device.attributes["${driver}"]`
    const requests = [{ name: 'gpu', firstAvailable: [sub('fast', isFast), sub('any', 'true')] }]
    assert.deepEqual(outcome({ claims: [claim('one', { requests })], slices }), ['gpu/fast: b/fast'])
    const incomplete = [slice('a', two('gpu'), { pool: { name: 'a', generation: 1, resourceSliceCount: 2 } })]
    assert.throws(
      () => outcome({ nodes: [aNode('a')], claims: [claim('one', { requests: all })], slices: incomplete }),
      /claim default\/one, request all: asks for all devices, but resource pool gpu\.example\.com\/a is currently being updated/
    )
    assert.match(String(outcome({ claims: [claim('one', {})], slices: incomplete })), /cannot allocate all claims/)
  })

  test('that are tainted, also by a rule, go to those that tolerate it; for administrators, devices may be in use', () => {
    const taint = { key: 'broken', effect: 'NoSchedule', timeAdded: null }
    const slices = [slice('a', [{ name: 'gpu0', taints: [taint] }, { name: 'gpu1' }])]
    assert.deepEqual(outcome({ claims: [claim('one', {})], slices }), ['gpu: a/gpu1'])
    const spec = { deviceSelector: { device: 'gpu1' }, taint }
    const rules = [{ kind: 'DeviceTaintRule', apiVersion: 'resource.k8s.io/v1', metadata: { name: 'rule' }, spec, status: {} }]
    assert.match(String(outcome({ claims: [claim('one', {})], slices, rules })), /cannot allocate all claims/)
    const tolerations = [{ key: 'broken', operator: 'Exists' }]
    assert.deepEqual(outcome({ claims: [claim('one', { requests: [exactly('gpu', { tolerations })] })], slices, rules }), [
      'gpu: a/gpu0'
    ])
    const admin = claim('admin', { requests: [exactly('watch', { adminAccess: true, allocationMode: 'All', tolerations })] })
    assert.deepEqual(outcome({ claims: [claim('one', {}), admin], slices }), ['gpu: a/gpu1', 'watch: a/gpu0, watch: a/gpu1'])
  })

  test('may be had by administrators although they are in use, but once in a claim, and not by others afterwards', () => {
    const slices = [slice('a', two('gpu'))]
    const watch = (name: string) => exactly(name, { adminAccess: true })
    const twice = claim('twice', { requests: [watch('first'), watch('second')] })
    assert.deepEqual(outcome({ claims: [twice], slices }), ['first: a/gpu0, second: a/gpu1'])
    const thrice = claim('thrice', { requests: [watch('first'), watch('second'), watch('third')] })
    assert.match(String(outcome({ claims: [thrice], slices })), /cannot allocate all claims/)
    const [one, other] = ['one', 'other'].map(name => claim(name, { requests: [watch(name)] })) as [ResourceClaim, ResourceClaim]
    assert.deepEqual(outcome({ claims: [one, other], slices }), ['one: a/gpu0', 'other: a/gpu0'])
    assert.deepEqual(outcome({ claims: [one, other, claim('plain', {})], slices }), [
      'one: a/gpu0',
      'other: a/gpu0',
      'gpu: a/gpu1'
    ])
    // a search in vain gives back what it has taken
    const constraints = [{ requests: ['gpu'], matchAttribute: `${driver}/board` }]
    const onBoard = two('gpu', i => (i === 0 ? undefined : { board: { int: 1 } }))
    const picky = claim('picky', { requests: [watch('watch'), exactly('gpu')], constraints })
    assert.deepEqual(outcome({ claims: [picky], slices: [slice('a', onBoard)] }), ['watch: a/gpu0, gpu: a/gpu1'])
    const without = cel(`!("board" in device.attributes["${driver}"])`)
    const pair = claim('pair', { requests: [watch('any'), exactly('one', { adminAccess: true, selectors: without })] })
    assert.deepEqual(outcome({ claims: [one, pair], slices: [slice('a', onBoard)] }), ['one: a/gpu0', 'any: a/gpu1, one: a/gpu0'])
  })

  test('of a pool that contradicts itself are not given, and all devices cannot be had', () => {
    const isInvalid = '0/1 nodes are available: 1 invalid resource pools were encountered. preemption: 0/1'
    const found = (slices: ResourceSlice[], request = exactly('gpu')) =>
      String(outcome({ nodes: [aNode('a')], claims: [claim('one', { requests: [request] })], slices }))
    const named = (name: string, spec: Partial<ResourceSliceSpec>): ResourceSlice => {
      const pool = { name: 'a', generation: 1, resourceSliceCount: 2 }
      return { ...slice('a', []), metadata: { name }, spec: { driver, pool, nodeName: 'a', ...spec } }
    }
    const needing = (counterSet: string, counter: string): Device => ({
      name: 'gpu0',
      consumesCounters: [{ counterSet, counters: { [counter]: { value: '1' } } }]
    })
    const set = { name: 'set', counters: { slots: { value: '1' } } }
    const invalid = [
      [named('x', { devices: two('gpu') }), named('y', { devices: [{ name: 'gpu1' }] })],
      [named('x', { devices: [needing('other', 'slots')] }), named('y', { sharedCounters: [set] })],
      [named('x', { devices: [needing('set', 'others')] }), named('y', { sharedCounters: [set] })],
      [named('x', { devices: [needing('set', 'slots')] }), named('y', { sharedCounters: [set, set] })]
    ]
    for (const slices of invalid) assert.ok(found(slices).startsWith(isInvalid), found(slices))
    const valid = [named('x', { devices: [needing('set', 'slots')] }), named('y', { sharedCounters: [set] })]
    assert.equal(found(valid), 'gpu: a/gpu0')
    // what is not there yet is not wrong
    assert.match(found(valid.slice(0, 1)), /1 cannot allocate all claims\./)
    // the same name on another Node is another device for this one
    const elsewhere = named('y', { nodeName: 'b', devices: [{ name: 'gpu1' }] })
    assert.equal(found([named('x', { devices: two('gpu') }), elsewhere]), 'gpu: a/gpu0')
    const other = slice('a', two('other'), { pool: { name: 'other', generation: 1, resourceSliceCount: 1 } })
    assert.equal(found([...invalid[0]!, other]), 'gpu: other/other0')
    assert.throws(
      () => found(invalid[0]!, exactly('all', { allocationMode: 'All' })),
      /claim default\/one, request all: asks for all devices, but resource pool gpu\.example\.com\/a is currently invalid/
    )
  })

  test('come with the configuration of their class, once for all of its requests, and that of the claim', () => {
    const opaque = (of: string) => ({ opaque: { driver, parameters: { of } as never } })
    const classes = [aClass('gpu', { config: [opaque('gpu')] }), aClass('nic', { config: [opaque('nic')] })]
    const requests = [exactly('a'), exactly('b', { deviceClassName: 'nic' }), exactly('c')]
    const config = (given: object[]) => {
      const one = claim('one', { requests, config: given as never })
      outcome({ claims: [one], slices: [slice('a', [...two('x'), ...two('y')])], classes })
      return reserved[0]!.allocation!.devices.config!.map(({ source, requests, opaque }) => [
        source,
        requests,
        opaque!.parameters
      ])
    }
    const ofClasses = [
      ['FromClass', ['a', 'c'], { of: 'gpu' }],
      ['FromClass', ['b'], { of: 'nic' }]
    ]
    assert.deepEqual(config([]), ofClasses)
    const ofClaim = [opaque('all'), { requests: ['b'], ...opaque('b') }, { requests: ['d'], ...opaque('d') }]
    assert.deepEqual(config(ofClaim), [...ofClasses, ['FromClaim', undefined, { of: 'all' }], ['FromClaim', ['b'], { of: 'b' }]])
  })

  test('that are parts of one share its counters', () => {
    const part = (name: string, value: string): Device => ({
      name,
      consumesCounters: [{ counterSet: 'gpu0', counters: { memory: { value } } }]
    })
    const shared: ResourceSlice = {
      ...slice('a', []),
      spec: {
        driver,
        pool: { name: 'a', generation: 1, resourceSliceCount: 2 },
        nodeName: 'a',
        sharedCounters: [{ name: 'gpu0', counters: { memory: { value: '10Gi' } } }]
      }
    }
    const pool = { name: 'a', generation: 1, resourceSliceCount: 2 }
    const slices = [shared, slice('a', [part('whole', '10Gi'), part('half0', '5Gi'), part('half1', '5Gi')], { pool })]
    assert.deepEqual(outcome({ claims: [claim('one', {}), claim('two', {})], slices }), ['gpu: a/half0', 'gpu: a/half1'])
    assert.match(String(outcome({ claims: [claim('one', {}), claim('two', {}), claim('three', {})], slices })), /cannot allocate/)
    // for administrators as well
    const watch = claim('watch', { requests: [exactly('watch', { adminAccess: true, count: 2 })] })
    assert.deepEqual(outcome({ claims: [watch], slices }), ['watch: a/half0, watch: a/half1'])
    assert.match(String(outcome({ claims: [watch, claim('one', {})], slices })), /cannot allocate/)
  })

  describe('that several claims share', () => {
    const shared = (name: string, capacity: Device['capacity'], more: Partial<Device> = {}): Device => ({
      name,
      allowMultipleAllocations: true,
      capacity,
      ...more
    })
    const asking = (name: string, memory: string, more: Partial<ExactDeviceRequest> = {}) =>
      claim(name, { requests: [exactly('gpu', { capacity: { requests: { memory } }, ...more })] })
    /** What the claims get, as the status says it. */
    function results(devices: Device[], claims: ResourceClaim[], ...names: string[]) {
      const found = outcome({ nodes: [aNode('a')], claims, slices: [slice('a', devices)] }, ...names)
      if (!Array.isArray(found)) return found
      return reserved.flatMap(({ allocation }) =>
        (allocation?.devices.results ?? []).map(({ device, shareID, consumedCapacity }) => ({
          device,
          shareID,
          consumedCapacity
        }))
      )
    }
    const share = (device: string, memory: string) => ({ device, shareID: 'share', consumedCapacity: { memory } })
    const isNone = (found: unknown) => assert.match(String(found), /^0\/1 nodes are available: 1 cannot allocate all claims\./)

    test('are given until their capacity is consumed, also by what claims have already', () => {
      const devices = [shared('gpu0', { memory: { value: '10Gi' } }), shared('gpu1', { memory: { value: '10Gi' } })]
      const three = [asking('one', '6Gi'), asking('two', '4Gi'), asking('three', '1Gi')]
      assert.deepEqual(results(devices, three), [share('gpu0', '6Gi'), share('gpu0', '4Gi'), share('gpu1', '1Gi')])
      isNone(results(devices, [...three, asking('four', '10Gi')]))
      const has = (consumedCapacity: Record<string, string>, more: object = {}) => {
        const result = { request: 'gpu', driver, pool: 'a', device: 'gpu0', shareID: 'other', consumedCapacity, ...more }
        return claim('has', {}, { allocation: { devices: { results: [result] } } })
      }
      assert.deepEqual(results(devices, [asking('one', '2Gi'), has({ memory: '8Gi' })], 'one'), [share('gpu0', '2Gi')])
      assert.deepEqual(results(devices, [asking('one', '3Gi'), has({ memory: '8Gi' })], 'one'), [share('gpu1', '3Gi')])
      const watched = has({ memory: '8Gi' }, { adminAccess: true })
      assert.deepEqual(results(devices, [asking('one', '3Gi'), watched], 'one'), [share('gpu0', '3Gi')])
      // a claim that had it alone before it was shared keeps it so
      assert.deepEqual(results(devices, [asking('one', '3Gi'), has({}, { shareID: undefined })], 'one'), [share('gpu1', '3Gi')])
    })

    test('count once where what a claim is about to get is there already', () => {
      const result = { request: 'gpu', driver, pool: 'a', device: 'gpu0', shareID: 'other', consumedCapacity: { memory: '6Gi' } }
      const allocation = { devices: { results: [result] } }
      const has = claim('has', {}, { allocation })
      const slices = [slice('a', [shared('gpu0', { memory: { value: '10Gi' } })])]
      const objects = { devices: { classes: [aClass('gpu')], claims: [asking('one', '4Gi'), has], slices } }
      const verdict = (...pending: [string, AllocationResult][]) => {
        const binder = { isPending: () => false, pending: () => new Map(pending) } as unknown as ClaimBinder
        return verdicts(dynamicResources(binder), podWith('one'), clusterOf([aNode('a')], [], objects))
      }
      assert.deepEqual(verdict(['uid of has', allocation]), { a: undefined })
      assert.deepEqual(verdict(['uid of another', allocation]), { a: '! cannot allocate all claims' })
    })

    test('give back what a search in vain has taken', () => {
      const board = (i: number) => ({ attributes: { board: { int: i } } })
      const devices = [
        shared('gpu0', { memory: { value: '10Gi' } }, board(0)),
        shared('gpu1', { memory: { value: '10Gi' } }, board(1)),
        shared('gpu2', { memory: { value: '2Gi' } }, board(1))
      ]
      const sized = (name: string, memory: string) => exactly(name, { capacity: { requests: { memory } } })
      const requests = [sized('large', '9Gi'), sized('small', '2Gi')]
      const constraints = [{ matchAttribute: `${driver}/board` }]
      const one = claim('one', { requests, constraints })
      assert.deepEqual(results(devices, [one]), [share('gpu1', '9Gi'), share('gpu2', '2Gi')])
      assert.deepEqual(results(devices, [one, asking('two', '10Gi')]), [
        share('gpu1', '9Gi'),
        share('gpu2', '2Gi'),
        share('gpu0', '10Gi')
      ])
    })

    test('are different ones for one claim where an attribute has to differ', () => {
      const devices = [0, 1].map(i => shared(`gpu${i}`, undefined, { attributes: { board: { int: i } } }))
      const requests = [exactly('first'), exactly('second')]
      const found = (more: object) =>
        outcome({ nodes: [aNode('a')], claims: [claim('one', { requests, ...more })], slices: [slice('a', devices)] })
      assert.deepEqual(found({}), ['first: a/gpu0, second: a/gpu0'])
      assert.deepEqual(found({ constraints: [{ distinctAttribute: `${driver}/board` }] }), ['first: a/gpu0, second: a/gpu1'])
      // without capacity, a share has an id and consumes nothing
      assert.deepEqual(results(devices, [claim('one', {})]), [{ device: 'gpu0', shareID: 'share', consumedCapacity: undefined }])
    })

    test('are rounded to fractions of steps where the cluster takes them', () => {
      const requestPolicy = { default: '1', validRange: { min: '0', step: '500m' } }
      const slices = [slice('a', [shared('gpu0', { memory: { value: '2', requestPolicy } })])]
      const objects = { classes: [aClass('gpu')], claims: [asking('one', '1200m'), asking('two', '500m')], slices }
      const on = (hasFractions: boolean) =>
        messageFor(podWith('one', 'two'), clusterOf([aNode('a')], [], { devices: { ...objects, hasFractions } }))
      assert.equal(on(true), 'on a')
      isNone(on(false))
    })

    test('take from shared counters once', () => {
      const pool = { name: 'a', generation: 1, resourceSliceCount: 2 }
      const sharedCounters = [{ name: 'set', counters: { slots: { value: '1' } } }]
      const counters: ResourceSlice = { ...slice('a', []), spec: { driver, pool, nodeName: 'a', sharedCounters } }
      const consumesCounters = [{ counterSet: 'set', counters: { slots: { value: '1' } } }]
      const devices = ['gpu0', 'gpu1'].map(name => shared(name, { memory: { value: '10Gi' } }, { consumesCounters }))
      const found = (claims: ResourceClaim[], ...names: string[]) =>
        outcome({ nodes: [aNode('a')], claims, slices: [counters, slice('a', devices, { pool })] }, ...names)
      assert.deepEqual(found([asking('one', '5Gi'), asking('two', '5Gi')]), ['gpu: a/gpu0', 'gpu: a/gpu0'])
      isNone(found([asking('one', '6Gi'), asking('two', '6Gi')]))
      const result = { request: 'gpu', driver, pool: 'a', device: 'gpu1', shareID: 'other', consumedCapacity: { memory: '1Gi' } }
      const has = claim('has', {}, { allocation: { devices: { results: [result] } } })
      assert.deepEqual(found([asking('one', '5Gi'), has], 'one'), ['gpu: a/gpu1'])
    })

    test('count as all only where they have so much, and have to be free of others then', () => {
      const devices = [shared('gpu0', { memory: { value: '10Gi' } }), shared('gpu1', { memory: { value: '1Gi' } })]
      const all = asking('all', '6Gi', { allocationMode: 'All' })
      assert.deepEqual(results(devices, [all]), [share('gpu0', '6Gi')])
      isNone(results(devices, [asking('one', '6Gi'), all]))
    })

    test('are not needed to ask for a capacity: a device of one claim has it, or does not', () => {
      const devices: Device[] = [{ name: 'none' }, { name: 'small', capacity: { memory: { value: '1Gi' } } }]
      isNone(results(devices, [asking('one', '2Gi')]))
      assert.deepEqual(results(devices, [asking('one', '500Mi')]), [
        { device: 'small', shareID: undefined, consumedCapacity: undefined }
      ])
      isNone(results(devices, [asking('one', '100Mi'), asking('two', '100Mi')]))
    })

    test('with a number that cannot be rounded are told as an error', () => {
      const policy = { default: '2', validRange: { min: '0', step: '2' } }
      const devices = [shared('gpu0', { memory: { value: '9223372036854775807', requestPolicy: policy } })]
      assert.throws(
        () => results(devices, [asking('one', '9223372036854775807')]),
        /claim default\/one, request gpu: checking capacity for device gpu\.example\.com\/a\/gpu0: capacity "memory": .*passes MaxInt64/
      )
    })
  })

  test('that a claim has bind the Pod to their Nodes', () => {
    const at = (name: string) => ({
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }]
    })
    const allocated = (name: string, user?: string) =>
      claim(
        'one',
        {},
        {
          allocation: { devices: {}, nodeSelector: at(name) },
          ...(user && { reservedFor: [{ resource: 'pods', name: user, uid: `uid of ${user}` }] })
        }
      )
    const on = (name: string, user?: string) =>
      messageFor(podWith('one'), clusterOf([aNode('a'), aNode('b')], [], { devices: { claims: [allocated(name, user)] } }))
    assert.equal(on('b'), 'on b')
    const nowhere = '0/2 nodes are available: 2 resourceclaim not available on the node.'
    // where nobody else uses them, the Pod may have other devices
    for (const user of [undefined, 'web'])
      assert.equal(on('c', user), `${nowhere} deallocation of ResourceClaim completed, ${unhelpful}`)
    assert.equal(on('c', 'other'), `${nowhere} ${unhelpful}`)
    const consumers = Array.from({ length: 256 }, (_, i) => ({ resource: 'pods', name: `p${i}`, uid: `${i}` }))
    const full = claim('one', {}, { allocation: { devices: {} }, reservedFor: consumers })
    assert.equal(outcome({ claims: [full], slices: [] }), `0/2 nodes are available: resourceclaim in use. ${unhelpful}`)
  })

  test('of a class that is not there keep the Pod waiting', () => {
    assert.equal(
      outcome({ claims: [claim('one', {})], slices: [], classes: [] }),
      `0/2 nodes are available: request gpu: device class gpu does not exist. ${unhelpful}`
    )
  })

  test('are searched for a bounded time', () => {
    // eleven devices with eleven boards, where there are ten
    const many = Array.from({ length: 100 }, (_, i): Device => ({ name: `gpu${i}`, attributes: { board: { int: i % 10 } } }))
    const constraints = [{ distinctAttribute: `${driver}/board` }]
    const one = claim('one', { requests: [exactly('eleven', { count: 11 })], constraints })
    const setting = { nodes: [aNode('a')], claims: [one], slices: [slice('a', many)] }
    assert.throws(() => outcome(setting), /node a: timed out trying to allocate devices/)
  })
})
