/** Gates that decide what is valid, asked of servers that have them on or off. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../server/binnacle-server.js'
import { createServer } from '../server/server.js'
import { silentLogger } from '../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const inDefault = '/api/v1/namespaces/default'

function serverWith(featureGates: Record<string, boolean>, release?: string) {
  let server: BinnacleServer
  before(async () => {
    server = createServer({
      log: silentLogger,
      storageBackend: 'memory',
      featureGates,
      ...(release && { emulatedVersion: [release] }),
      disableAdmissionPlugins: ['ServiceAccount']
    })
    await server.start()
  })
  after(() => server.stop())
  return async (method: string, url: string, body?: object, who = user) => {
    const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
    const answer = await server.inject({ method, url, user: who, ...(body && { body }), headers })
    return { status: answer.status, body: answer.json() }
  }
}

const service = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } })
const ingress = (name: string, backend: string) => ({
  metadata: { name },
  spec: { defaultBackend: { service: { name: backend, port: { number: 80 } } } }
})
const podWith = (name: string, operator: string, value: string) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], tolerations: [{ key: 'k', operator, value, effect: 'NoSchedule' }] }
})
const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses'

const ofHostNetwork = {
  metadata: { name: 'host' },
  spec: { hostUsers: false, hostNetwork: true, containers: [{ name: 'c', image: 'i' }] }
}

/** Makes a volume for one zone and moves it to another one. */
async function changedAffinity(ask: ReturnType<typeof serverWith>) {
  const volumes = '/api/v1/persistentvolumes'
  const inZone = (zone: string) => ({
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }] }
  })
  const spec = {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: '/a' },
    nodeAffinity: inZone('a')
  }
  assert.equal((await ask('POST', volumes, { metadata: { name: 'v' }, spec })).status, 201)
  return ask('PATCH', `${volumes}/v`, { spec: { nodeAffinity: inZone('b') } })
}

