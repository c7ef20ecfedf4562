/** Other API servers over the same store, which serve what this one does not (KEP-4020). */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { encodeProtobuf } from '../../apimachinery/formats/protobuf/object.js'
import { peerKey } from '../../controllers/server-objects/peer-endpoint.js'
import { type BinnacleServer, createServer, openMemoryStore, type ServerOptions, type Store, UserError } from '../../index.js'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import { silentLogger } from '../../util/logger.js'
import { eventually } from '../eventually.js'
import { answerJson, type ExtensionServer, peerName, startExtensionServer } from '../extension-server.js'
import { FakeClock } from '../fake-clock.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'
const peer = 'apiserver-other'
const form = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

const resourceOf = (name: string) => ({
  resource: name,
  responseKind: { group: '', version: '', kind: 'Thing' },
  scope: 'Namespaced',
  singularResource: 'thing',
  verbs: ['get', 'list']
})
const groupOf = (name: string, ...resources: string[]) => ({
  metadata: name === '' ? {} : { name },
  versions: [{ version: 'v1', resources: resources.map(resourceOf), freshness: 'Current' }]
})
const listOf = (...items: unknown[]) => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items
})

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.crd.example.com' },
  spec: {
    group: 'crd.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]
  }
}

describe('a server with peers', () => {
  let folder: string
  let files: Pick<ServerOptions, 'peerCAFile' | 'proxyClientCertFile' | 'proxyClientKeyFile'>
  let other: ExtensionServer
  /** Has a certificate of an authority that is trusted, for another name. */
  let misnamed: ExtensionServer
  /** The groups of the other server below /apis. */
  let groups: unknown[]
  let asked: IncomingMessage[]
  let clock: FakeClock
  let store: Store
  let server: BinnacleServer

  const send = (url: string, more: object = {}) => server.inject({ url, user: admin, ...more })
  const groupNames = async (accept = form): Promise<string[]> =>
    (await send('/apis', { headers: { accept } })).json().items.map((item: any) => item.metadata.name)
  const see = (name: string, isThere = true) =>
    eventually(`${name} is ${isThere ? '' : 'not '}in discovery`, groupNames, names => names.includes(name) === isThere)
  const things = '/apis/new.example.com/v1/namespaces/a/things/b'
  const passedOn = () => asked.filter(({ url }) => url !== '/api' && url !== '/apis')

  const lease = (holder: string) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: peer, labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: 3600,
      renewTime: new Date(clock.now()).toISOString().replace('Z', '000Z')
    }
  })
  const address = (port: number) => ({
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { generation: 1, labels: { apiserverIdentity: peer } },
    subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ name: 'https', port, protocol: 'TCP' }] }]
  })
  const putAddress = (value: Buffer | undefined) => store.commit([{ key: peerKey(store, peer), value }])

  async function patchLease(spec: object): Promise<void> {
    const headers = { 'content-type': 'application/merge-patch+json' }
    assert.equal((await send(`${leases}/${peer}`, { method: 'PATCH', headers, body: { spec } })).status, 200)
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-'))
    other = await startExtensionServer(
      (request, response) => {
        asked.push(request)
        if (request.url === '/api') answerJson(response, listOf(groupOf('', 'pods', 'gadgets')))
        else if (request.url === '/apis') answerJson(response, listOf(...groups))
        else answerJson(response, { from: 'the other server' }, 207)
      },
      { names: ['kubernetes.default.svc'], tls: { requestCert: true, rejectUnauthorized: false } }
    )
    const { frontProxy } = await loadOrCreatePki({ servingNames: [], now: Date.now(), makesFrontProxy: true })
    files = {
      peerCAFile: join(folder, 'ca.crt'),
      proxyClientCertFile: join(folder, 'client.crt'),
      proxyClientKeyFile: join(folder, 'client.key')
    }
    misnamed = await startExtensionServer(() => assert.fail('it was asked'))
    const authorities = [other, misnamed].map(({ caBundle }) => Buffer.from(caBundle, 'base64'))
    await writeFile(files.peerCAFile!, Buffer.concat(authorities))
    await writeFile(files.proxyClientCertFile!, frontProxy!.certificate)
    await writeFile(files.proxyClientKeyFile!, frontProxy!.key)
  })
  after(async () => {
    await Promise.all([other.close(), misnamed.close()])
    await rm(folder, { recursive: true })
  })

  async function start(value: Buffer = Buffer.from(JSON.stringify(address(other.port)))): Promise<void> {
    groups = [
      groupOf('apps', 'deployments', 'rafts'),
      groupOf('new.example.com', 'things'),
      groupOf('crd.example.com', 'widgets', 'gizmos')
    ]
    asked = []
    clock = new FakeClock(Date.now())
    store = openMemoryStore()
    server = createServer({ log: silentLogger, store, clock, listen: false, ...files })
    await server.start()
    await putAddress(value)
    assert.equal((await send(leases, { body: lease('first') })).status, 201)
    await see('new.example.com')
  }
  afterEach(() => server.stop())

  it('shows in discovery what all servers serve, and what it serves itself to those who ask for that', async () => {
    await start()
    const { items } = (await send('/apis', { headers: { accept: form } })).json()
    const apps = items.find((item: any) => item.metadata.name === 'apps').versions[0].resources.map((r: any) => r.resource)
    assert.deepEqual(apps.includes('rafts') && apps.includes('statefulsets'), true)
    const own = await groupNames(`${form};profile=nopeer`)
    assert.ok(own.includes('apps') && !own.includes('new.example.com'))
    // the core group is not joined, nor are the older forms
    assert.doesNotMatch((await send('/api', { headers: { accept: form } })).body.toString(), /gadgets/)
    assert.doesNotMatch((await send('/apis')).body.toString(), /new\.example\.com/)
    assert.deepEqual(
      asked.map(({ url, headers }) => [url, headers['x-remote-user'], headers['x-kubernetes-peer-proxied'], headers.accept]),
      ['/api', '/apis'].map(url => [url, 'system:apiserver', 'true', `${form};profile=nopeer,${form}`])
    )
    assert.equal(peerName(asked[0]!), 'front-proxy-client')
  })

  it('passes requests on for what it does not serve, in the name of the user', async () => {
    await start()
    const user = { name: 'jane', groups: ['system:masters', 'system:authenticated'] }
    const answer = await server.inject({ url: `${things}?b=1&a=2`, user, headers: { authorization: 'Bearer secret' } })
    assert.deepEqual([answer.status, answer.json()], [207, { from: 'the other server' }])
    assert.equal((await send('/api/v1/namespaces/a/gadgets')).status, 207)
    assert.equal((await send('/apis/apps/v1/rafts')).status, 207)
    const [first] = passedOn()
    const { headers } = first!
    assert.equal(first!.url, `${things}?a=2&b=1`)
    assert.deepEqual(
      [headers['x-remote-user'], headers['x-remote-group'], headers['x-kubernetes-peer-proxied'], headers.authorization],
      ['jane', 'system:masters, system:authenticated', 'true', undefined]
    )
    assert.equal(headers['audit-id'], answer.headers['audit-id'])
    const { body } = await send('/metrics')
    assert.match(
      body.toString(),
      /apiserver_rerouted_request_total\{code="207",group="new.example.com",resource="things",version="v1"\} 1\n/
    )
  })

  it('answers itself what it serves, what nobody serves, and what another server has passed on', async () => {
    await start()
    assert.equal((await send('/apis/apps/v1/deployments')).status, 200)
    assert.equal((await send('/apis/new.example.com/v1/others')).status, 404)
    assert.equal((await send(things, { headers: { 'x-kubernetes-peer-proxied': 'true' } })).status, 404)
    assert.equal((await server.inject({ url: things, user: { name: 'nobody', groups: [] } })).status, 403)
    assert.deepEqual(passedOn(), [])
  })

  it('answers 503 when the other server has no address, or does not answer', async () => {
    await start()
    await putAddress(undefined)
    const { status, json } = await send(things)
    assert.deepEqual(
      [status, json().reason, json().message],
      [503, 'ServiceUnavailable', 'Error getting ip and port info of the remote server while proxying']
    )
    const closed = await startExtensionServer(() => {})
    await closed.close()
    await putAddress(Buffer.from(JSON.stringify(address(closed.port))))
    const answer = await send(things)
    assert.deepEqual(
      [answer.status, answer.body.toString()],
      [503, `error trying to reach service: dial tcp 127.0.0.1:${closed.port}: connect: connection refused\n`]
    )
    assert.match((await send('/metrics')).body.toString(), /peer_proxy_errors_total\{[^}]*type="endpoint_resolution"[^}]*\} 1\n/)
  })

  it('asks no server whose certificate has another authority, or another name', async () => {
    await start()
    const stranger = await startExtensionServer(() => assert.fail('it was asked'), { names: ['kubernetes.default.svc'] })
    for (const { port } of [stranger, misnamed]) {
      await putAddress(Buffer.from(JSON.stringify(address(port))))
      const { status, body } = await send(things)
      assert.deepEqual([status, body.toString().slice(0, 46)], [503, 'error trying to reach service: tls: failed to '])
    }
    await stranger.close()
  })

  it('reads addresses that kube-apiserver has stored', async () => {
    await start(encodeProtobuf(address(other.port)))
    assert.equal((await send(things)).status, 207)
  })

  it('asks again when the other server has started anew, and forgets it when its Lease is gone', async () => {
    await start()
    groups = [groupOf('newer.example.com', 'things')]
    await patchLease({ leaseDurationSeconds: 30 })
    await patchLease({ holderIdentity: 'second' })
    await see('newer.example.com')
    assert.equal((await groupNames()).includes('new.example.com'), false)
    assert.equal(asked.length, 4)
    await send(`${leases}/${peer}`, { method: 'DELETE' })
    await see('newer.example.com', false)
    assert.equal((await send('/apis/newer.example.com/v1/things')).status, 404)
  })

  it('asks nobody of whom only a Lease elsewhere, or of another sort, speaks', async () => {
    await start()
    const before = asked.length
    const value = Buffer.from(JSON.stringify(address(other.port)))
    await store.commit(['elsewhere', 'no-label'].map(name => ({ key: peerKey(store, name), value })))
    const elsewhere = { ...lease('x'), metadata: { ...lease('x').metadata, name: 'elsewhere' } }
    assert.equal((await send(leases.replace('kube-system', 'default'), { body: elsewhere })).status, 201)
    assert.equal((await send(leases, { body: { ...lease('x'), metadata: { name: 'no-label' } } })).status, 201)
    groups = [groupOf('newer.example.com', 'things')]
    await patchLease({ holderIdentity: 'second' })
    await see('newer.example.com')
    assert.equal(asked.length, before + 2)
  })

  it('leaves custom resources to its own definitions, and for five minutes after these are gone', async () => {
    await start()
    const widgets = '/apis/crd.example.com/v1/widgets'
    const gizmos = widgets.replace('widgets', 'gizmos')
    assert.deepEqual([(await send(widgets)).status, (await send(gizmos)).status], [207, 207])
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    assert.equal((await send(definitions, { body: definition })).status, 201)
    await eventually(
      'widgets are served',
      async () => (await send(widgets)).status,
      status => status === 200
    )
    assert.equal((await send(gizmos)).status, 404)
    await send(`${definitions}/widgets.crd.example.com`, { method: 'DELETE' })
    await eventually(
      'widgets are gone',
      async () => (await send(widgets)).status,
      status => status === 404
    )
    await see('crd.example.com', false)
    await clock.pass(4 * 60_000)
    assert.equal((await send(widgets)).status, 404)
    await clock.pass(61_000)
    assert.equal((await send(widgets)).status, 207)
    await see('crd.example.com')
  })

  it('has the health checks of kube-apiserver for it', async () => {
    await start()
    const { body } = await send('/readyz?verbose')
    for (const name of ['mixed-version-proxy-handler', 'local-discovery-cache-sync', 'peer-discovery-workers'])
      assert.ok(body.toString().includes(`[+]poststarthook/${name} ok`), name)
  })
})

describe('the authorities of peers', () => {
  const refused = async (options: ServerOptions, message: RegExp) =>
    assert.rejects(
      createServer({ log: silentLogger, storageBackend: 'memory', listen: false, ...options }).start(),
      error => error instanceof UserError && message.test(error.message)
    )

  it('need a certificate by which the other servers know this one', () =>
    refused({ peerCAFile: '/nowhere/ca.crt' }, /^--peer-ca-file needs --proxy-client-cert-file/))

  it('need the feature gate', () =>
    refused(
      { peerCAFile: '/nowhere/ca.crt', featureGates: { UnknownVersionInteroperabilityProxy: false } },
      /^--peer-ca-file requires UnknownVersionInteroperabilityProxy feature to be turned on$/
    ))
})
