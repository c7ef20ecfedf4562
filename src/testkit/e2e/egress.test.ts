/** A server that reaches others through proxies, as --egress-selector-config-file says. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { type BinnacleServer, createServer } from '../../index.js'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import { silentLogger } from '../../util/logger.js'
import { type ConnectProxy, startConnectProxy } from '../connect-proxy.js'
import { eventually } from '../eventually.js'
import { answerJson, type ExtensionServer, startExtensionServer } from '../extension-server.js'
import { type FakeKubelet, startFakeKubelet } from '../fake-kubelet.js'
import { startIssuer } from '../issuer.js'

/** Runs a receiver of OTLP. Resolves with its port. */
function startReceiver(receiver: Server, took: (text: string) => void): Promise<number> {
  const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
  const bytes = (b: Buffer) => b
  const codecs = { requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes, responseDeserialize: bytes }
  receiver.addService({ export: { path, requestStream: false, responseStream: false, ...codecs } } as never, {
    export(call: { request: Buffer }, done: (error: null, answer: Buffer) => void) {
      took(call.request.toString('latin1'))
      done(null, Buffer.alloc(0))
    }
  })
  return new Promise((resolve, reject) =>
    receiver.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port)
    )
  )
}

const user = { name: 'admin', groups: ['system:masters'] }
const directory = mkdtempSync(join(tmpdir(), 'binnacle-egress-'))
const file = (name: string, text: string) => {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}

describe('a server behind proxies', () => {
  let server: BinnacleServer
  let kubelet: FakeKubelet
  let hooks: ExtensionServer
  /** Over TLS, for the cluster. */
  let cluster: ConnectProxy
  /** On a Unix socket, for the control plane. */
  let local: ConnectProxy

  before(async () => {
    kubelet = await startFakeKubelet({ request: (_, answer) => void answer.end('a log\n') })
    hooks = await startExtensionServer(
      (request, response) => {
        if (request.url!.startsWith('/apis'))
          return answerJson(response, { kind: 'APIResourceList', groupVersion: 'a.example/v1', resources: [] })
        if (request.method !== 'POST') return answerJson(response, {}, 404)
        let text = ''
        request.on('data', piece => (text += piece))
        request.on('end', () =>
          answerJson(response, { ...JSON.parse(text), response: { uid: JSON.parse(text).request.uid, allowed: true } })
        )
      },
      { names: ['api.default.svc', 'hooks.example'] }
    )
    const pki = await loadOrCreatePki({ servingNames: ['127.0.0.1'], now: Date.now() })
    const tls = { cert: pki.serving.certificate, key: pki.serving.key, ca: pki.ca.certificate }
    cluster = await startConnectProxy({ tls }, asked =>
      asked === '192.0.2.1:10250'
        ? { host: '127.0.0.1', port: kubelet.port }
        : asked === '192.0.2.2:443'
          ? { host: '127.0.0.1', port: hooks.port }
          : undefined
    )
    local = await startConnectProxy({ path: join(directory, 'proxy.sock') }, asked =>
      asked === 'hooks.example:443' ? { host: '127.0.0.1', port: hooks.port } : undefined
    )
    const tlsConfig = {
      caBundle: file('ca.crt', pki.serving.trust),
      clientCert: file('client.crt', pki.admin.certificate),
      clientKey: file('client.key', pki.admin.key)
    }
    const http = (transport: object) => ({ proxyProtocol: 'HTTPConnect', transport })
    const egressSelections = [
      { name: 'cluster', connection: http({ tcp: { url: `https://127.0.0.1:${cluster.port}`, tlsConfig } }) },
      { name: 'controlplane', connection: http({ uds: { udsName: join(directory, 'proxy.sock') } }) },
      { name: 'etcd', connection: { proxyProtocol: 'Direct' } }
    ]
    const configuration = { apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration', egressSelections }
    server = createServer({
      log: silentLogger,
      disableAdmissionPlugins: ['ServiceAccount'],
      egressSelectorConfigFile: file('egress.json', JSON.stringify(configuration)),
      resolveService: { 'default/api': '192.0.2.2:443' }
    })
    await server.start()
  })
  after(async () => {
    await server.stop()
    await Promise.all([cluster, local, hooks, kubelet].map(each => each.close()))
    rmSync(directory, { recursive: true })
  })

  const create = async (url: string, body: object) => {
    const { status, body: text } = await server.inject({ method: 'POST', url, body, user })
    assert.equal(status, 201, String(text))
  }

  it('reaches kubelets through that of the cluster', async () => {
    await create('/api/v1/nodes', {
      metadata: { name: 'n1' },
      status: { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] }
    })
    await create('/api/v1/namespaces/default/pods', {
      metadata: { name: 'web' },
      spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'x' }] }
    })
    const { body } = await server.inject({ url: '/api/v1/namespaces/default/pods/web/log', user })
    assert.deepEqual([String(body), cluster.asked.at(-1)], ['a log\n', '192.0.2.1:10250'])
    const refused = await server.inject({ url: '/api/v1/nodes/http:n1:99/proxy/x', user })
    assert.equal(
      refused.json().message,
      `error trying to reach service: proxy error from 127.0.0.1:${cluster.port} while dialing 192.0.2.1:99, code 403: 403 Forbidden`
    )
    const { body: metrics } = await server.inject({ url: '/metrics', user })
    assert.match(String(metrics), /^apiserver_egress_dialer_dial_start_total\{protocol="http_connect",transport="tcp"\} 2$/m)
    assert.match(
      String(metrics),
      /^apiserver_egress_dialer_dial_failure_count\{protocol="http_connect",stage="proxy",transport="tcp"\} 1$/m
    )
    assert.match(
      String(metrics),
      /^apiserver_egress_dialer_dial_duration_seconds_count\{protocol="http_connect",transport="tcp"\} 1$/m
    )
  })

  it('reaches webhooks that are URLs through that of the control plane, and those that are Services through that of the cluster', async () => {
    const webhook = (name: string, clientConfig: object) => ({
      name,
      clientConfig: { caBundle: hooks.caBundle, ...clientConfig },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1']
    })
    await create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      metadata: { name: 'hooks' },
      webhooks: [
        webhook('url.hooks.example', { url: 'https://hooks.example/check' }),
        webhook('service.hooks.example', { service: { namespace: 'default', name: 'api', path: '/check' } })
      ]
    })
    await create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } })
    assert.deepEqual([local.asked, cluster.asked.at(-1)], [['hooks.example:443'], '192.0.2.2:443'])
  })

  it('reaches extension API servers through that of the cluster', async () => {
    const before = cluster.asked.length
    await create('/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'v1.a.example' },
      spec: {
        ...{ group: 'a.example', version: 'v1', groupPriorityMinimum: 2000, versionPriority: 15 },
        service: { namespace: 'default', name: 'api', port: 443 },
        caBundle: hooks.caBundle
      }
    })
    const answers = () => server.inject({ url: '/apis/a.example/v1', user })
    await eventually('the extension API server answers', answers, ({ status }) => status === 200)
    assert.ok(cluster.asked.slice(before).every(asked => asked === '192.0.2.2:443'))
    assert.ok(cluster.asked.length > before)
  })
})