describe('with the gates off', () => {
  const ask = serverWith(
    {
      RelaxedServiceNameValidation: false,
      StrictIPCIDRValidation: false,
      AuthorizePodWebsocketUpgradeCreatePermission: false,
      WatchList: false
      // later releases have locked some of these
    },
    '1.36'
  )

  it('the node affinity of a volume stays', async () => {
    assert.match((await changedAffinity(ask)).body.message, /field is immutable, except for updating from beta label to GA/)
  })

  it('a Pod in a user namespace has a network of its own', async () => {
    const { body } = await ask('POST', `${inDefault}/pods`, ofHostNetwork)
    assert.match(body.message, /spec.hostNetwork: Forbidden: when `hostUsers` is false/)
  })

  it('names of Services begin with a letter', async () => {
    assert.match((await ask('POST', `${inDefault}/services`, service('1a'))).body.message, /a DNS-1035 label must consist/)
    assert.match((await ask('POST', ingresses, ingress('i', '1a'))).body.message, /service.name: Invalid value: "1a": a DNS-1035/)
  })

  it('a ResourceSlice counts fields as changes that are dropped', async () => {
    const url = '/apis/resource.k8s.io/v1/resourceslices'
    const spec = { driver: 'd.example.com', allNodes: true, pool: { name: 'p', generation: 1, resourceSliceCount: 1 } }
    const { body } = await ask('POST', url, { metadata: { name: 's' }, spec: { ...spec, devices: [{ name: 'd' }] } })
    assert.equal(body.metadata.generation, 1)
    const nodeAllocatableResources = { cpu: { mapping: {} } }
    const changed = { ...body, spec: { ...body.spec, devices: [{ name: 'd', nodeAllocatableResources }] } }
    const after = await ask('PUT', `${url}/s`, changed)
    assert.deepEqual([after.body.metadata.generation, after.body.spec.devices], [2, [{ name: 'd' }]])
  })

  it('a Service may have an address with leading zeros, which is the same as the one without', async () => {
    const spec = (clusterIP: string) => ({ clusterIP })
    assert.equal((await ask('POST', `${inDefault}/services`, service('a', spec('010.0.0.50')))).body.spec.clusterIP, '010.0.0.50')
    const again = await ask('POST', `${inDefault}/services`, service('b', spec('10.0.0.50')))
    assert.match(again.body.message, /failed to allocate IP 10.0.0.50: provided IP is already allocated/)
    assert.equal((await ask('GET', '/apis/networking.k8s.io/v1/ipaddresses/10.0.0.50')).status, 200)
  })

  it('a watch does not ask for initial events', async () => {
    const url = `${inDefault}/configmaps?watch=1&timeoutSeconds=1&resourceVersionMatch=NotOlderThan&sendInitialEvents=true`
    const { status, body } = await ask('GET', url)
    assert.equal(status, 422)
    assert.match(body.message, /sendInitialEvents: Forbidden: .* unless the WatchList feature gate is enabled$/)
  })

  it('tolerations do not compare numbers', async () => {
    const { body } = await ask('POST', `${inDefault}/pods`, podWith('p', 'Lt', '5'))
    assert.match(body.message, /operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"$/)
  })

  it('who may get a stream may open it', async () => {
    await ask('POST', `${inDefault}/pods`, podWith('exec', 'Exists', ''))
    const { body } = await ask('GET', `${inDefault}/pods/exec/exec`, undefined, await viewer(ask))
    assert.match(body.message, /does not have a host assigned/)
  })
})

describe('with the gates on', () => {
  const ask = serverWith({
    TaintTolerationComparisonOperators: true,
    MutablePVNodeAffinity: true,
    UserNamespacesHostNetworkSupport: true
  })

  it('names of Services may begin with a digit', async () => {
    assert.equal((await ask('POST', `${inDefault}/services`, service('1a'))).status, 201)
    assert.equal((await ask('POST', ingresses, ingress('i', '1a'))).status, 201)
  })

  it('the node affinity of a volume may change', async () => {
    assert.equal((await changedAffinity(ask)).status, 200)
  })

  it('a Pod in a user namespace may have the network of the host', async () => {
    assert.equal((await ask('POST', `${inDefault}/pods`, ofHostNetwork)).status, 201)
  })

  it('tolerations compare decimal integers', async () => {
    assert.equal((await ask('POST', `${inDefault}/pods`, podWith('p', 'Gt', '-5'))).status, 201)
    const { details } = (await ask('POST', `${inDefault}/pods`, podWith('q', 'Lt', 'x'))).body
    assert.deepEqual(
      details.causes.map(({ message }: { message: string }) => message),
      [
        'Invalid value: "x": must be a valid decimal integer in canonical form',
        'Invalid value: "x": strconv.ParseInt: parsing "x": invalid syntax'
      ]
    )
    const scheduling = { tolerations: [{ key: 'k', operator: 'Lt', value: '5' }] }
    const made = await ask('POST', '/apis/node.k8s.io/v1/runtimeclasses', { metadata: { name: 'r' }, handler: 'h', scheduling })
    assert.equal(made.status, 422)
  })

  it('a GET that opens a stream needs the permission to create one', async () => {
    for (const subresource of ['exec', 'attach', 'portforward']) {
      const { status, body } = await ask('GET', `${inDefault}/pods/p/${subresource}`, undefined, await viewer(ask))
      assert.equal(status, 403)
      assert.equal(body.message, 'pods "p" is forbidden: ')
    }
  })
})

describe('without NodeDeclaredFeatures', () => {
  const off = ['NodeDeclaredFeatures', 'InPlacePodVerticalScalingInitContainers', 'ExtendWebSocketsToKubelet']
  const needy = ['InPlacePodLevelResourcesVerticalScaling', 'RestartAllContainersOnContainerExits']
  const ask = serverWith(Object.fromEntries([...off, ...needy].map(name => [name, false])), '1.36')

  it('a new Node loses its features, and its kubelet may declare them later', async () => {
    const declaredFeatures = ['A']
    const made = await ask('POST', '/api/v1/nodes', { metadata: { name: 'n' }, status: { declaredFeatures } })
    assert.equal(made.body.status.declaredFeatures, undefined)
    const later = await ask('PATCH', '/api/v1/nodes/n/status', { status: { declaredFeatures } })
    assert.deepEqual(later.body.status.declaredFeatures, declaredFeatures)
  })
})

/** Returns a user who may get streams of Pods, and nothing else. */
async function viewer(ask: ReturnType<typeof serverWith>) {
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const resources = ['pods', 'pods/exec', 'pods/attach', 'pods/portforward']
  await ask('POST', `${rbac}/clusterroles`, {
    metadata: { name: 'viewer' },
    rules: [{ apiGroups: [''], resources, verbs: ['get'] }]
  })
  await ask('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: 'viewer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'viewer' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'viewer' }]
  })
  return { name: 'viewer', groups: ['system:authenticated'] }
}
