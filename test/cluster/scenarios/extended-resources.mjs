const driver = 'extended.example.com'
const gpu = 'extended.example.com/gpu'
const implicit = 'deviceclass.resource.kubernetes.io/extended-nics'
const aClass = (name, spec) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: `extended-${name}` },
  spec: {
    selectors: [{ cel: { expression: `device.driver == "${driver}" && device.attributes["${driver}"].kind == "${name}"` } }],
    ...spec
  }
})
const devices = (kind, count) =>
  Array.from({ length: count }, (_, i) => ({ name: `${kind}-${i}`, attributes: { kind: { string: kind } } }))
const slice = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: 'extended-first' },
  spec: {
    driver,
    nodeName: 'node-1',
    pool: { name: 'first', generation: 1, resourceSliceCount: 1 },
    devices: [...devices('gpus', 8), ...devices('nics', 3)]
  }
}
const container = (name, limits, more) => ({ name, image: 'nginx', resources: { limits }, ...more })
const pod = (name, containers, spec) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { terminationGracePeriodSeconds: 0, restartPolicy: 'Never', containers, ...spec }
})
const gpus = count => ({ [gpu]: String(count) })
const offered = quantity => [
  'v1',
  'nodes',
  'node-2',
  { status: { capacity: { [gpu]: quantity }, allocatable: { [gpu]: quantity } } },
  'status'
]

export default [
  { name: 'without a class', create: pod('early', [container('web', gpus(1))]) },
  {
    name: 'without devices',
    create: [
      aClass('gpus', { extendedResourceName: gpu }),
      aClass('nics', { config: [{ opaque: { driver, parameters: { of: 'nics' } } }] })
    ]
  },
  { name: 'with devices', create: slice },
  {
    name: 'of several containers',
    create: pod('several', [container('web', { ...gpus(1), [implicit]: '1' }), container('log', { cpu: '1m', ...gpus(1) })], {
      initContainers: [
        container('small', gpus(3)),
        container('side', { [implicit]: '1' }, { restartPolicy: 'Always' }),
        container('large', { ...gpus(4), [implicit]: '1' })
      ]
    }),
    seconds: 4
  },
  { name: 'more than are left', create: pod('late', [container('web', gpus(5))]) },
  {
    name: 'when a Pod has ended',
    patch: ['v1', 'pods', 'early', { metadata: { annotations: { 'simulate.binnacle.dev/exits-after': '0s' } } }]
  },
  { name: 'when a Pod has gone', remove: ['v1', 'pods', 'several'], seconds: 4 },
  { name: 'on a Node that has them', patch: offered('4') },
  { name: 'of the Node where it has them', create: pod('plugged', [container('web', gpus(4))]), seconds: 2 },
  {
    name: 'together with a claim',
    create: [
      {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceClaim',
        metadata: { name: 'own' },
        spec: { devices: { requests: [{ name: 'nic', exactly: { deviceClassName: 'extended-nics' } }] } }
      },
      pod('both', [container('web', gpus(2))], {
        resourceClaims: [{ name: 'own', resourceClaimName: 'own' }],
        nodeSelector: { 'kubernetes.io/hostname': 'node-1' }
      })
    ],
    seconds: 2
  },
  { name: 'not offered any more', patch: offered(null) },
  { name: 'the devices gone', remove: ['resource.k8s.io/v1', 'resourceslices', 'extended-first'] },
  { name: 'the class gone', remove: ['resource.k8s.io/v1', 'deviceclasses', 'extended-gpus'] },
  { name: 'the other class gone', remove: ['resource.k8s.io/v1', 'deviceclasses', 'extended-nics'] }
]