it('reaches the receiver of traces, and issuers by the network that their configuration names', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-egress-'))
  const write = (name: string, content: object) => {
    writeFileSync(join(directory, name), JSON.stringify(content))
    return join(directory, name)
  }
  const issuer = await startIssuer()
  const receiver = new Server()
  let received = ''
  const port = await startReceiver(receiver, text => {
    received += text
  })
  const proxyOf = (name: string) =>
    startConnectProxy({ path: join(directory, name) }, asked =>
      asked === 'traces.example:4317'
        ? { host: '127.0.0.1', port }
        : asked === 'issuer.example:443'
          ? { host: '127.0.0.1', port: Number(new URL(issuer.url).port) }
          : undefined
    )
  const [cluster, controlplane] = await Promise.all([proxyOf('cluster'), proxyOf('controlplane')])
  const selection = (name: string) => ({
    name,
    connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: join(directory, name) } } }
  })
  const url = 'https://issuer.example'
  issuer.answers.set('/.well-known/openid-configuration', JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }))
  const { certificateAuthority } = issuer
  const jwt = {
    issuer: { url, certificateAuthority, audiences: ['me'], egressSelectorType: 'cluster' },
    claimMappings: { username: { claim: 'sub', prefix: '' } }
  }
  const apiVersion = 'apiserver.config.k8s.io/v1'
  const server = createServer({
    log: silentLogger,
    egressSelectorConfigFile: write('egress', {
      apiVersion: 'apiserver.k8s.io/v1beta1',
      kind: 'EgressSelectorConfiguration',
      egressSelections: [selection('cluster'), selection('controlplane')]
    }),
    authenticationConfig: write('jwt', { apiVersion, kind: 'AuthenticationConfiguration', jwt: [jwt] }),
    tracingConfigFile: write('tracing', {
      apiVersion,
      kind: 'TracingConfiguration',
      endpoint: 'traces.example:4317',
      samplingRatePerMillion: 1_000_000
    })
  })
  t.after(async () => {
    receiver.forceShutdown()
    await Promise.all([issuer, cluster, controlplane].map(each => each.close()))
    rmSync(directory, { recursive: true })
  })
  await server.start()
  const reviews = '/apis/authentication.k8s.io/v1/tokenreviews'
  const token = await issuer.token({ iss: url })
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } }
  // its keys are fetched meanwhile
  const asks = async () =>
    (await server.inject({ method: 'POST', url: reviews, body: review, user })).json().status.user?.username
  const found = await eventually('the token is accepted', asks)
  // stopping sends the spans that are left
  await server.stop()
  assert.equal(found, 'jane')
  assert.deepEqual([...new Set(cluster.asked)], ['issuer.example:443'])
  assert.deepEqual([...new Set(controlplane.asked)], ['traces.example:4317'])
  assert.match(received, /service\.name/)
})
