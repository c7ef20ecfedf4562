import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { type BinnacleServer, createServer, type ServerOptions } from '../../index.js'
import { startHttps, type TestServer } from '../../testkit/webhook-server.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const url = '/api/v1/namespaces/default'
const policy = { rules: [{ level: 'None', users: ['system:apiserver'] }, { level: 'RequestResponse' }] } as const
const logged: string[] = []
let folder: string
let server: BinnacleServer | undefined
let receiver: TestServer | undefined

async function start(options: Partial<ServerOptions>) {
  const log = { info() {}, warn() {}, error: (text: string) => void logged.push(text) }
  server = createServer({ log, auditPolicy: policy, ...options })
  await server.start()
  return server
}

const lines = () => readFileSync(join(folder, 'audit.log'), 'utf8').trim().split('\n').filter(Boolean)
const ask = (headers: Record<string, string> = {}) => server!.inject({ url, user: admin, headers })
const metrics = async () => (await server!.inject({ url: '/metrics', user: admin })).body.toString()

/** Starts a receiver of events, and returns a kubeconfig for it. */
async function receive(handle: Parameters<typeof startHttps>[0]): Promise<string> {
  receiver = await startHttps(handle)
  const path = join(folder, 'kubeconfig')
  const cluster = { server: `${receiver.url}/events`, 'certificate-authority-data': Buffer.from(receiver.ca).toString('base64') }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c' } }],
    clusters: [{ name: 'c', cluster }]
  }
  writeFileSync(path, JSON.stringify(config))
  return path
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'binnacle-audit-'))
  logged.length = 0
})
afterEach(async () => {
  await server?.stop()
  await receiver?.close()
  server = receiver = undefined
  rmSync(folder, { recursive: true })
})

