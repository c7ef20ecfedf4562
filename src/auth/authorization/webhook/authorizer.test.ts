import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { type AuthorizationAttributes, aboutResource, type Decision } from '../../../apimachinery/request/authorization.js'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { startHttps, type TestServer } from '../../../testkit/webhook-server.js'
import { RemoteWebhook } from '../../../transport/webhooks/remote-webhook.js'
import type { Clock } from '../../../util/clock.js'
import { silentLogger } from '../../../util/logger.js'
import { systemRandomness } from '../../../util/randomness.js'
import { WebhookAuthorizer, type WebhookAuthorizerOptions } from './authorizer.js'
import { compileConditions } from './compile-conditions.js'

let server: TestServer
let handle: (request: IncomingMessage, response: ServerResponse, review: any) => void
let reviews: any[]
let measured: string[]
let open: WebhookAuthorizer[]

before(async () => {
  server = await startHttps((request, response, body) => {
    const review = JSON.parse(body)
    reviews.push(review)
    handle(request, response, review)
  })
})
after(() => server.close())
beforeEach(() => {
  reviews = []
  measured = []
  open = []
})
afterEach(() => {
  for (const authorizer of open) authorizer.close()
})

/** Waits between retries are over at once. */
const hasty: Clock = {
  now: () => 0,
  setTimeout(callback) {
    setImmediate(callback)
    return { cancel() {} }
  }
}

const make = (options: Partial<WebhookAuthorizerOptions> = {}, url = server.url, timeoutMs = 30_000) => {
  const kubeconfig = { server: url, ca: server.ca, insecure: false, headers: {} }
  const authorizer = new WebhookAuthorizer({
    name: 'w',
    webhook: new RemoteWebhook({ kubeconfig, clock: hasty, random: systemRandomness, timeoutMs }),
    version: 'v1',
    authorizedTTL: 300_000,
    unauthorizedTTL: 30_000,
    deniesOnFailure: false,
    conditions: [],
    clock: hasty,
    log: silentLogger,
    metrics: {
      decisions: () => ({ allowed: 0, denied: 0 }),
      webhookCalled: (name, result) => void measured.push(`${name} ${result}`),
      failedOpen: (name, result) => void measured.push(`${name} open ${result}`),
      conditionsEvaluated: (name, _, outcome) => void measured.push(`${name} ${outcome}`)
    },
    ...options
  })
  open.push(authorizer)
  return authorizer
}

const answers = (status: object): typeof handle => {
  return (_, response, { apiVersion, kind }) => void response.end(JSON.stringify({ apiVersion, kind, status }))
}
const question = (more: Partial<AuthorizationAttributes> = {}) =>
  aboutResource({ user: { name: 'u', groups: [] }, verb: 'get', group: '', resource: 'pods', ...more })
const conditions = (...expressions: string[]) => {
  const errors = new FieldErrors()
  const compiled = compileConditions(
    expressions.map(expression => ({ expression })),
    Path.of('c'),
    errors
  )
  assert.deepEqual(errors.list, [])
  return compiled
}

