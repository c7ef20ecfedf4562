/** Admission webhooks in a whole server: the reviews that they get, and the effects of their answers. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { startWebhook, type TestWebhook } from '../../testkit/webhook-server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const group = '/apis/admissionregistration.k8s.io/v1'
const maps = '/api/v1/namespaces/default/configmaps'
let server: BinnacleServer
let hook: TestWebhook
/** The answers by the path of the webhook's URL, which is the name of the webhook up to its first dot. */
const answers = new Map<string, (request: any) => object>()

const answer = (review: any) => {
  const { request } = review
  const name = request.object?.metadata.annotations?.ask ?? request.oldObject?.metadata.annotations?.ask
  return { ...review, request: undefined, response: { uid: request.uid, allowed: true, ...answers.get(name)?.(request) } }
}
const patch = (...operations: object[]) => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64')
})

const ask = (url: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') =>
  send(server, method, url, body, { user })
const configMap = (name: string, asked: string, data = {}) => ({ metadata: { name, annotations: { ask: asked } }, data })

async function configure(kind: 'mutating' | 'validating', name: string, ...webhooks: object[]): Promise<void> {
  const body = {
    metadata: { name },
    webhooks: webhooks.map((webhook, i) => ({
      name: `w${i}.example.com`,
      clientConfig: { url: hook.url, caBundle: hook.caBundle },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...webhook
    }))
  }
  const made = await ask(`${group}/${kind}webhookconfigurations`, body)
  assert.equal(made.status, 201, JSON.stringify(made.body))
}

before(async () => {
  hook = await startWebhook(answer, ['hooks.default.svc'])
  server = createServer({ log: silentLogger, resolveService: { 'default/hooks': hook.host } })
  await server.start()
})
after(async () => {
  await server.stop()
  await hook.close()
})
beforeEach(async () => {
  for (const kind of ['mutating', 'validating']) await ask(`${group}/${kind}webhookconfigurations`, undefined, 'DELETE')
  hook.requests.length = 0
  answers.clear()
})

test('a review describes the request and its user', async () => {
  await configure('validating', 'v', {})
  await ask(`${maps}?dryRun=All&fieldManager=m`, configMap('told', ''))
  const [{ request, apiVersion }] = hook.requests
  assert.equal(apiVersion, 'admission.k8s.io/v1')
  const { uid, object, userInfo, ...rest } = request
  assert.equal(object.metadata.name, 'told')
  assert.equal(userInfo.username, 'tester')
  assert.deepEqual(rest, {
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
    requestResource: { group: '', version: 'v1', resource: 'configmaps' },
    name: 'told',
    namespace: 'default',
    operation: 'CREATE',
    oldObject: null,
    dryRun: true,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'], fieldManager: 'm' }
  })
  assert.match(uid, /^[0-9a-f-]{36}$/)
})

test('the client gets the refusal that the webhook sends, a service is resolved by its override, and deletions can be refused', async () => {
  answers.set('no', () => ({ allowed: false, status: { code: 418, message: 'tea', reason: 'Teapot' }, warnings: ['hot'] }))
  await configure('validating', 'v', {
    clientConfig: { service: { namespace: 'default', name: 'hooks' }, caBundle: hook.caBundle },
    rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['DELETE'], resources: ['configmaps'] }]
  })
  assert.equal((await ask(maps, configMap('kept', 'no'))).status, 201)
  const refused = await ask(`${maps}/kept`, undefined, 'DELETE')
  assert.deepEqual([refused.status, refused.body.reason], [418, 'Teapot'])
  assert.equal(refused.body.message, 'admission webhook "w0.example.com" denied the request: tea')
  assert.deepEqual(refused.warnings, ['299 - "hot"'])
  assert.equal((await ask(`${maps}/kept`)).status, 200)
})

test('patches are applied in the order of configuration names, and a webhook with IfNeeded is called again', async () => {
  answers.set('add', ({ object }) =>
    patch({ op: 'add', path: `/data/n${Object.keys(object.data).length}`, value: String(Object.keys(object.data).length) })
  )
  await configure('mutating', 'b', {})
  await configure('mutating', 'a', { reinvocationPolicy: 'IfNeeded' })
  const made = await ask(maps, configMap('patched', 'add', { first: '' }))
  assert.deepEqual(made.body.data, { first: '', n1: '1', n2: '2', n3: '3' })
  assert.equal(hook.requests.length, 3)
})

test('a patch that cannot be applied is an error, and validation finds a patch that makes the object invalid', async () => {
  await configure('mutating', 'm', {})
  answers.set('path', () => patch({ op: 'add', path: '/nowhere/at', value: 1 }))
  const unfit = await ask(maps, configMap('unfit', 'path'))
  assert.deepEqual(
    [unfit.status, unfit.body.message],
    [500, 'Internal error occurred: add operation does not apply: doc is missing path: "/nowhere/at": missing value']
  )
  answers.set('key', () => patch({ op: 'add', path: '/data', value: { 'a b': '' } }))
  assert.equal((await ask(maps, configMap('invalid', 'key'))).status, 422)
})

