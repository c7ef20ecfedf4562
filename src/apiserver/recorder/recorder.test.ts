/** The flight recorder in a whole server. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { startWebhook, type TestWebhook } from '../../testkit/webhook-server.js'
import { silentLogger } from '../../util/logger.js'
import type { RecordedRequest, RecordedStep } from './recorded-request.js'

const user = { name: 'tester', groups: ['system:masters'] }
const api = '/api/v1/namespaces/default'
const admissionGroup = '/apis/admissionregistration.k8s.io/v1'
const mapRules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'secrets'] }]
let server: BinnacleServer
let hook: TestWebhook
let refuses = false

before(async () => {
  hook = await startWebhook(({ apiVersion, kind, request }) => {
    const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/data/hooked', value: 'aG9va2Vk' }])).toString('base64')
    const answer = refuses
      ? { allowed: false, status: { message: 'not today' } }
      : { allowed: true, patchType: 'JSONPatch', patch }
    return { apiVersion, kind, response: { uid: request.uid, ...answer } }
  })
  server = createServer({ log: silentLogger, controllers: ['serviceaccount-controller'], recorder: true })
  await server.start()
  // Pods and tokens need it
  await eventually(
    'the account is there',
    () => ask(`${api}/serviceaccounts/default`),
    ({ status }) => status === 200
  )
})
after(async () => {
  await server.stop()
  await hook.close()
})
beforeEach(() => {
  refuses = false
  server.recorder!.clear()
})

const ask = (url: string, body?: unknown, method?: string, more: object = {}) => {
  const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
  return server.inject({ url, user, body, headers, ...(method ? { method } : {}), ...more })
}
const last = (): RecordedRequest => server.recorder!.requests().at(-1)!

describe('a recorded request', () => {
  test('has user, verb, resource, status and times', async () => {
    await ask(`${api}/configmaps`, { metadata: { name: 'plain' }, data: { a: 'b' } })
    const {
      status,
      user,
      groups,
      verb,
      method,
      resource,
      namespace,
      name,
      authorization,
      url,
      isOpen,
      parts,
      milliseconds,
      spans
    } = last()
    assert.deepEqual([status, user, groups, verb, method], [201, 'tester', ['system:masters'], 'create', 'POST'])
    assert.deepEqual([resource, namespace, name, url, isOpen], ['configmaps', 'default', 'plain', `${api}/configmaps`, false])
    assert.equal(authorization?.allowed, true)
    assert.ok(parts.etcd! >= 0 && milliseconds >= parts.etcd!)
    assert.deepEqual(
      spans.map(({ name, depth }) => [name, depth]),
      [
        ['Create', 0],
        ['Create etcd3', 1]
      ]
    )
  })

  test('has the decision of authorization, the message of a refusal, and whom the request acts as', async () => {
    const headers = { 'impersonate-user': 'alice' }
    await ask(`${api}/pods`, undefined, 'GET', { headers })
    const { user, impersonated, authorization, status, message } = last()
    assert.deepEqual([user, impersonated, status, authorization?.allowed], ['tester', 'alice', 403, false])
    assert.match(message!, /^pods is forbidden: User "alice" cannot list resource "pods"/)
    await ask(`${api}/pods`, undefined, 'GET', { user: undefined, headers: { authorization: 'Bearer wrong-token' } })
    assert.deepEqual([last().user, last().status, last().message], ['', 401, 'Unauthorized'])
  })

  test('has what was written, from before to after', async () => {
    await ask(`${api}/configmaps`, { metadata: { name: 'changed' }, data: { a: '1' } })
    assert.match(last().writes[0]!.diff, /^\+.*"a": "1"$/m)
    await ask(`${api}/configmaps/changed`, { data: { a: '2' } }, 'PATCH')
    const [write] = last().writes
    assert.deepEqual([write!.action, write!.resource, write!.name, write!.dryRun], ['update', 'configmaps', 'changed', false])
    assert.match(write!.diff, /^-.*"a": "1"\n\+.*"a": "2"$/m)
    assert.doesNotMatch(write!.diff, /managedFields/)
    await ask(`${api}/configmaps/changed?dryRun=All`, { data: { a: '3' } }, 'PATCH')
    assert.deepEqual([last().writes[0]!.dryRun, /"a": "3"/.test(last().writes[0]!.diff)], [true, true])
    await ask(`${api}/configmaps/changed`, undefined, 'DELETE')
    assert.deepEqual([last().writes[0]!.action, /^-.*"a": "2"$/m.test(last().writes[0]!.diff)], ['delete', true])
  })

  test('is open while a watch goes on', async () => {
    const watch = ask(`${api}/configmaps?watch=1&timeoutSeconds=1`)
    await new Promise(resolve => setImmediate(resolve))
    assert.deepEqual([last().verb, last().isOpen], ['watch', true])
    await watch
    assert.equal(last().isOpen, false)
    assert.ok(last().milliseconds >= 900)
  })
})

describe('admission', () => {
  const expression = (text: string) => [{ expression: text }]

  before(async () => {
    const webhooks = [
      {
        name: 'hooks.example.com',
        clientConfig: { url: hook.url, caBundle: hook.caBundle },
        rules: mapRules,
        matchConditions: [{ name: 'asks', expression: "has(object.metadata.labels) && 'hook' in object.metadata.labels" }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1']
      }
    ]
    await ask(`${admissionGroup}/mutatingwebhookconfigurations`, { metadata: { name: 'hooks' }, webhooks })
    const matchConstraints = { resourceRules: mapRules, objectSelector: { matchLabels: { policy: 'yes' } } }
    const validations = expression('has(object.data) && object.data.size() < 2')
    await ask(`${admissionGroup}/validatingadmissionpolicies`, {
      metadata: { name: 'small' },
      spec: { matchConstraints, validations }
    })
    const mutation = {
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression: 'Object{data: Object.data{applied: "yes"}}' }
    }
    await ask(`${admissionGroup}/mutatingadmissionpolicies`, {
      metadata: { name: 'adds' },
      spec: { matchConstraints, reinvocationPolicy: 'Never', mutations: [mutation] }
    })
    for (const [kind, policyName, more] of [
      ['validating', 'small', { validationActions: ['Deny'] }],
      ['mutating', 'adds', {}]
    ] as const)
      await ask(`${admissionGroup}/${kind}admissionpolicybindings`, {
        metadata: { name: policyName },
        spec: { policyName, ...more }
      })
  })

  const steps = () =>
    last().admission.filter(({ kind, diff, error }) => kind !== 'plugin' || diff !== undefined || error !== undefined)

  test('has plugins that changed the object, webhooks and their answers', async () => {
    await ask(`${api}/configmaps`, { metadata: { name: 'hooked', labels: { hook: '' } }, data: { a: 'b' } })
    const found = steps().map(({ kind, phase, name, depth, answer }) => [kind, phase, name, depth, answer])
    assert.deepEqual(found, [
      ['plugin', 'admit', 'MutatingAdmissionWebhook', 0, undefined],
      ['webhook', 'admit', 'hooks.example.com', 1, 'allowed']
    ])
    assert.match(steps()[1]!.diff!, /^\+ +"hooked": "aG9va2Vk"$/m)
    assert.ok(last().parts['mutating-webhook']! > 0)
    assert.ok(last().spans.some(({ name }) => name === 'HTTP POST'))
    await ask(`${api}/pods?dryRun=All`, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } })
    const names = last()
      .admission.filter(({ diff }) => diff !== undefined)
      .map(({ name }) => name)
    assert.ok(names.includes('Priority') && names.includes('DefaultTolerationSeconds'), String(names))
    assert.ok(last().admission.length > names.length)
  })

  test('has refusals by webhooks and policies', async () => {
    refuses = true
    await ask(`${api}/configmaps`, { metadata: { name: 'refused', labels: { hook: '' } } })
    const message = 'admission webhook "hooks.example.com" denied the request: not today'
    assert.deepEqual([last().message, steps().at(-1)!.error, last().writes], [message, message, []])
    await ask(`${api}/configmaps`, { metadata: { name: 'large', labels: { policy: 'yes' } }, data: { a: '1', b: '2' } })
    const found = steps().map(({ kind, name, answer, diff }) => [kind, name, answer, diff !== undefined])
    assert.deepEqual(
      found.filter(([kind]) => kind === 'policy'),
      [
        ['policy', 'adds (binding adds)', 'mutated', true],
        ['policy', 'adds (binding adds)', 'not asked again', false],
        ['policy', 'small (binding small)', 'failed expression: has(object.data) && object.data.size() < 2', false]
      ]
    )
  })

  test('shows no secrets', async () => {
    const hidden = ['czNjcjN0LXZhbHVl', 's3cr3t-value', 'aG9va2Vk', 'b3RoZXItdmFsdWUx', 'other-value1']
    const applied = { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"key":"czNjcjN0LXZhbHVl"}}' }
    const metadata = { name: 'secret', labels: { hook: '' }, annotations: applied }
    await ask(`${api}/secrets`, { metadata, data: { key: 'czNjcjN0LXZhbHVl' }, stringData: { plain: 's3cr3t-value' } })
    assert.equal(last().status, 201)
    assert.match(last().writes[0]!.diff, /"key": "<16 bytes>"/)
    await ask(`${api}/secrets/secret`, { data: { key: 'b3RoZXItdmFsdWUx' } }, 'PATCH')
    assert.match(last().writes[0]!.diff, /^-.*"key": "<16 bytes>",\n\+.*"key": "<16 bytes, changed>",$/m)
    const { token } = (await ask(`${api}/serviceaccounts/default/token`, { spec: {} })).json().status
    await ask('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'review-token' } })
    await ask(`${api}/configmaps?access_token=url-token&limit=5`, undefined, 'GET', {
      headers: { authorization: 'Bearer header-token' }
    })
    const { recorder } = server
    for (const text of [recorder!.text(), recorder!.json(), recorder!.html()]) {
      for (const secret of [...hidden, token, 'review-token', 'url-token', 'header-token'])
        assert.ok(!text.includes(secret), secret)
      assert.ok(text.includes('access_token=…'))
    }
  })
})

describe('the recorder', () => {
  test('shows requests after a mark, and forgets', async () => {
    await ask(`${api}/configmaps`)
    const mark = server.recorder!.mark()
    await ask(`${api}/secrets`)
    const text = server.recorder!.text({ since: mark })
    assert.ok(text.includes('list secrets default → 200') && !text.includes('configmaps'))
    assert.deepEqual(
      JSON.parse(server.recorder!.json({ since: mark })).requests.map(({ resource }: RecordedRequest) => resource),
      ['secrets']
    )
    server.recorder!.clear()
    assert.deepEqual(server.recorder!.requests(), [])
    assert.equal(server.recorder!.text(), '')
  })

  test('leaves out how long everything took, for files to compare with', async () => {
    const body = { metadata: { name: 'timeless' } }
    await ask(`${api}/serviceaccounts`, body)
    await ask(`${api}/pods`, { ...body, spec: { containers: [{ name: 'c', image: 'i' }] } })
    const view = { timings: false }
    assert.doesNotMatch(server.recorder!.text(view), / ms|times:/)
    assert.match(server.recorder!.text(view), /admit plugin ServiceAccount: changed the object/)
    assert.match(server.recorder!.text(), /admit plugin ServiceAccount \(\d+(\.\d\d)? ms\): changed the object/)
    const [shown, whole] = [server.recorder!.json(view), server.recorder!.json()].map(text => JSON.parse(text).requests.at(-1))
    const { milliseconds: _, parts: __, spans: ___, auditId, admission, ...rest } = whole
    assert.match(auditId, /^[\da-f-]{36}$/)
    const steps = admission.map(({ milliseconds: _, ...step }: RecordedStep) => step)
    assert.deepEqual(shown, { ...rest, admission: steps })
  })

  test('shows hostile text as text', async () => {
    const hostile = `<script>alert(1)</script>"'&\u001b[2J\u202e`
    await ask(`${api}/configmaps`, {
      metadata: { name: 'hostile' },
      data: { hostile: hostile, '<img src=x onerror=alert(2)>': 'x' }
    })
    await ask(`${api}/configmaps/${encodeURIComponent('<b>')}`, undefined, 'GET', {
      user: { name: hostile, groups: ['<i>'] },
      headers: { 'user-agent': '<u>' }
    })
    await ask(`${api}/configmaps`, { metadata: { name: 'ok' }, data: { hostile } })
    const html = server.recorder!.html()
    for (const tag of ['<script', '<img', '<b>', '<i>', '<u>']) assert.ok(!html.includes(tag), tag)
    assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;'))
    assert.match(html, /default-src 'none'/)
    for (const text of [server.recorder!.text(), html]) assert.ok(!text.includes('\u001b') && !text.includes('\u202e'))
    assert.match(server.recorder!.text(), /\\u001b\[2J/)
  })

  test('keeps a bounded number of requests and bytes', async () => {
    const small = createServer({ log: silentLogger, controllers: [], recorder: { requests: 5, bytes: 1_000_000 } })
    await small.start()
    try {
      const inject = (url: string, body?: object) => small.inject({ url, user, body })
      for (let i = 0; i < 8; i++) await inject(`${api}/configmaps/x${i}`)
      assert.deepEqual(
        small.recorder!.requests().map(({ name }) => name),
        ['x3', 'x4', 'x5', 'x6', 'x7']
      )
      const large = (name: string) => inject(`${api}/configmaps`, { metadata: { name }, data: { a: 'x'.repeat(200_000) } })
      for (let i = 0; i < 8; i++) await large(`l${i}`)
      const kept = small.recorder!.requests()
      assert.ok(kept.length < 5 && kept.at(-1)!.name === 'l7', String(kept.length))
      await inject(`${api}/configmaps`, { metadata: { name: 'huge' }, data: { a: 'x'.repeat(900_000) } })
      assert.equal(small.recorder!.requests().at(-1)!.writes[0]!.diff, 'too large to be kept\n')
    } finally {
      await small.stop()
    }
  })

  test('is off unless it is asked for, and refuses wrong options', async () => {
    const off = createServer({ log: silentLogger, controllers: [] })
    await off.start()
    assert.equal(off.recorder, undefined)
    await off.stop()
    assert.throws(() => createServer({ recorder: 5 as never }), {
      message: 'the option recorder must be true, false or an object, not 5'
    })
    for (const [recorder, message] of [
      [{ request: 5 }, 'unknown option "recorder.request"; did you mean requests?'],
      [{ requests: 0 }, 'the option recorder.requests must be an integer of at least 1, not 0']
    ] as const)
      assert.throws(() => createServer({ log: silentLogger, controllers: [], recorder: recorder as never }), { message })
  })
})
