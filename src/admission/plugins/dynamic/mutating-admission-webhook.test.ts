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
  await configure('w', {})
})
after(async () => {
  await server.stop()
  await hook.close()
})

const group = '/apis/admissionregistration.k8s.io/v1'

async function configure(name: string, more: object): Promise<void> {
  const webhook = {
    name: 'hook.example.com',
    clientConfig: { url: hook.url, caBundle: hook.caBundle },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more
  }
  const made = await send(`${group}/mutatingwebhookconfigurations`, { metadata: { name }, webhooks: [webhook] })
  assert.equal(made.status, 201, made.body.message)
}

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

const annotations = () => events.at(-1).annotations
const mutation = 'mutation.webhook.admission.k8s.io/round_0_index_'
const secretRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }]

test('audit tells whether a webhook changed the object', async () => {
  const about = (mutated: boolean) => ({
    [`${mutation}0`]: `{"configuration":"w","webhook":"hook.example.com","mutated":${mutated}}`
  })
  const seen = async () => {
    await configMap()
    const found = Object.entries(annotations()).filter(([key]) => key.includes('webhook'))
    return Object.fromEntries(found)
  }
  answers.push({ allowed: true, patchType: 'JSONPatch', patch: patch({ op: 'add', path: '/data', value: { a: 'b' } }) })
  assert.deepEqual(await seen(), about(true))
  assert.deepEqual(await seen(), about(false))
  // also of a call that fails
  answers.push({ uid: 'another' })
  assert.deepEqual(await seen(), about(false))
})

test('a failure that the webhook ignores lets the request pass, and audit tells of it', async () => {
  await configure('x-lax', { name: 'lax.example.com', failurePolicy: 'Ignore', rules: secretRules })
  answers.push({ uid: 'another' })
  const { status } = await send('/api/v1/namespaces/default/secrets?dryRun=All', { metadata: { name: 's' } })
  assert.equal(status, 201)
  assert.equal(annotations()[`failed-open.${mutation}1`], 'lax.example.com')
})

for (const [policyRuns, webhookRuns, expected] of [
  ['IfNeeded', 'IfNeeded', ['1', '2']],
  ['IfNeeded', 'Never', ['1']],
  ['Never', 'IfNeeded', ['1']]
] as const)
  test(`a policy with ${policyRuns} changes the object once more: a webhook with ${webhookRuns} is called ${expected.length}×`, async () => {
    const name = `again-${policyRuns}-${webhookRuns}`.toLowerCase()
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['endpoints'] }]
    const objectSelector = { matchLabels: { t: name } }
    const expression =
      '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"n": has(object.metadata.annotations) ? "2" : "1"}}]'
    const spec = {
      matchConstraints: { resourceRules: rules, objectSelector },
      reinvocationPolicy: policyRuns,
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }]
    }
    assert.equal((await send(`${group}/mutatingadmissionpolicies`, { metadata: { name }, spec })).status, 201)
    await send(`${group}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } })
    await configure(name, { rules, objectSelector, reinvocationPolicy: webhookRuns })
    const before = hook.requests.length
    const made = await send('/api/v1/namespaces/default/endpoints?dryRun=All', { metadata: { name: 'e', labels: { t: name } } })
    assert.equal(made.status, 201, made.body.message)
    const seen = hook.requests.slice(before).map(({ request }) => request.object.metadata.annotations.n)
    assert.deepEqual(seen, expected)
  })

test('a webhook with IfNeeded is called again after a later one has changed the object', async () => {
  const objectSelector = { matchLabels: { t: 'later' } }
  await configure('later-1', { name: 'one.example.com', objectSelector, reinvocationPolicy: 'IfNeeded', rules: secretRules })
  await configure('later-2', { name: 'two.example.com', objectSelector, rules: secretRules })
  const calls = async (...given: object[]) => {
    answers.push({ allowed: true }, ...given)
    const before = hook.requests.length
    const body = { metadata: { name: 's', labels: { t: 'later' } } }
    assert.equal((await send('/api/v1/namespaces/default/secrets?dryRun=All', body)).status, 201)
    answers.length = 0
    return hook.requests.slice(before).map(({ request }) => request.object.type)
  }
  // an earlier test's webhook is about all secrets
  const url = `${group}/mutatingwebhookconfigurations/x-lax`
  await server.inject({ method: 'DELETE', url, user })
  assert.deepEqual(await calls(), ['Opaque', 'Opaque'])
  const later = { allowed: true, patchType: 'JSONPatch', patch: patch({ op: 'replace', path: '/type', value: 'later' }) }
  assert.deepEqual(await calls(later), ['Opaque', 'Opaque', 'later'])
})