test('the failurePolicy decides whether a failed call refuses the request', async () => {
  answers.set('wrong', () => ({ uid: 'another' }))
  await configure('validating', 'v', {})
  const failed = await ask(maps, configMap('failed', 'wrong'))
  assert.equal(failed.status, 500)
  const { uid } = hook.requests[0].request
  const why = `received invalid webhook response: expected response.uid="${uid}", got "another"`
  assert.equal(failed.body.message, `Internal error occurred: failed calling webhook "w0.example.com": ${why}`)
  await ask(`${group}/validatingwebhookconfigurations/v`, undefined, 'DELETE')
  await configure('validating', 'v', { failurePolicy: 'Ignore' })
  assert.equal((await ask(maps, configMap('ignored', 'wrong'))).status, 201)
})

test('conditions, selectors and the match policy decide which webhooks are called', async () => {
  await configure(
    'validating',
    'v',
    { matchConditions: [{ name: 'c', expression: "object.metadata.name.startsWith('yes')" }] },
    { objectSelector: { matchLabels: { a: 'b' } } },
    { namespaceSelector: { matchLabels: { a: 'b' } } },
    { rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['events'] }] }
  )
  await ask(maps, configMap('no', ''))
  assert.equal(hook.requests.length, 0)
  await ask(maps, configMap('yes', ''))
  assert.equal(hook.requests.length, 1)
  const event = { eventTime: '2026-01-01T00:00:00.000000Z', reason: 'r', action: 'a', type: 'Normal', note: 'n' }
  const source = {
    reportingController: 'e.com/c',
    reportingInstance: 'i',
    regarding: { kind: 'Pod', namespace: 'default', name: 'p' }
  }
  const made = await ask('/apis/events.k8s.io/v1/namespaces/default/events', { metadata: { name: 'e' }, ...event, ...source })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { request } = hook.requests[1]
  assert.deepEqual([request.kind.group, request.requestKind.group, request.object.apiVersion], ['', 'events.k8s.io', 'v1'])
  assert.equal(request.object.message, 'n')
})

test('a webhook that renames an object is not asked about another name, and one that changes the version of an update makes it stale', async () => {
  const renaming = patch({ op: 'replace', path: '/metadata/name', value: 'renamed' })
  answers.set('rename', ({ object }) => (object.metadata.name === 'given' ? renaming : {}))
  await configure('mutating', 'm', {})
  await configure('validating', 'v', {})
  assert.equal((await ask(maps, configMap('given', 'rename'))).body.metadata.name, 'renamed')
  assert.deepEqual(
    hook.requests.map(({ request }) => [request.name, request.object.metadata.name]),
    [
      ['given', 'given'],
      ['given', 'renamed']
    ]
  )
  await ask(`${group}/validatingwebhookconfigurations`, undefined, 'DELETE')
  assert.equal((await ask(maps, configMap('stale', 'version'))).status, 201)
  const version = (value: string) => answers.set('version', () => patch({ op: 'add', path: '/metadata/resourceVersion', value }))
  version('1')
  const update = () => ask(`${maps}/stale`, configMap('stale', 'version', { x: '1' }), 'PUT')
  assert.equal((await update()).status, 409)
  version('x')
  assert.deepEqual((await update()).body.message, 'strconv.ParseUint: parsing "x": invalid syntax')
  version('')
  assert.equal((await update()).status, 200)
})

test('a version that a webhook gives a new object is refused in a POST, and ignored in an apply and in a PUT that creates', async () => {
  const version = patch({ op: 'add', path: '/metadata/resourceVersion', value: '1' })
  for (const name of ['posted', 'applied', 'put']) answers.set(name, () => version)
  const leases = { apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps', 'leases'], operations: ['CREATE'] }
  await configure('mutating', 'm', { rules: [leases] })
  const posted = await ask(maps, configMap('new', 'posted'))
  assert.deepEqual([posted.status, posted.body.message], [500, 'resourceVersion should not be set on objects to be created'])
  const map = { ...configMap('new', 'applied'), apiVersion: 'v1', kind: 'ConfigMap' }
  const type = 'application/apply-patch+yaml'
  const applied = await send(server, 'PATCH', `${maps}/new?fieldManager=m`, map, { user, type })
  assert.equal(applied.status, 201)
  assert.notEqual(applied.body.metadata.resourceVersion, '1')
  const url = '/apis/coordination.k8s.io/v1/namespaces/default/leases/new'
  const { metadata } = configMap('new', 'put')
  const put = await ask(url, { metadata }, 'PUT')
  assert.equal(put.status, 201)
  assert.notEqual(put.body.metadata.resourceVersion, '1')
  assert.equal((await ask(url, undefined, 'GET')).body.metadata.resourceVersion, put.body.metadata.resourceVersion)
})

test('the details of a refusal have no empty fields', async () => {
  answers.set('no', () => ({
    allowed: false,
    status: { details: { name: '', retryAfterSeconds: 0, causes: [{ message: 'm' }] } }
  }))
  await configure('validating', 'v', {})
  assert.deepEqual((await ask(maps, configMap('refused', 'no'))).body.details, { causes: [{ message: 'm' }] })
})