describe('the audit log', () => {
  it('has the event before the client has its answer', async () => {
    await start({ auditLogPath: join(folder, 'audit.log') })
    await ask({ 'audit-id': 'mine' })
    const own = lines()
      .map(line => JSON.parse(line))
      .filter(event => event.auditID === 'mine')
    assert.deepEqual(
      own.map(event => event.stage),
      ['RequestReceived', 'ResponseComplete']
    )
    assert.equal(own[0].responseStatus, undefined)
    assert.equal(own[1].responseObject.kind, 'Namespace')
  })

  it('has the events of forks and of hosted servers, whose URIs are those that the client sent', async () => {
    await start({ auditLogPath: join(folder, 'audit.log') })
    const fork = await server!.fork()
    const hosted = await server!.host('one')
    const headers = (id: string) => ({ headers: { 'audit-id': id }, user: admin })
    await server!.inject({ url, ...headers('own') })
    await fork.inject({ url, ...headers('fork') })
    await server!.inject({ url: `/servers/one${url}`, ...headers('hosted') })
    await fork.stop()
    await hosted.stop()
    await server!.inject({ url, ...headers('last') })
    const found = lines()
      .map(line => JSON.parse(line))
      .filter(({ stage, auditID }) => stage === 'ResponseComplete' && /^[a-z]+$/.test(auditID))
    assert.deepEqual(
      found.map(({ auditID, requestURI }) => [auditID, requestURI]),
      [
        ['own', url],
        ['fork', url],
        ['hosted', `/servers/one${url}`],
        ['last', url]
      ]
    )
  })

  it('has lines for people in the form legacy, in which nothing can forge another line', async () => {
    await start({ auditLogPath: join(folder, 'audit.log'), auditLogFormat: 'legacy' })
    await ask({ 'user-agent': 'a"\n2026 AUDIT: id="x', 'audit-id': 'mine', 'x-forwarded-for': '192.0.2.1' })
    const own = lines().filter(line => line.includes('id="mine"'))
    assert.equal(own.length, 2)
    assert.match(
      own[1]!,
      /^2\S+Z AUDIT: id="mine" stage="ResponseComplete" ip="192\.0\.2\.1" method="get" user="admin" groups="\\"system:masters\\"" as="<self>" asgroups="<lookup>" user-agent="a\\"\\n2026 AUDIT: id=\\"x" namespace="default" uri="\/api\/v1\/namespaces\/default" response="200"$/
    )
    assert.match(own[0]!, /response="<deferred>"$/)
  })

  it('has all events in the mode batch when the server has stopped', async () => {
    await start({
      auditLogPath: join(folder, 'audit.log'),
      auditLogMode: 'batch',
      auditLogBatchMaxSize: 100,
      auditLogBatchMaxWait: 60_000
    })
    await ask({ 'audit-id': 'mine' })
    await server!.stop()
    assert.equal(lines().filter(line => line.includes('"auditID":"mine"')).length, 2)
  })

  it('leaves out the objects of large events, and events that are still too large', async () => {
    const truncate = { auditLogPath: join(folder, 'audit.log'), auditLogTruncateEnabled: true }
    await start({ ...truncate, auditLogTruncateMaxEventSize: 900 })
    await ask({ 'audit-id': 'mine' })
    const event = lines()
      .map(line => JSON.parse(line))
      .find(e => e.auditID === 'mine' && e.stage === 'ResponseComplete')
    assert.equal(event.responseObject, undefined)
    assert.equal(event.annotations['audit.k8s.io/truncated'], 'true')
    await ask({ 'audit-id': 'large', 'user-agent': 'x'.repeat(1000) })
    assert.ok(!lines().some(line => line.includes('"auditID":"large"')))
    assert.match(await metrics(), /apiserver_audit_error_total\{plugin="truncate"\} 2/)
  })

  for (const mode of ['blocking', 'blocking-strict'])
    it(`that cannot be written ${mode === 'blocking' ? 'costs no' : 'costs the'} request in the mode ${mode}`, async () => {
      // no event fits into such a file
      await start({ auditLogPath: join(folder, 'audit.log'), auditLogMode: mode, auditLogMaxSize: 0.0001 })
      const { status, body } = await ask()
      assert.equal(status, mode === 'blocking' ? 200 : 500)
      if (status === 500) assert.equal(body.toString(), `Internal Server Error: "${url}": failed to store audit event\n`)
      assert.equal(
        logged.filter(line => line.startsWith("Error in audit plugin 'log'")).length,
        1,
        'one line, however many events'
      )
    })

  for (const [options, message] of [
    [{ auditLogMode: 'x' }, 'invalid audit log mode x, allowed modes are "batch,blocking,blocking-strict"'],
    [{ auditLogFormat: 'x' }, 'invalid audit log format x, allowed formats are "legacy,json"'],
    [{ auditLogMode: 'batch', auditLogBatchBufferSize: 0 }, 'invalid audit batch log buffer size 0, must be a positive number'],
    [
      { auditLogMode: 'batch', auditLogBatchThrottleEnable: true },
      'invalid audit batch log throttle QPS 0, must be a positive number'
    ],
    [
      { auditLogTruncateMaxEventSize: 9, auditLogTruncateMaxBatchSize: 8 },
      'invalid audit truncate log max batch size 8, must be greater than max event size (9)'
    ],
    [{ auditLogVersion: 'audit.k8s.io/v1beta1' }, 'invalid group version, allowed versions are ["audit.k8s.io/v1"]']
  ] as const)
    it(`is refused: ${message}`, async () => {
      await assert.rejects(start({ auditLogPath: join(folder, 'audit.log'), ...options }), { name: 'UserError', message })
      server = undefined
    })
})

describe('the audit webhook', () => {
  it('gets lists of events', async () => {
    const lists: any[] = []
    const config = await receive((_, response, body) => {
      lists.push(JSON.parse(body))
      response.end()
    })
    await start({ auditWebhookConfigFile: config })
    await ask({ 'audit-id': 'mine' })
    await server!.stop()
    const [{ items, ...list }] = lists
    assert.deepEqual(list, { kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {} })
    const own = items.filter((event: any) => event.auditID === 'mine')
    assert.deepEqual(
      own.map((event: any) => [event.stage, event.kind]),
      [
        ['RequestReceived', undefined],
        ['ResponseComplete', undefined]
      ]
    )
  })

  it('costs no request when nobody answers, and loses events with a count', async () => {
    const config = await receive((_, response) => void response.writeHead(500).end())
    await start({ auditWebhookConfigFile: config, auditWebhookBatchBufferSize: 3, auditWebhookBatchMaxSize: 100 })
    for (let i = 0; i < 20; i++) assert.equal((await ask()).status, 200)
    assert.match(await metrics(), /apiserver_audit_error_total\{plugin="buffered"\} \d\d/)
    assert.equal(logged.filter(line => line.includes('audit buffer queue blocked')).length, 1)
  })

  it('holds up requests in the mode blocking', async () => {
    const stages: string[] = []
    const config = await receive((_, response, body) => {
      stages.push(JSON.parse(body).items[0].stage)
      response.end()
    })
    await start({ auditWebhookConfigFile: config, auditWebhookMode: 'blocking' })
    stages.length = 0
    await ask()
    assert.deepEqual(stages, ['RequestReceived', 'ResponseComplete'])
  })
})
