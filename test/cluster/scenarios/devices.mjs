const driver = 'devices.example.com'
const aClass = (name, spec) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: `devices-${name}` },
  spec
})
const cel = expression => [{ cel: { expression } }]
const opaque = value => ({ opaque: { driver, parameters: { value } } })
const classes = [
  aClass('gpu', { selectors: cel(`device.driver == "${driver}"`), config: [opaque('of the class')] }),
  aClass('fast', { selectors: cel(`"${driver}" in device.attributes && device.attributes["${driver}"].fast`) })
]
const slice = (name, node, devices, pool = {}) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: `devices-${name}` },
  spec: { driver, ...node, pool: { name, generation: 1, resourceSliceCount: 1, ...pool }, devices }
})
const device = (name, fast, board) => ({ name, attributes: { fast: { bool: fast }, board: { int: board } } })
const exactly = (name, deviceClassName, fields) => ({
  name,
  exactly: { deviceClassName: `devices-${deviceClassName}`, ...fields }
})
const claim = (name, devices) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name },
  spec: { devices }
})
const template = (name, devices) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name },
  spec: { spec: { devices } }
})
const pod = (name, ...resourceClaims) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'web', image: 'nginx' }], resourceClaims }
})
const own = name => ({ name, resourceClaimName: name })
const by = name => ({ name, resourceClaimTemplateName: name })

export default [
  { name: 'without its claim', create: pod('early', own('late')) },
  { name: 'without its class', create: claim('late', { requests: [exactly('one', 'gpu')] }) },
  { name: 'without devices', create: classes },
  {
    name: 'on the Node of the device',
    create: slice('first', { nodeName: 'node-1' }, [device('a', false, 1), device('b', true, 1)])
  },
  {
    name: 'by a template, with the rest of the devices',
    create: [
      template('rest', {
        requests: [exactly('one', 'fast')],
        config: [{ requests: ['one'], ...opaque('of the claim') }]
      }),
      pod('second', by('rest'))
    ]
  },
  { name: 'when there are none left', create: [claim('more', { requests: [exactly('one', 'gpu')] }), pod('third', own('more'))] },
  {
    name: 'of several Nodes, with a constraint and a choice',
    create: [
      slice(
        'second',
        {
          nodeSelector: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-2'] }] }]
          }
        },
        [device('a', false, 1), device('b', false, 2), device('c', false, 2), device('d', true, 3)]
      ),
      claim('pair', {
        requests: [exactly('pair', 'gpu', { count: 2 })],
        constraints: [{ matchAttribute: `${driver}/board` }]
      }),
      pod('fourth', own('pair'))
    ]
  },
  {
    name: 'one claim of two Pods',
    create: [
      claim('shared', {
        requests: [
          {
            name: 'one',
            firstAvailable: [
              { name: 'fast', deviceClassName: 'devices-fast' },
              { name: 'any', deviceClassName: 'devices-gpu' }
            ]
          }
        ]
      }),
      pod('fifth', own('shared')),
      pod('sixth', own('shared'))
    ],
    seconds: 4
  },
  { name: 'given back', remove: ['v1', 'pods', 'early'], seconds: 4 },
  { name: 'the first device gone', remove: ['resource.k8s.io/v1', 'resourceslices', 'devices-first'] },
  { name: 'the other devices gone', remove: ['resource.k8s.io/v1', 'resourceslices', 'devices-second'] }
]
