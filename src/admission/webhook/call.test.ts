import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestRecord } from '../../apimachinery/request/record.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { CallOptions } from '../../transport/webhooks/client.js'
import { WebhookCallError } from '../../transport/webhooks/exchange.js'
import type { AdmissionAttributes } from '../admission.js'
import { ask, WebhookFailure, WebhookRefusal } from './call.js'

interface Asking {
  readonly hook?: object
  readonly dryRun?: boolean
  readonly response?: object
  readonly failure?: Error
}

/** Asks a webhook that allows, unless `response` or `failure` say otherwise. Returns what became of it. */
async function asking({ hook = {}, dryRun = false, response = {}, failure }: Asking = {}) {
  const calls: { readonly url: string; readonly review: any; readonly timeoutMs: number }[] = []
  const warnings: string[] = []
  const record = new RequestRecord('', 0)
  const client: any = {
    async post(config: { url: string }, review: any, { timeoutMs }: CallOptions) {
      calls.push({ url: config.url, review, timeoutMs })
      if (failure) throw failure
      const { apiVersion, kind, request } = review
      return JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed: true, ...response } })
    }
  }
  const kind = { kind: 'ConfigMap', subresources: undefined }
  const resource: any = { group: '', resource: 'configmaps', kind, groupResource: { group: '', resource: 'configmaps' } }
  const attributes = {
    operation: 'CREATE',
    resource,
    subresource: '',
    namespace: 'default',
    name: 'a',
    object: { metadata: { name: 'a' } },
    context: {
      dryRun,
      version: 'v1',
      user: { name: 'alice', groups: [] },
      services: { random: { apart: () => ({ uuid: () => 'u' }) } },
      origin: { record },
      warn: (text: string) => void warnings.push(text)
    }
  } as unknown as AdmissionAttributes
  const defaults = { name: 'h', clientConfig: { url: 'https://h' }, sideEffects: 'None', admissionReviewVersions: ['v1'] }
  const webhook: any = { hook: { ...defaults, ...hook } }
  const matched = { resource, version: 'v1' }
  const shown = { object: attributes.object, oldObject: null }
  let error: unknown
  await ask(attributes, client, { webhook, matched, shown, mutating: false }).catch(reason => (error = reason))
  return { calls, warnings, record, error }
}

test('a webhook with side effects is not called for a dry run, and the dry run is refused', async () => {
  for (const [sideEffects, isCalled] of [
    ['None', true],
    ['NoneOnDryRun', true],
    ['Some', false],
    ['Unknown', false],
    [undefined, false]
  ] as const) {
    const { calls, error } = await asking({ hook: { sideEffects }, dryRun: true })
    assert.equal(calls.length, isCalled ? 1 : 0, sideEffects)
    if (isCalled) assert.equal(calls[0]!.review.request.dryRun, true)
    else {
      assert.ok(error instanceof StatusError)
      assert.deepEqual([error.code, error.message], [400, 'admission webhook "h" does not support dry run'])
    }
    assert.equal((await asking({ hook: { sideEffects } })).calls.length, 1, 'not a dry run')
  }
})

test('the review has the first version that is known of those that the webhook accepts', async () => {
  for (const [admissionReviewVersions, version] of [
    [['v1'], 'v1'],
    [['v1beta1', 'v1'], 'v1beta1'],
    [['v2', 'v1', 'v1beta1'], 'v1']
  ] as const) {
    const { calls } = await asking({ hook: { admissionReviewVersions } })
    assert.equal(calls[0]!.review.apiVersion, `admission.k8s.io/${version}`)
  }
  for (const admissionReviewVersions of [['v2'], undefined]) {
    const { calls, error } = await asking({ hook: { admissionReviewVersions } })
    assert.equal(calls.length, 0)
    assert.ok(error instanceof WebhookFailure)
    assert.equal(error.code, 400)
    assert.match(error.message, /webhook does not accept known AdmissionReview versions \(v1, v1beta1\)$/)
  }
})

test('a webhook has as long as its configuration says, or ten seconds', async () => {
  assert.equal((await asking({ hook: { timeoutSeconds: 3 } })).calls[0]!.timeoutMs, 3000)
  assert.equal((await asking()).calls[0]!.timeoutMs, 10_000)
})

test('a failed call is a failure of the webhook, and an error of the server is not', async () => {
  const failed = (await asking({ failure: new WebhookCallError('refused', { code: 502 }) })).error
  assert.ok(failed instanceof WebhookFailure)
  assert.deepEqual([failed.message, failed.code], ['failed calling webhook "h": failed to call webhook: refused', 502])
  const wrong = (await asking({ response: { uid: 'another' } })).error
  assert.ok(wrong instanceof WebhookFailure)
  assert.equal(wrong.code, 503)
  assert.match(wrong.message, /^failed calling webhook "h": received invalid webhook response: expected response.uid="u"/)
  const unreadable = (await asking({ response: { allowed: 'yes' } })).error
  assert.ok(unreadable instanceof WebhookFailure)
  assert.equal(unreadable.code, 503)
  assert.match(unreadable.message, /^failed calling webhook "h": failed to call webhook: json: cannot unmarshal string/)
  const bug = new TypeError('bug')
  assert.equal((await asking({ failure: bug })).error, bug)
})

test('audit annotations have the name of the webhook, and warnings no control characters', async () => {
  const { record, warnings, error } = await asking({
    response: { auditAnnotations: { seen: 'yes' }, warnings: ['careful', '', 'a\nb', 'a\u007fb'] }
  })
  assert.equal(error, undefined)
  assert.deepEqual([...record.annotations], [['h/seen', 'yes']])
  assert.deepEqual(warnings, ['careful'])
})

test('a refusal has the status that the webhook sends, with a code of at least 400', async () => {
  const deniedBy = 'admission webhook "h" denied the request'
  const cases: readonly (readonly [status: object | undefined, expected: object])[] = [
    [undefined, { status: 'Failure', message: `${deniedBy} without explanation`, code: 400 }],
    [
      { message: 'tea', code: 418 },
      { status: 'Failure', message: `${deniedBy}: tea`, code: 418 }
    ],
    [
      { status: 'Success', code: 200 },
      { status: 'Failure', message: `${deniedBy} without explanation`, code: 400 }
    ],
    [
      { status: 'Other', code: 399 },
      { status: 'Other', message: `${deniedBy} without explanation`, code: 400 }
    ],
    [{ reason: 'Teapot' }, { status: 'Failure', message: `${deniedBy}: Teapot`, code: 400, reason: 'Teapot' }],
    [
      { message: 'tea', reason: 'Teapot', details: { name: 'pot' } },
      { status: 'Failure', message: `${deniedBy}: tea`, code: 400, reason: 'Teapot', details: { name: 'pot' } }
    ]
  ]
  for (const [status, expected] of cases) {
    const { error } = await asking({ response: { allowed: false, ...(status ? { status } : {}) } })
    assert.ok(error instanceof WebhookRefusal)
    assert.deepEqual(error.status, { kind: 'Status', apiVersion: 'v1', metadata: {}, ...expected })
    assert.equal(error.headers, undefined)
  }
  const later = (await asking({ response: { allowed: false, status: { details: { retryAfterSeconds: 7 } } } })).error
  assert.ok(later instanceof WebhookRefusal)
  assert.deepEqual(later.headers, { 'retry-after': '7' })
})
