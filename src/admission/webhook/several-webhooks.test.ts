/** What several mutating and validating webhooks do with one request. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { startWebhook, type TestWebhook } from '../../testkit/webhook-server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const group = '/apis/admissionregistration.k8s.io/v1'
let server: BinnacleServer
let hook: TestWebhook
/** The names of the calls that are to come, in their order. */
let order: string[]
/** What is answered to a request, by the name of the call. */
let answers: Record<string, (request: any) => object>
let called: string[]
let made: string[]

before(async () => {
  order = []
  answers = {}
  called = []
  made = []
  hook = await startWebhook(({ apiVersion, kind, request }) => {
    const name = order.shift() ?? 'unexpected'
    called.push(name)
    return { apiVersion, kind, response: { uid: request.uid, allowed: true, ...answers[name]?.(request) } }
  })
  server = createServer({ log: silentLogger })
  await server.start()
})
after(async () => {
  await server.stop()
  await hook.close()
})
afterEach(async () => {
  for (const url of made.splice(0)) await send('DELETE', url)
  answers = {}
  called = []
})

async function send(method: string, url: string, body?: object): Promise<{ status: number; body: any; warnings: string }> {
  const answer = await server.inject({ method, url, user, ...(body ? { body } : {}) })
  return { status: answer.status, body: answer.json(), warnings: String(answer.headers.warning ?? '') }
}
const webhook = (name: string, more: object = {}) => ({
  name: `${name}.example.com`,
  clientConfig: { url: hook.url, caBundle: hook.caBundle },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more
})
const configure = async (kind: 'mutating' | 'validating', name: string, ...webhooks: object[]) => {
  const url = `${group}/${kind}webhookconfigurations`
  const { status, body } = await send('POST', url, { metadata: { name }, webhooks })
  assert.equal(status, 201, body.message)
  made.push(`${url}/${name}`)
}
const create = (dryRun = false, data: object = { k: 'v' }) => {
  const url = `/api/v1/namespaces/default/configmaps${dryRun ? '?dryRun=All' : ''}`
  return send('POST', url, { metadata: { name: `x${count++}` }, data })
}
let count = 0
const patching = (...operations: object[]) => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64')
})
const adding = (key: string, value: string) => () => patching({ op: 'add', path: `/data/${key}`, value })
const unreachable = () => ({ clientConfig: { url: 'https://127.0.0.1:9', caBundle: hook.caBundle } })

