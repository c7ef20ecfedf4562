import { life } from '../life.mjs'

const group = 'resource.k8s.io/v1'
const slices = `/apis/${group}/resourceslices`
const device = more => ({ name: 'd0', attributes: { model: { string: 'a' }, sizes: { ints: [1, 2] } }, capacity: { memory: { value: '8Gi' } }, ...more })
const spec = more => ({ spec: more })
const slice = { apiVersion: group, kind: 'ResourceSlice', metadata: { name: '${id}' }, spec: { driver: 'gpu.example.com', nodeName: 'n', pool: { name: 'n', generation: 1, resourceSliceCount: 1 }, devices: [device()] } }
const resource = (mapping, overhead) => ({ nodeAllocatableResources: { cpu: { mapping, overhead } } })
const claim = (derivedAttributes, more) => ({ apiVersion: group, kind: 'ResourceClaim', metadata: { name: 'c' }, spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'gpu', derivedAttributes, ...more } }] } } })
const claims = `/apis/${group}/namespaces/\${ns}/resourceclaims?dryRun=All`
const pools = '/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests'
const pool = { apiVersion: 'resource.k8s.io/v1alpha3', kind: 'ResourcePoolStatusRequest', metadata: { name: '${id}' }, spec: { driver: 'gpu.example.com', poolName: 'p', limit: 5, defaultPartitionTypeAttribute: 'gpu.example.com/profile' } }
const status = { driver: 'gpu.example.com', poolName: 'p', generation: 1, resourceSliceCount: 1, totalDevices: 3, allocatedDevices: 1, availableDevices: 2, unavailableDevices: 0 }
const condition = { type: 'Complete', status: 'True', reason: 'Done', message: '', lastTransitionTime: '2026-05-06T07:08:09Z' }
const mask = [/Syntax error: [^]*/]

export default {
  name: 'gated-resource',
  doc: 'Fields and kinds of dynamic resource allocation that are behind gates.',
  server: 'all-gates',
  steps: [
    ...life('slice', slices, slice, {
      bad: {
        'skip-odd': spec({ skipNodeOperations: ['Odd', 'Prepare', 'Prepare'] }),
        'partition-odd': spec({ partitionTypeAttribute: 'plain' }),
        'partition-name': spec({ partitionTypeAttribute: 'A_/b c' }),
        'resource-both': spec({ devices: [device(resource({ capacityKey: 'memory', capacityMultiplier: '1', deviceMultiplier: '2' }))] }),
        'resource-none': spec({ devices: [device(resource({}))] }),
        'resource-key': spec({ devices: [device(resource({ capacityKey: 'unknown', capacityMultiplier: '-1' }, { perPod: '-1', perContainer: '-2' }))] }),
        'resource-empty': spec({ devices: [device({ nodeAllocatableResources: { 'A_': {}, cpu: {} } })] }),
        'list-types': spec({ devices: [device({ attributes: { both: { string: 'a', strings: ['b'] }, versions: { versions: ['1.0.0', 'x'] } } })] }),
        'list-empty': spec({ devices: [device({ attributes: { empty: { ints: [] } } })] }),
        groups: spec({ devices: [device({ consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } }, compatibilityGroups: ['A_', 'a', 'a'] }] })] })
      },
      put: {
        skip: spec({ skipNodeOperations: ['NodePrepareResources'] }),
        driver: spec({ driver: 'other.example.com' })
      }
    }),
    { id: 'slice-node-unknown', path: `${slices}?dryRun=All`, body: { ...slice, spec: { ...slice.spec, ...{ devices: [device(resource({ capacityKey: 'memory', capacityMultiplier: '2' }, { perPod: '100m', perContainer: '10m' }))] } } } },
    { id: 'derived', path: claims, body: claim([{ name: 'gpu.example.com/half', expression: 'device.capacity["gpu.example.com"].memory' }]), mask },
    { id: 'derived-syntax', path: claims, body: claim([{ name: 'half', expression: 'device.nothing +' }, { name: 'x/y', expression: '' }]), mask },
    { id: 'derived-twice', path: claims, body: claim([{ name: 'a.example.com/x', expression: '1' }, { name: 'a.example.com/x', expression: '"b"' }]), mask },
    { id: 'derived-type', path: claims, body: claim([{ name: 'a.example.com/x', expression: '{"a": 1}' }]), mask },
    { id: 'capacity', path: claims, body: claim(undefined, { capacity: { requests: { memory: '1Gi', 'A_': '1' } } }), mask },
    ...life('pool', pools, pool, {
      bad: {
        driver: spec({ driver: 'A_' }),
        pool: spec({ poolName: 'a//b' }),
        'limit-zero': spec({ limit: 0 }),
        'limit-large': spec({ limit: 100000 }),
        attribute: spec({ defaultPartitionTypeAttribute: 'plain' })
      },
      patch: { driver: spec({ driver: 'other.example.com' }), limit: spec({ limit: 6 }) },
      status: {
        odd: { status: { poolCount: -1, pools: [{ ...status, driver: '', totalDevices: -1 }], conditions: [{ ...condition, status: 'Odd' }] } },
        complete: { status: { poolCount: 1, pools: [status], conditions: [condition] } },
        'complete-again': { status: { poolCount: 2, pools: [status, status], conditions: [condition] } }
      }
    })
  ]
}
