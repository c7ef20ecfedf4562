const driver = 'shares.example.com'
const classes = ['shared', 'prepared'].map(name => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: `shares-${name}` },
  spec: {
    selectors: [{ cel: { expression: `device.driver == "${driver}" && device.attributes["${driver}"].kind == "${name}"` } }]
  }
}))
const slice = (name, devices) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: `shares-${name}` },
  spec: {
    driver,
    allNodes: true,
    pool: { name, generation: 1, resourceSliceCount: 1 },
    devices: devices.map(device => ({ ...device, attributes: { kind: { string: name } } }))
  }
})
const shared = (name, memory, requestPolicy) => ({
  name,
  allowMultipleAllocations: true,
  capacity: {
    memory: { value: memory, ...(requestPolicy && { requestPolicy }) },
    cores: { value: '8', requestPolicy: { default: '1' } }
  }
})
const prepared = name => ({ name, bindsToNode: true, bindingConditions: ['ready'], bindingFailureConditions: ['broken'] })
const claim = (name, kind, requests) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name },
  spec: {
    devices: {
      requests: [{ name: 'one', exactly: { deviceClassName: `shares-${kind}`, ...(requests && { capacity: { requests } }) } }]
    }
  }
})
const pod = name => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'web', image: 'nginx' }],
    resourceClaims: [{ name: 'own', resourceClaimName: name }]
  }
})
const asking = (name, requests) => [claim(name, 'shared', requests), pod(name)]
/** What the driver says of a device. */
const told = (claim, type) => {
  const condition = { type, status: 'True', reason: 'Told', message: 'by the driver', lastTransitionTime: '2026-01-01T00:00:00Z' }
  const devices = [{ driver, pool: 'prepared', device: 'a', conditions: [condition] }]
  return ['resource.k8s.io/v1', 'resourceclaims', claim, { status: { devices } }, 'status']
}
const inSteps = { default: '1Gi', validRange: { min: '1Gi', max: '9Gi', step: '2Gi' } }

export default [
  {
    name: 'a share',
    create: [
      ...classes,
      slice('shared', [shared('a', '10Gi', inSteps), shared('b', '4Gi')]),
      ...asking('first', { memory: '4Gi' })
    ]
  },
  { name: 'another share, rounded up', create: asking('second', { memory: '3500Mi', cores: '2' }) },
  { name: 'all of the next device, where no policy says less', create: asking('third') },
  { name: 'more than is left', create: asking('fourth', { memory: '3Gi' }) },
  { name: 'even more than is left', create: asking('fifth', { memory: '4Gi' }) },
  { name: 'more than is given at once', create: asking('sixth', { memory: '10Gi' }) },
  { name: 'given back', remove: ['v1', 'pods', 'first'], seconds: 4 },
  { name: 'as the policy has it', create: asking('eighth') },
  { name: 'no such capacity', create: asking('seventh', { speed: '1' }) },
  {
    name: 'to be made ready',
    create: [slice('prepared', [prepared('a')]), claim('early', 'prepared'), pod('early')],
    seconds: 2
  },
  { name: 'ready', patch: told('early', 'ready'), seconds: 6 },
  { name: 'free again', remove: ['v1', 'pods', 'early'], seconds: 4 },
  { name: 'to be made ready again', create: [claim('late', 'prepared'), pod('late')], seconds: 2 },
  { name: 'broken, and tried again', patch: told('late', 'broken'), seconds: 20 },
  { name: 'ready at last', patch: told('late', 'ready'), seconds: 6 },
  { name: 'the shared devices gone', remove: ['resource.k8s.io/v1', 'resourceslices', 'shares-shared'] },
  { name: 'the other device gone', remove: ['resource.k8s.io/v1', 'resourceslices', 'shares-prepared'] }
]
