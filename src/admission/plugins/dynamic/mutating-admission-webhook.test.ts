import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BinnacleServer, createServer } from '../../../server/server.js'
import { startWebhook, type TestWebhook } from '../../../testing/webhook-server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
/** The webhook's next answers; without one it allows the request. */
const answers: object[] = []
let server: BinnacleServer
let hook: TestWebhook

before(async () => {
  hook = await startWebhook(({ apiVersion, kind, request }) => ({
    apiVersion,
    kind,
    response: { uid: request.uid, ...(answers.shift() ?? { allowed: true }) }
  }))
  server = createServer({ log: silentLogger })
  await server.start()
  const webhook = {
    name: 'hook.example.com',
    clientConfig: { url: hook.url, caBundle: hook.caBundle },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1']
  }
  const made = await send('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
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
const patch = (...operations: object[]) => Buffer.from(JSON.stringify(operations)).toString('base64')

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

test('a webhook may patch the object', async () => {
  answers.push({ allowed: true, patchType: 'JSONPatch', patch: patch({ op: 'add', path: '/data', value: { a: 'b' } }) })
  assert.deepEqual((await configMap()).body.data, { a: 'b' })
})

test('a webhook is not called for other resources', async () => {
  const before = hook.requests.length
  await send('/api/v1/namespaces/default/secrets?dryRun=All', { metadata: { name: 's' } })
  assert.equal(hook.requests.length, before)
})
