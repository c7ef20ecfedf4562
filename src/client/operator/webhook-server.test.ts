import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { kindRef } from '../../index.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { silentLogger } from '../../util/logger.js'
import { portless } from '../testing/portless.js'
import { healthServer, listen } from './endpoints.js'
import { defineOperator, denied, manifestsOf, type Operator, runOperator, type Webhook, type WebhookRequest } from './index.js'
import { renewed } from './webhook-certificates.js'
import { webhookServer } from './webhook-server.js'

const maps = kindRef('v1', 'ConfigMap')
const path = '/validate--v1-configmap'

async function open(t: TestContext, webhook: Partial<Webhook>, more: Partial<Operator> = {}) {
  const operator: Operator = { name: 'x', reconcilers: [], webhooks: [{ kind: maps, ...webhook }], ...more }
  const { certificate, key, ca } = renewed(undefined, ['127.0.0.1'], Date.now())
  const server = webhookServer(operator, {
    client: {} as never,
    log: silentLogger,
    metrics: new Metrics(undefined, false),
    certificate,
    key
  })
  const listening = await listen(server, { port: 0, host: '127.0.0.1' }, 'https')
  t.after(() => listening.close())
  const send = (url: string, body: string | Buffer, { method = 'POST', type = 'application/json' } = {}) =>
    new Promise<{ status: number; text: string; serial: string }>((resolve, reject) => {
      const request = httpsRequest(
        `${listening.url}${url}`,
        { method, ca, agent: false, headers: { 'content-type': type } },
        response => {
          const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate()
          let text = ''
          response.setEncoding('utf8')
          response.on('data', part => (text += part))
          response.on('end', () => resolve({ status: response.statusCode!, text, serial: serialNumber }))
        }
      )
      request.on('error', reject)
      request.end(method === 'GET' ? undefined : body)
    })
  const review = async (url: string, request: object, apiVersion = 'admission.k8s.io/v1') => {
    const { status, text } = await send(
      url,
      JSON.stringify({ apiVersion, kind: 'AdmissionReview', request: { uid: 'u', ...request } })
    )
    assert.equal(status, 200, text)
    return JSON.parse(text)
  }
  return { server, send, review, ca }
}
/** Paths that are no URLs, as a client may send them. */
const oddPaths = ['//', 'http://[', '/%', '/healthz/%', '/healthz/%zz', '//healthz', '/metrics?%']

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }

describe('the server of webhooks', () => {
  test('bears paths that are none, and so do the other endpoints', async t => {
    const { server } = await open(t, { validate() {} })
    const health = healthServer({ healthz: {}, readyz: {} })
    const { port } = server.address() as AddressInfo
    const plain = await listen(health, { port: 0, host: '127.0.0.1' })
    t.after(() => plain.close())
    for (const path of oddPaths) {
      const asked = (request: typeof httpRequest, at: object) =>
        new Promise<number>((resolve, reject) => {
          const sent = request({ host: '127.0.0.1', path, agent: false, ...at }, answer => resolve(answer.resume().statusCode!))
          sent.on('error', reject).end()
        })
      assert.equal(await asked(httpsRequest as typeof httpRequest, { port, rejectUnauthorized: false }), 404, path)
      assert.equal(await asked(httpRequest, { port: new URL(plain.url).port }), 404, path)
    }
  })

  test('refuses what is no review', async t => {
    const { send } = await open(t, { validate() {} })
    const deep = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":${'['.repeat(1100)}${']'.repeat(1100)}}`
    const statuses = [
      (await send('/other', '{}')).status,
      (await send(path, '', { method: 'GET' })).status,
      (await send(path, '{}', { type: 'application/yaml' })).status,
      (await send(path, '{')).status,
      (await send(path, '{}')).status,
      (await send(path, deep)).status,
      (await send(path, '{"apiVersion":"admission.k8s.io/v2","kind":"AdmissionReview","request":{"uid":"u"}}')).status,
      (await send(path, '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}}')).status
    ]
    assert.deepEqual(statuses, [404, 405, 415, 400, 400, 400, 400, 400])
    const tooLarge = await send(path, Buffer.alloc(7 * 1024 * 1024 + 1, ' ')).catch(error => error.code)
    assert.ok(tooLarge.status === 413 || ['EPIPE', 'ECONNRESET'].includes(tooLarge), String(tooLarge))
  })

  test('answers in the version of the review, with the status of a refusal and its warnings', async t => {
    const { review } = await open(t, {
      validate(_, { warn, user, dryRun, name, namespace }) {
        warn(`${user.username} ${dryRun} ${name} ${namespace}`)
        throw denied('not today')
      }
    })
    const request = { operation: 'CREATE', name: 'a', namespace: 'team', object, userInfo: { username: 'alice' }, dryRun: true }
    assert.deepEqual(await review(path, request, 'admission.k8s.io/v1beta1'), {
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1beta1',
      response: {
        uid: 'u',
        allowed: false,
        status: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'not today',
          reason: 'Forbidden',
          code: 403
        },
        warnings: ['alice true a team']
      }
    })
  })

  test('tells what fails apart from what is refused', async t => {
    const { review } = await open(t, {
      validate() {
        throw new TypeError('a bug')
      }
    })
    const { response } = await review(path, { operation: 'CREATE', object })
    assert.deepEqual([response.allowed, response.status.code, response.status.message], [false, 500, 'a bug'])
  })

  test('patches what has changed, and only then; integers keep their digits', async t => {
    const { send, review } = await open(t, {
      mutate(map) {
        if (map.data) map.data.marked = 'yes'
        if (map.big) map.copy = map.big
      }
    })
    const mutate = '/mutate--v1-configmap'
    assert.deepEqual((await review(mutate, { operation: 'CREATE', object })).response, { uid: 'u', allowed: true })
    const body = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"UPDATE","object":{"data":{},"big":9007199254740993}}}`
    const { response } = JSON.parse((await send(mutate, body)).text)
    assert.equal(response.patchType, 'JSONPatch')
    assert.equal(
      Buffer.from(response.patch, 'base64').toString(),
      '[{"op":"add","path":"/data/marked","value":"yes"},{"op":"add","path":"/copy","value":9007199254740993}]'
    )
  })

  test('shows the deleted object to validate, and to mutate no delete, as a defaulter of controller-runtime', async t => {
    let seen: WebhookRequest<any> | undefined
    const { review } = await open(t, {
      operations: ['DELETE'],
      mutate() {
        throw new Error('called')
      },
      validate: (_, request) => void (seen = request)
    })
    const deleted = { operation: 'DELETE', object: null, oldObject: object }
    const { response } = await review('/mutate--v1-configmap', deleted)
    assert.deepEqual(response, { uid: 'u', allowed: true })
    await review(path, deleted)
    assert.equal(seen?.old.metadata.name, 'a')
  })

  test('tells the function when nobody waits for the answer any more', async t => {
    const { send } = await open(t, {
      validate: (_, { signal }) => new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    })
    const body = JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid: 'u', operation: 'CREATE', object }
    })
    assert.equal((await send(`${path}?timeout=20ms`, body)).status, 200)
  })

  test('takes another certificate without a pause', async t => {
    const { server, send } = await open(t, { validate() {} })
    const before = await send('/other', '{}')
    const next = renewed(undefined, ['127.0.0.1'], Date.now())
    server.setSecureContext({ cert: next.certificate, key: next.key })
    await assert.rejects(send('/other', '{}'), /certificate/)
    assert.ok(before.serial)
  })

  test('reports a conversion that fails', async t => {
    const kind = { group: 'example.com', kind: 'Thing', versions: [{ name: 'v1' }, { name: 'v2' }] } as const
    const versions = {
      v2: {
        toHub: (thing: object) => thing,
        fromHub() {
          throw new Error('cannot')
        }
      }
    }
    const { send } = await open(t, { validate() {} }, { conversions: [{ kind, hub: 'v1', versions }] })
    const convert = async (desiredAPIVersion: string, ...objects: object[]) => {
      const request = { uid: 'u', desiredAPIVersion, objects }
      const { text } = await send(
        '/convert',
        JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request })
      )
      return JSON.parse(text).response
    }
    const thing = (version: string) => ({ apiVersion: `example.com/${version}`, kind: 'Thing', metadata: { name: 'a' } })
    assert.deepEqual(await convert('example.com/v2', thing('v1')), {
      uid: 'u',
      convertedObjects: [],
      result: { status: 'Failure', message: 'cannot' }
    })
    assert.deepEqual((await convert('example.com/v1', thing('v2'), thing('v1'))).convertedObjects, [thing('v1'), thing('v1')])
    for (const [desired, object, message] of [
      ['example.com/constructor', thing('v1'), /has no version constructor/],
      ['other.com/v1', thing('v1'), /cannot be converted to other.com\/v1/],
      ['example.com/v1', { ...thing('v1'), kind: 'Other' }, /cannot be converted/]
    ] as const)
      assert.match((await convert(desired, object)).result.message, message)
  })
})

describe('webhooks of an operator whose manifests are applied', () => {
  test('are reached by their Service, and get their authority into the configurations, also when it is taken out again', async t => {
    // the Service leads to the port that the operator gets later
    let port = 0
    const relay = createServer(socket => {
      const to = connect(port, '127.0.0.1')
      socket.pipe(to).pipe(socket)
      socket.on('error', () => to.destroy())
      to.on('error', () => socket.destroy())
    })
    await new Promise<void>(resolve => void relay.listen(0, '127.0.0.1', resolve))
    t.after(() => void relay.close())
    const address = `127.0.0.1:${(relay.address() as AddressInfo).port}`
    const server = await portless(t, { resolveService: { 'guard-system/guard-webhooks': address } })
    const client = server.client()
    const webhooks: Webhook[] = [
      {
        kind: maps,
        validate({ data }) {
          if (data?.bad) throw denied('it is bad')
        }
      }
    ]
    const operator = defineOperator({ name: 'guard', reconcilers: [], webhooks })
    await client.apply(manifestsOf(operator))
    const running = runOperator(operator, { client, webhooks: { port: 0 }, log: silentLogger, namespace: 'guard-system' })
    t.after(() => running.stop())
    await running.ready
    port = Number(new URL(running.urls.webhooks!).port)
    const bad = { metadata: { name: 'a' }, data: { bad: 'yes' } }
    await assert.rejects(client.of(maps).create(bad), /it is bad/)
    const configurations = client.of('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration')
    const bundleOf = async () => (await configurations.get('guard')).webhooks![0]!.clientConfig.caBundle
    const bundle = await bundleOf()
    assert.ok(bundle)
    const taken = await configurations.get('guard')
    taken.webhooks![0]!.clientConfig.caBundle = undefined
    await configurations.update(taken as never)
    while ((await bundleOf()) !== bundle) await new Promise(resolve => setTimeout(resolve, 5))
    await assert.rejects(client.of(maps).create(bad), /it is bad/)
  })
})