describe('webhooks', () => {
  it('that change objects are called one after the other, by the names of their configurations', async () => {
    await configure('mutating', 'b', webhook('b1'))
    await configure('mutating', 'a', webhook('a1'), webhook('a2'))
    order = ['a1', 'a2', 'b1']
    answers = { a1: adding('x', '1'), a2: adding('x', '2'), b1: request => adding('y', request.object.data.x)() }
    assert.deepEqual((await create()).body.data, { k: 'v', x: '2', y: '2' })
    assert.deepEqual(called, ['a1', 'a2', 'b1'])
  })

  it('are called again after a later one has changed the object, if they want to', async () => {
    await configure('mutating', 'a', webhook('a1', { reinvocationPolicy: 'IfNeeded' }), webhook('a2'), webhook('a3'))
    order = ['a1', 'a2', 'a3', 'again']
    answers = { a2: adding('x', '1'), again: request => adding('y', Object.keys(request.object.data).join())() }
    assert.deepEqual((await create()).body.data, { k: 'v', x: '1', y: 'k,x' })
    assert.deepEqual(called, ['a1', 'a2', 'a3', 'again'])
  })

  it('are not called again without a change, nor for their own', async () => {
    await configure(
      'mutating',
      'a',
      webhook('a1', { reinvocationPolicy: 'IfNeeded' }),
      webhook('a2', { reinvocationPolicy: 'IfNeeded' })
    )
    answers = { a2: adding('x', '1') }
    order = ['a1', 'a2', 'again']
    assert.deepEqual((await create()).body.data, { k: 'v', x: '1' })
    assert.deepEqual(called, ['a1', 'a2', 'again'])
    called = []
    order = ['a1', 'a2']
    answers = {}
    assert.deepEqual((await create()).body.data, { k: 'v' })
    assert.deepEqual(called, ['a1', 'a2'])
  })

  for (const kind of ['mutating', 'validating'] as const) {
    it(`without side effects on dry run are called on dry run: ${kind}`, async () => {
      for (const sideEffects of ['None', 'NoneOnDryRun'] as const) {
        await configure(kind, `w-${sideEffects.toLowerCase()}`, webhook('w', { sideEffects }))
        order = ['w']
        called = []
        assert.equal((await create(true)).status, 201)
        assert.deepEqual(called, ['w'])
        await send('DELETE', made.pop()!)
      }
    })

    it(`that cannot be called refuse the request, or do not matter: ${kind}`, async () => {
      await configure(kind, 'w', webhook('w', unreachable()))
      const { status, body } = await create()
      assert.equal(status, 500)
      assert.match(body.message, /^Internal error occurred: failed calling webhook "w\.example\.com": failed to call webhook: /)
      await send('DELETE', made.pop()!)
      await configure(kind, 'w', webhook('w', { ...unreachable(), failurePolicy: 'Ignore' }))
      assert.equal((await create()).status, 201)
    })

    it(`refuse whatever their failure policy is: ${kind}`, async () => {
      await configure(kind, 'w', webhook('w', { failurePolicy: 'Ignore' }))
      order = ['w']
      answers = { w: () => ({ allowed: false, status: { message: 'no', reason: 'r', code: 7 } }) }
      const { status, body } = await create()
      assert.deepEqual([status, body.code, body.reason], [400, 400, 'r'])
      assert.equal(body.message, 'admission webhook "w.example.com" denied the request: no')
    })

    it(`are called as their match conditions say: ${kind}`, async () => {
      const when = (expression: string, more: object = {}) =>
        webhook('w', { matchConditions: [{ name: 'c', expression }], ...more })
      await configure(kind, 'w', when("object.data.k == 'v' && request.operation == 'CREATE'"))
      order = ['w']
      await create()
      await create(false, { k: 'other' })
      assert.deepEqual(called, ['w'])
      await send('DELETE', made.pop()!)
      await configure(kind, 'w', when("object.data.none == 'v'"))
      assert.equal((await create()).status, 403)
      await send('DELETE', made.pop()!)
      await configure(kind, 'w', when("object.data.none == 'v'", { failurePolicy: 'Ignore' }))
      assert.equal((await create()).status, 201)
      assert.deepEqual(called, ['w'])
    })
  }

  it('that validate are all asked, and the first refusal counts', async () => {
    await configure('validating', 'w', webhook('w1'), webhook('w2'))
    order = ['first', 'second']
    answers = { first: () => ({ allowed: false }), second: () => ({ warnings: ['careful'] }) }
    const { status, body } = await create()
    assert.equal(status, 400)
    assert.match(body.message, /^admission webhook "w[12]\.example\.com" denied the request without explanation$/)
    assert.equal(called.length, 2)
  })

  for (const [what, answer, message] of [
    [
      'a patch of another type',
      () => ({ ...patching({ op: 'add', path: '/data', value: {} }), patchType: 'X' }),
      /unsupported patch type "X"/
    ],
    [
      'an undecodable patch',
      () => ({ patchType: 'JSONPatch', patch: Buffer.from('{').toString('base64') }),
      /received undecodable patch in webhook response/
    ],
    ['a patch that does not apply', () => patching({ op: 'remove', path: '/none' }), /^Internal error occurred: /],
    [
      'a patch that changes the kind',
      () => patching({ op: 'replace', path: '/kind', value: 'Secret' }),
      /illegal base64 data at input byte 0/
    ],
    [
      'a patch to an unknown version',
      () => patching({ op: 'replace', path: '/apiVersion', value: 'v9' }),
      /no kind "ConfigMap" is registered for version "v9"/
    ],
    [
      'a patch that leaves no object',
      () => patching({ op: 'replace', path: '', value: [] }),
      /cannot unmarshal array|Internal error/
    ],
    ['a patch with a wrong type', () => patching({ op: 'add', path: '/data', value: 5 }), /cannot unmarshal number/]
  ] as const)
    it(`fail with ${what}`, async () => {
      await configure('mutating', 'w', webhook('w'))
      order = ['w']
      answers = { w: answer }
      const { status, body } = await create()
      assert.equal(status, 500)
      assert.match(body.message, message)
    })

  it('may remove kind and version, and may send an empty patch', async () => {
    await configure('mutating', 'w', webhook('w'))
    order = ['w', 'w2']
    answers = {
      w: () =>
        patching(
          { op: 'remove', path: '/kind' },
          { op: 'remove', path: '/apiVersion' },
          { op: 'add', path: '/data/a', value: 'b' }
        ),
      w2: () => patching()
    }
    const { kind, apiVersion, data } = (await create()).body
    assert.deepEqual([kind, apiVersion, data], ['ConfigMap', 'v1', { k: 'v', a: 'b' }])
    assert.deepEqual((await create()).body.data, { k: 'v' })
  })

  it('see no kind and version that an earlier one has removed, until all are asked again', async () => {
    await configure('mutating', 'w', webhook('a', { reinvocationPolicy: 'IfNeeded' }), webhook('b'), webhook('c'))
    order = ['a', 'b', 'c', 'a again']
    const seen: object[] = []
    const see = ({ object: { kind, apiVersion, data } }: any) => {
      seen.push({ kind, apiVersion, data })
      return {}
    }
    answers = {
      b: () => patching({ op: 'remove', path: '/kind' }, { op: 'replace', path: '/apiVersion', value: '' }),
      c: see,
      'a again': see
    }
    const { kind, apiVersion } = (await create()).body
    assert.deepEqual(seen, [
      { kind: undefined, apiVersion: undefined, data: { k: 'v' } },
      { kind: 'ConfigMap', apiVersion: 'v1', data: { k: 'v' } }
    ])
    assert.deepEqual([kind, apiVersion], ['ConfigMap', 'v1'])
  })

  it('that break the managed fields are warned of, and change them not', async () => {
    await configure('mutating', 'w', webhook('w'))
    order = ['w']
    const broken = [{ manager: 'm', operation: 'Nope', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }]
    answers = { w: () => patching({ op: 'add', path: '/metadata/managedFields', value: broken }) }
    const { status, body, warnings } = await create()
    assert.equal(status, 201)
    assert.match(warnings, /managedFields was in an invalid state after admission/)
    assert.notEqual(body.metadata.managedFields?.[0]?.operation, 'Nope')
  })

  it('see no reviews of users and permissions', async () => {
    const rules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }]
    await configure('mutating', 'm', webhook('m', { rules }))
    await configure('validating', 'v', webhook('v', { rules }))
    const access = { resourceAttributes: { verb: 'get', resource: 'pods' } }
    const inDefault = { resourceAttributes: { ...access.resourceAttributes, namespace: 'default' } }
    const reviews: [string, object][] = [
      ['authentication.k8s.io/v1/selfsubjectreviews', {}],
      ['authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x' } }],
      ['authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: access }],
      ['authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: 'default' } }],
      ['authorization.k8s.io/v1/subjectaccessreviews', { spec: { user: 'u', ...access } }],
      ['authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews', { spec: { user: 'u', ...inDefault } }]
    ]
    for (const [path, body] of reviews) {
      const answer = await send('POST', `/apis/${path}`, body)
      assert.equal(answer.status, 201, `${path}: ${answer.body.message}`)
    }
    assert.deepEqual(called, [])
    order = ['m', 'v']
    assert.equal((await create()).status, 201)
    assert.deepEqual(called, ['m', 'v'])
  })

  it('see the namespace of a new namespace', async () => {
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['namespaces', 'nodes'] }]
    await configure('validating', 'w', webhook('w', { rules }))
    order = ['namespace', 'node']
    const seen: unknown[] = []
    const note = ({ namespace, name }: any) => {
      seen.push([namespace, name])
      return {}
    }
    answers = { namespace: note, node: note }
    await send('POST', '/api/v1/namespaces?dryRun=All', { metadata: { name: 'new' } })
    await send('POST', '/api/v1/nodes?dryRun=All', { metadata: { name: 'n1' } })
    assert.deepEqual(seen, [
      ['new', 'new'],
      [undefined, 'n1']
    ])
  })
})
