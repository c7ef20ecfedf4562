import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { createServer } from '../../server/server.js'
import { startHttps } from '../../testkit/webhook-server.js'
import { loadTracingConfiguration } from './configuration.js'

const directory = mkdtempSync(join(tmpdir(), 'binnacle-tracing-'))
after(() => rmSync(directory, { recursive: true }))

const file = (content: object) => {
  const path = join(directory, `config-${Math.random()}`)
  writeFileSync(path, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'TracingConfiguration', ...content }))
  return path
}

describe('the tracing configuration', () => {
  it('has an endpoint and a rate', () => {
    const path = file({ endpoint: 'collector:4317', samplingRatePerMillion: 100 })
    const { endpoint, samplingRatePerMillion } = loadTracingConfiguration(path)
    assert.deepEqual([endpoint, samplingRatePerMillion], ['collector:4317', 100])
  })

  it("is refused in kube-apiserver's words", () => {
    const invalid = 'failed to validate tracing configuration: '
    for (const [content, message] of [
      [{ samplingRatePerMillion: -1 }, `${invalid}samplingRatePerMillion: Invalid value: -1: sampling rate must be positive`],
      [
        { samplingRatePerMillion: 1_000_001 },
        `${invalid}samplingRatePerMillion: Invalid value: 1000001: sampling rate per million must be less than or equal to one million`
      ],
      [
        { endpoint: 'http://x:4317' },
        `${invalid}endpoint: Invalid value: "http://x:4317": unsupported scheme: http.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md`
      ]
    ] as const)
      assert.throws(() => loadTracingConfiguration(file(content)), { message })
    assert.throws(() => loadTracingConfiguration('/nowhere'), { message: 'tracing-config-file /nowhere does not exist' })
  })
})

describe('traces', () => {
  const receiver = new Server()
  /** What was received, as text: names and ids stand in it as they are. */
  let received = ''
  let endpoint = ''
  let webhook: Awaited<ReturnType<typeof startHttps>>
  let traceparent: unknown
  let stop: () => Promise<void>
  let send: (request: object) => Promise<{ status: number }>

  before(async () => {
    const raw = { requestSerialize: (b: Buffer) => b, requestDeserialize: (b: Buffer) => b }
    const answer = { responseSerialize: (b: Buffer) => b, responseDeserialize: (b: Buffer) => b }
    const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
    const method = { path, requestStream: false, responseStream: false, ...raw, ...answer }
    receiver.addService({ export: method } as never, {
      export: (call: { request: Buffer }, done: (error: null, answer: Buffer) => void) => {
        received += call.request.toString('latin1')
        done(null, Buffer.alloc(0))
      }
    })
    const port = await new Promise<number>((resolve, reject) =>
      receiver.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port)
      )
    )
    endpoint = `127.0.0.1:${port}`
    webhook = await startHttps((request, response, text) => {
      traceparent = request.headers.traceparent
      const { apiVersion, kind, request: asked } = JSON.parse(text)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, allowed: true } }))
    })
  })
  after(async () => {
    receiver.forceShutdown()
    await webhook.close()
  })
  beforeEach(() => {
    received = ''
  })
  afterEach(() => stop?.())

  async function start(samplingRatePerMillion: number) {
    const server = createServer({
      log: { error() {}, warn() {}, info() {} },
      controllers: [],
      tracingConfigFile: file({ endpoint, samplingRatePerMillion })
    })
    await server.start()
    send = request => server.inject(request as never)
    // the spans that are left are sent when the server stops
    stop = () => server.stop()
  }

  const admin = { name: 'admin', groups: ['system:masters'] }
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceIdBytes = Buffer.from(traceId, 'hex').toString('latin1')
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  const url = '/api/v1/namespaces/default/configmaps'

  it('have spans of the request, its operation and its write', async () => {
    await start(1_000_000)
    await send({ url, user: admin, body: { metadata: { name: 'one' } } })
    assert.equal((await send({ url: `${url}/one`, user: admin })).status, 200)
    await send({ url: `${url}/one`, method: 'DELETE', user: admin })
    await send({ url: '/version', user: admin })
    await stop()
    for (const name of [
      'POST /api/v1/namespaces/{:namespace}/configmaps',
      'GET /api/v1/namespaces/{:namespace}/configmaps/{:name}',
      'Create etcd3',
      'Create',
      'Delete etcd3',
      'http.status_code',
      'audit-id'
    ])
      assert.ok(received.includes(name), name)
    assert.ok(received.includes('service.name') && received.includes('apiserver'))
  })

  it('have no spans of requests that are not sampled', async () => {
    await start(0)
    await send({ url, user: admin })
    await stop()
    assert.equal(received, '')
  })

  it('go on for privileged users, and begin anew for others', async () => {
    await start(0)
    await send({ url, user: admin, headers })
    await send({ url, user: { name: 'bob', groups: ['system:authenticated'] }, headers })
    await stop()
    assert.ok(received.includes(traceIdBytes))
    assert.equal(received.split('GET /api/v1/namespaces/{:namespace}/configmaps').length, 2, "only the administrator's request")
  })

  it('are told to webhooks', async () => {
    await start(0)
    const name = 'hooks.example.com'
    await send({
      url: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      user: admin,
      body: {
        metadata: { name },
        webhooks: [
          {
            name,
            clientConfig: { url: webhook.url, caBundle: Buffer.from(webhook.ca).toString('base64') },
            rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
            sideEffects: 'None',
            admissionReviewVersions: ['v1']
          }
        ]
      }
    })
    assert.equal((await send({ url, user: admin, body: { metadata: { name: 'two' } }, headers })).status, 201)
    await stop()
    assert.match(String(traceparent), new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
    assert.ok(received.includes('HTTP POST'))
  })
})
