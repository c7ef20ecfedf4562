import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { startWebhook, type TestWebhook } from '../../../testkit/webhook-server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
/** The webhook's next answers; without one it allows the request. */
const answers: object[] = []
let server: BinnacleServer
let hook: TestWebhook
/** The audit events of requests. */
const events: any[] = []

before(async () => {
  hook = await startWebhook(({ apiVersion, kind, request }) => ({
    apiVersion,
    kind,
    response: { uid: request.uid, ...(answers.shift() ?? { allowed: true }) }
  }))
  server = createServer({
    log: silentLogger,
    auditPolicy: { omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] },
    auditWrite: event => void events.push(event)
  })
  await server.start()
  const webhook = {
    name: 'hook.example.com',
    clientConfig: { url: hook.url, caBundle: hook.caBundle },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1']
  }
  const made = await send('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'w' },
    webhooks: [webhook]
  })
  assert.equal(made.status, 201, made.body.message)
})
after(async () => {
  await server.stop()
  await hook.close()
})

async function send(url: string, body: object): Promise<{ status: number; body: any; warnings: unknown }> {
  const answer = await server.inject({ method: 'POST', url, user, body })
  return { status: answer.status, body: answer.json(), warnings: answer.headers.warning }
}
const configMap = () => send('/api/v1/namespaces/default/configmaps?dryRun=All', { metadata: { name: 'x' } })

test('a webhook sees the object that is created, and may refuse it', async () => {
  assert.equal((await configMap()).status, 201)
  assert.equal(hook.requests.at(-1).request.object.metadata.name, 'x')
  answers.push({ allowed: false, status: { message: 'not today', code: 418 } })
  const { status, body } = await configMap()
  assert.equal(status, 418)
  assert.equal(body.message, 'admission webhook "hook.example.com" denied the request: not today')
})

test('a webhook may warn', async () => {
  answers.push({ allowed: true, warnings: ['careful'] })
  assert.match(String((await configMap()).warnings), /careful/)
})

test('the answer of a webhook that validates must not have a patch', async () => {
  const patch = Buffer.from('[{"op":"add","path":"/data","value":{"a":"b"}}]').toString('base64')
  answers.push({ allowed: true, patchType: 'JSONPatch', patch })
  const { status, body } = await configMap()
  assert.equal(status, 500)
  assert.match(body.message, /: validating webhook may not return response\.patch$/)
})

test('a webhook is not called for other resources', async () => {
  const before = hook.requests.length
  await send('/api/v1/namespaces/default/secrets?dryRun=All', { metadata: { name: 's' } })
  assert.equal(hook.requests.length, before)
})

test('a failure that the webhook ignores lets the request pass, and audit tells of it', async () => {
  const webhook = {
    name: 'lax.example.com',
    clientConfig: { url: hook.url, caBundle: hook.caBundle },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Ignore'
  }
  const url = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
  assert.equal((await send(url, { metadata: { name: 'lax' }, webhooks: [webhook] })).status, 201)
  const failedOpen = async () => {
    assert.equal((await send('/api/v1/namespaces/default/secrets?dryRun=All', { metadata: { name: 's' } })).status, 201)
    return events.at(-1).annotations['failed-open.validating.webhook.admission.k8s.io/round_0_index_0']
  }
  answers.push({ uid: 'another' })
  assert.equal(await failedOpen(), 'lax.example.com')
  assert.equal(await failedOpen(), undefined)
})
