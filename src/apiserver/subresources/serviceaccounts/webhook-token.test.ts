import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createServer } from '../../../index.js'
import { send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

const group = 'admissionregistration.k8s.io/v1'
const url = 'https://hook.example.com/x'
const started = async (on: boolean) => {
  const server = createServer({
    log: silentLogger,
    authorizationMode: ['RBAC'],
    featureGates: { APIServerWebhookAuthenticationToken: on }
  })
  await server.start()
  after(() => server.stop())
  await send(server, 'POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'bot' } })
  const rules = (...apiGroups: string[]) => [{ apiGroups, apiVersions: ['*'], operations: ['CREATE'], resources: ['things'] }]
  const common = { sideEffects: 'None', admissionReviewVersions: ['v1'] }
  const webhooks = [
    { ...common, name: 'a.example.com', rules: rules('a.example.com'), clientConfig: { url } },
    {
      ...common,
      name: 'b.example.com',
      rules: rules('b.example.com'),
      clientConfig: { service: { name: 's', namespace: 'n', path: '/p' } }
    }
  ]
  for (const kind of ['validating', 'mutating'])
    await send(server, 'POST', `/apis/${group}/${kind}webhookconfigurations`, { metadata: { name: 'hooks' }, webhooks })
  const resourceNames = ['a.example.com', 'b.example.com', '*']
  const rule = { apiGroups: ['authentication.k8s.io'], resources: ['admissionReviewAPIGroups'], verbs: ['attest'], resourceNames }
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  await send(server, 'POST', `${rbac}/clusterroles`, { metadata: { name: 'attest' }, rules: [rule] })
  await send(server, 'POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: 'attest' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'attest' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'bot' }]
  })
  return server
}
type Server = Awaited<ReturnType<typeof started>>

const request = (spec: object, server: Server) =>
  send(server, 'POST', '/api/v1/namespaces/default/serviceaccounts/bot/token', { spec })
const wanted = (attested: unknown, { audiences = [url], kind = 'ValidatingWebhookConfiguration', ...ref }: any = {}) => ({
  audiences,
  boundObjectRef: { apiVersion: group, kind, name: 'hooks', ...ref },
  attestations: { admissionReviewAPIGroups: attested }
})
const review = async (token: string, audience: string, server: Server) =>
  (await send(server, 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token, audiences: [audience] } })).body
    .status

const server = await started(true)

test('a token is bound to the configuration of the webhook for which it is', async () => {
  for (const kind of ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']) {
    const { status, body } = await request({ ...wanted(['a.example.com'], { kind }), expirationSeconds: 9000 }, server)
    assert.equal(status, 201)
    assert.deepEqual(body.spec.attestations, { admissionReviewAPIGroups: ['a.example.com'] })
    assert.equal(body.spec.expirationSeconds, 600)
    const { user } = await review(body.status.token, url, server)
    const prefix = `authentication.kubernetes.io/${kind.toLowerCase()}`
    const { uid } = (await send(server, 'GET', `/apis/${group}/${kind.toLowerCase()}s/hooks`)).body.metadata
    assert.deepEqual(user.extra['attestation.authentication.kubernetes.io/admissionReviewAPIGroups'], ['a.example.com'])
    assert.deepEqual([user.extra[`${prefix}-name`], user.extra[`${prefix}-uid`]], [['hooks'], [uid]])
  }
})

test('the audience and the API group belong to the same webhook', async () => {
  const service = 'https://s.n.svc:443/p'
  assert.equal((await request(wanted(['b.example.com'], { audiences: [service] }), server)).status, 201)
  assert.equal((await request(wanted(['*'], { audiences: ['anything'] }), server)).status, 201)
  for (const spec of [
    wanted(['a.example.com'], { audiences: [service] }),
    wanted(['b.example.com']),
    wanted(['a.example.com'], { name: 'gone' })
  ]) {
    const { status, body } = await request(spec, server)
    assert.deepEqual([status, body.message], [403, 'serviceaccounts/token "bot" is forbidden: token request denied'])
  }
  const mine = await request(wanted(['a.example.com'], { audiences: undefined }), server)
  assert.equal(mine.status, 201)
  const own = await request({ ...wanted(['a.example.com']), audiences: [] }, server)
  assert.deepEqual([own.status, own.body.message], [400, 'api server audiences are invalid for webhook token requests'])
})

test('the account must be permitted to attest', async () => {
  const { status, body } = await request(wanted(['c.example.com']), server)
  assert.equal(status, 403)
  assert.match(
    body.message,
    /^admissionReviewAPIGroups\.authentication\.k8s\.io "c\.example\.com" is forbidden: User "system:serviceaccount:default:bot" cannot attest resource "admissionReviewAPIGroups" in API group "authentication\.k8s\.io" at the cluster scope/
  )
})

test('attestations are validated', async () => {
  const problem = async (spec: object) => (await request(spec, server)).body.message.replace(/^.* is invalid: /, '')
  const at = 'spec.attestations[admissionReviewAPIGroups]'
  for (const [spec, message] of [
    [
      { attestations: { a: ['b'] }, expirationSeconds: 1 },
      'spec.attestations: Invalid value: {"a":["b"]}: attestations may only be specified with a webhook bound object reference'
    ],
    [
      { ...wanted([]), attestations: undefined },
      'spec.attestations: Invalid value: null: webhook bound requests require exactly one admissionReviewAPIGroups attestation'
    ],
    [wanted(['a', 'b']), `${at}: Invalid value: ["a","b"]: must specify a single value`],
    [wanted(['']), `${at}[0]: Invalid value: "": may not be an empty string`],
    [
      { ...wanted([]), attestations: { a: ['b'] } },
      'spec.attestations[a]: Unsupported value: "a": supported values: "admissionReviewAPIGroups"'
    ],
    [
      wanted(['a'], { audiences: ['a', 'b'] }),
      'spec.audiences: Invalid value: ["a","b"]: must be length 1 when bound to a webhook config'
    ]
  ] as const)
    assert.equal(await problem(spec), message)
  assert.match(await problem(wanted(['A_'])), /must specify a valid API Group: a lowercase RFC 1123 subdomain/)
})

test('a token ends with its configuration', async () => {
  const { body } = await request(wanted(['a.example.com'], { kind: 'MutatingWebhookConfiguration' }), server)
  await send(server, 'DELETE', `/apis/${group}/mutatingwebhookconfigurations/hooks`)
  const status = await review(body.status.token, url, server)
  assert.match(status.error, /service account token has been invalidated/)
})

test('without the gate no token is bound to webhooks', async () => {
  const { status, body } = await request(wanted(['a.example.com']), await started(false))
  assert.deepEqual(
    [status, body.message],
    [
      400,
      `cannot bind token to object of type ${group}, Kind=ValidatingWebhookConfiguration (feature gate APIServerWebhookAuthenticationToken is disabled)`
    ]
  )
})