describe('a webhook', () => {
  for (const [why, status, decision] of [
    ['allows', { allowed: true, reason: 'a' }, { allowed: true, reason: 'a' }],
    ['denies', { denied: true, reason: 'd' }, { allowed: false, denied: true, reason: 'd' }],
    ['has no opinion', { reason: 'n', evaluationError: 'hidden' }, { allowed: false, reason: 'n' }],
    [
      'allows and denies',
      { allowed: true, denied: true },
      {
        allowed: false,
        denied: true,
        reason: '',
        error: 'webhook subject access review returned both allow and deny response'
      }
    ]
  ] as const)
    for (const version of ['v1', 'v1beta1'] as const)
      it(`${why} in ${version}`, async () => {
        handle = answers(status)
        assert.deepEqual(await make({ version }).authorize(question()), decision)
        assert.equal(reviews[0].apiVersion, `authorization.k8s.io/${version}`)
        assert.deepEqual(measured, ['w success'])
      })

  it('that fails leaves the decision to others, or denies', async () => {
    handle = (_, response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('no')
    const error = 'the server could not find the requested resource'
    assert.deepEqual(await make().authorize(question()), { allowed: false, reason: '', error })
    assert.deepEqual(measured, ['w error', 'w open error'])
    const denied = await make({ deniesOnFailure: true }).authorize(question())
    assert.deepEqual(denied, { allowed: false, denied: true, reason: '', error })
    assert.deepEqual(measured.slice(2), ['w error'])
  })

  it('is asked again while it fails for a while', async () => {
    const yes = answers({ allowed: true })
    handle = (...given) => {
      if (reviews.length < 3) given[1].writeHead(500).end()
      else yes(...given)
    }
    assert.equal((await make().authorize(question()))?.allowed, true)
    assert.deepEqual(measured, ['w error', 'w error', 'w success'])
  })

  it('that is too slow fails', async () => {
    handle = () => {}
    const { error } = (await make({}, server.url, 50).authorize(question()))!
    assert.match(error!, /^Post "https:.*\?timeout=0.05s": context deadline exceeded$/)
    assert.deepEqual(measured, ['w timeout', 'w open timeout'])
  })

  it('that times out itself is called again, and counts as too slow', async () => {
    handle = (_, response) => void response.writeHead(504).end()
    assert.match((await make().authorize(question()))!.error!, /unable to return a response in the time allotted/)
    assert.deepEqual(measured, [...Array(5).fill('w timeout'), 'w open timeout'])
  })

  it('that is down fails', async () => {
    const { error } = (await make({}, 'https://127.0.0.1:9').authorize(question()))!
    assert.match(error!, /connect: connection refused$/)
  })

  it('is given up when nobody waits any more', async () => {
    const gone = new AbortController()
    handle = () => gone.abort(new Error('gone'))
    await assert.rejects(Promise.resolve(make().authorize(question(), { signal: gone.signal })), { message: 'gone' })
    assert.deepEqual(measured, ['w canceled'])
  })

  for (const [what, text, error] of [
    ['no JSON', 'hello', /json/i],
    [
      'another version',
      '{"apiVersion":"authorization.k8s.io/v1beta1","kind":"SubjectAccessReview"}',
      /^converting \(v1beta1\.SubjectAccessReview\) to \(v1\.SubjectAccessReview\): unknown conversion$/
    ],
    ['a wrong type', '{"status":{"allowed":"yes"}}', /cannot unmarshal string into Go struct field .*allowed of type bool/],
    ['nothing', '', /^0-length response with status code: 200/]
  ] as const)
    it(`that answers with ${what} fails`, async () => {
      handle = (_, response) => void response.end(text)
      const decision = (await make().authorize(question())) as Decision
      assert.match(decision.error!, error)
      assert.deepEqual(measured, ['w error', 'w open error'])
    })

  it('has no opinion when its answer is null', async () => {
    handle = (_, response) => void response.end('null')
    assert.deepEqual(await make().authorize(question()), { allowed: false, reason: '' })
  })

  it('may leave out the kind, and say more', async () => {
    handle = (_, response) => void response.end('{"status":{"allowed":true,"more":1},"other":{}}')
    assert.equal((await make().authorize(question()))?.allowed, true)
  })

  it('closes its connection when the calls on their way have ended', async () => {
    let closed = 0
    let answer = (_: string) => {}
    const post = (_: unknown, __: unknown, attempt: any) =>
      attempt(async () => ({ code: 200, text: await new Promise<string>(resolve => (answer = resolve)) }))
    const webhook = { post, close: async () => void closed++ } as never
    const authorizer = make({ webhook })
    const decision = authorizer.authorize(question())
    authorizer.close()
    assert.equal(closed, 0)
    answer('{"status":{"allowed":true}}')
    assert.equal((await decision)?.allowed, true)
    assert.equal(closed, 1)
    const idle = make({ webhook, unauthorizedTTL: 0 })
    const asked = idle.authorize(question())
    answer('{}')
    await asked
    assert.equal(closed, 1)
    idle.close()
    assert.equal(closed, 2)
  })

  it('cannot list its rules', () => {
    const { incomplete, problems } = make().rulesFor()
    assert.deepEqual([incomplete, problems], [true, ['webhook authorizer does not support user rule resolution']])
  })
})

describe('decisions of a webhook', () => {
  it('are remembered, permissions longer than refusals', async () => {
    const clock = new FakeClock()
    const authorizer = make({ clock })
    handle = answers({ allowed: true })
    await authorizer.authorize(question())
    handle = answers({ allowed: false })
    await authorizer.authorize(question({ name: 'x' }))
    assert.equal(reviews.length, 2)
    clock.advance(29_999)
    // what is remembered has not to be waited for
    assert.deepEqual(authorizer.authorize(question()), { allowed: true, reason: '' })
    assert.deepEqual(authorizer.authorize(question({ name: 'x' })), { allowed: false, reason: '' })
    clock.advance(1)
    assert.ok(!(authorizer.authorize(question()) instanceof Promise))
    await authorizer.authorize(question({ name: 'x' }))
    assert.equal(reviews.length, 3)
    clock.advance(270_000)
    await authorizer.authorize(question())
    assert.equal(reviews.length, 4)
  })

  it('are not remembered with a time of 0, nor when they are failures', async () => {
    const authorizer = make({ authorizedTTL: 0 })
    handle = answers({ allowed: true })
    for (let i = 0; i < 2; i++) await authorizer.authorize(question())
    handle = (_, response) => void response.writeHead(404).end()
    for (let i = 0; i < 2; i++) await make().authorize(question())
    assert.equal(reviews.length, 4)
  })

  it('are not remembered for questions that are too long', async () => {
    const authorizer = make()
    handle = answers({ allowed: true })
    const long = (length: number) => question({ name: 'é'.repeat(length / 2 - 'get*pods'.length / 2) })
    for (const [length, calls] of [
      [9998, 1],
      [10_000, 3]
    ] as const) {
      for (let i = 0; i < 2; i++) await authorizer.authorize(long(length))
      assert.equal(reviews.length, calls, String(length))
    }
  })

  it('may be denials', async () => {
    const clock = new FakeClock()
    const authorizer = make({ clock })
    handle = answers({ denied: true, allowed: true })
    for (let i = 0; i < 2; i++) assert.equal((await authorizer.authorize(question()))?.denied, true)
    clock.advance(30_000)
    assert.ok(!(authorizer.authorize(question()) instanceof Promise))
    assert.equal(reviews.length, 1)
  })
})

describe('match conditions', () => {
  const ask = (given: Partial<WebhookAuthorizerOptions>, more: Partial<AuthorizationAttributes> = {}) => {
    handle = answers({ allowed: true })
    return make(given).authorize(question({ user: { name: 'u', groups: ['g'] }, ...more }))
  }

  it('must all hold', async () => {
    const both = conditions("request.user == 'u'", "request.resourceAttributes.resource == 'pods'")
    assert.equal((await ask({ conditions: both }))?.allowed, true)
    assert.equal(await ask({ conditions: both }, { resource: 'nodes' }), undefined)
    assert.equal(await ask({ conditions: both, deniesOnFailure: true }, { user: { name: 'v', groups: [] } }), undefined)
    assert.equal(reviews.length, 1)
    assert.deepEqual(measured, ['w met', 'w success', 'w excluded', 'w excluded'])
  })

  it('that fail leave the decision to others, or deny, unless another does not hold', async () => {
    const failing = ['int(request.user) > 0', "request.extra['k'].size() > 0"]
    const error = failing
      .map(
        (text, i) =>
          `cel evaluation error: expression '${text}' resulted in error: ${i ? 'no such key: k' : "type conversion error from 'string' to 'int'"}`
      )
      .join(', ')
    const decision = { allowed: false, reason: '', error: `[${error}]` }
    assert.deepEqual(await ask({ conditions: conditions(...failing) }), decision)
    assert.deepEqual(await ask({ conditions: conditions(...failing), deniesOnFailure: true }), { ...decision, denied: true })
    assert.equal(await ask({ conditions: conditions(...failing, 'false'), deniesOnFailure: true }), undefined)
    assert.deepEqual(measured, ['w failed', 'w failed', 'w excluded'])
    assert.equal(reviews.length, 0)
  })

  for (const [expression, more] of [
    ["request.uid == '' && request.groups == ['g'] && request.extra == {}", {}],
    ["request.extra['k'] == ['v'] && request.uid == 'i'", { user: { name: 'u', groups: [], uid: 'i', extra: { k: ['v'] } } }],
    ['!has(request.nonResourceAttributes) && has(request.resourceAttributes)', {}],
    ["request.resourceAttributes.namespace == '' && request.resourceAttributes.version == '*'", {}],
    [
      "!has(request.resourceAttributes) && request.nonResourceAttributes.path == '/x' && request.nonResourceAttributes.verb == 'get'",
      { isResourceRequest: false, path: '/x' }
    ],
    ['!has(request.resourceAttributes.fieldSelector) && !has(request.resourceAttributes.labelSelector)', {}],
    [
      "request.resourceAttributes.fieldSelector.requirements[0].operator == 'In' && !has(request.resourceAttributes.fieldSelector.rawSelector)",
      { fieldSelector: [{ field: 'a', operator: '=', value: 'b' }] }
    ],
    [
      "request.resourceAttributes.labelSelector.requirements.exists(r, r.key == 'k' && r.values == ['b', 'a'])",
      { labelSelector: [{ key: 'k', operator: 'In', values: ['b', 'a'] }] }
    ]
  ] as const)
    it(`see the request: ${expression}`, async () => {
      assert.equal((await ask({ conditions: conditions(expression) }, more as Partial<AuthorizationAttributes>))?.allowed, true)
    })
})
