/** Faults of the webhooks that a server asks beside those of admission: rules know each by its name. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { startWebhook, type TestWebhook } from '../../testkit/webhook-server.js'
import { silentLogger } from '../../util/logger.js'
import { nextTurn } from '../../util/turns.js'
import type { Fault, FaultRule } from './rule.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const clock = new FakeClock()
let folder: string
let webhook: TestWebhook
let server: BinnacleServer

/** Says yes to every question, by its kind. */
function answer({ kind, apiVersion, spec, request }: any): unknown {
  const say = (status: object) => ({ kind, apiVersion, status })
  if (kind === 'TokenReview') return say({ authenticated: true, user: { username: spec.token } })
  if (kind === 'SubjectAccessReview' || kind === 'ImageReview') return say({ allowed: true })
  if (kind !== 'ConversionReview') return {}
  const { uid, objects, desiredAPIVersion } = request
  const convertedObjects = objects.map((object: object) => ({ ...object, apiVersion: desiredAPIVersion }))
  return { kind, apiVersion, response: { uid, result: { status: 'Success' }, convertedObjects } }
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'binnacle-faults-'))
  webhook = await startWebhook(answer)
  const write = (name: string, content: object) => {
    const path = join(folder, name)
    writeFileSync(path, JSON.stringify(content))
    return path
  }
  const kubeConfigFile = write('kubeconfig', {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c' } }],
    clusters: [{ name: 'c', cluster: { server: webhook.url, 'certificate-authority-data': webhook.caBundle } }]
  })
  const imagePolicy = { kubeConfigFile, allowTTL: 1, denyTTL: 1, retryBackoff: 1, defaultAllow: false }
  server = createServer({
    log: silentLogger,
    clock,
    controllers: [],
    authenticationTokenWebhookConfigFile: kubeConfigFile,
    authenticationTokenWebhookVersion: 'v1',
    authenticationTokenWebhookCacheTTL: 0,
    authorizationMode: ['Webhook'],
    authorizationWebhookConfigFile: kubeConfigFile,
    authorizationWebhookVersion: 'v1',
    authorizationWebhookCacheAuthorizedTTL: 0,
    auditWebhookConfigFile: kubeConfigFile,
    auditWebhookMode: 'blocking',
    auditPolicy: { rules: [{ level: 'Metadata', users: ['auditee'] }, { level: 'None' }], omitStages: ['RequestReceived'] },
    enableAdmissionPlugins: ['ImagePolicyWebhook'],
    disableAdmissionPlugins: ['ServiceAccount'],
    admissionControlConfigFile: write('admission', {
      kind: 'AdmissionConfiguration',
      apiVersion: 'apiserver.config.k8s.io/v1',
      plugins: [{ name: 'ImagePolicyWebhook', configuration: { imagePolicy } }]
    })
  })
  await server.start()
})
after(async () => {
  await server.stop()
  await webhook.close()
  rmSync(folder, { recursive: true })
})
afterEach(() => server.faults.clear())

const add = (name: string, error: FaultRule['error'], more: FaultRule = {}) =>
  server.faults.add({ webhook: name, error, times: 1, ...more })
const asked = (kind: string) => webhook.requests.filter(request => request.kind === kind).length
const actions = ({ hits }: Fault) => hits.map(({ action }) => action)

async function ask(url: string, more: object = {}) {
  const { status, body } = await server.inject({ url, user: admin, ...more })
  const text = body.toString()
  return { status, text, message: text.startsWith('{') ? JSON.parse(text).message : text }
}

/** Resolves with the answer, of which a part is due later by the server's clock. */
async function later<T>(answer: Promise<T>, fault: Fault, milliseconds: number): Promise<T> {
  while (fault.count === 0) await nextTurn()
  await clock.pass(milliseconds)
  return answer
}

describe('a fault of a webhook', () => {
  test('of authentication leaves the token unknown', async () => {
    const signIn = () => ask('/api', { user: undefined, headers: { authorization: 'Bearer someone' } })
    assert.equal((await signIn()).status, 200)
    const before = asked('TokenReview')
    const refused = add('authentication', 'refused')
    assert.equal((await signIn()).status, 401)
    assert.deepEqual(actions(refused), ['webhook authentication refused'])
    const late = add('authentication', 'timeout')
    assert.equal((await later(signIn(), late, 30_000)).status, 401)
    assert.equal(asked('TokenReview'), before)
    assert.equal((await signIn()).status, 200)
  })

  test('of authorization leaves the request undecided, and only that of the authorizer that the rule names', async () => {
    const user = { name: 'someone', groups: [] }
    const look = () => ask('/api/v1/namespaces', { user })
    assert.equal((await look()).status, 200)
    const before = asked('SubjectAccessReview')
    const other = add('authentication', 'refused')
    const refused = add('default', 'refused')
    const { status, message } = await look()
    assert.deepEqual([status, actions(refused), actions(other)], [500, ['webhook default refused'], []])
    assert.match(message, /^Internal Server Error: "\/api\/v1\/namespaces": Post .*: connect: connection refused\n?$/)
    const late = add('default', 'timeout')
    assert.equal((await later(look(), late, 30_000)).status, 500)
    assert.equal(asked('SubjectAccessReview'), before)
    // a 503 is not asked again, a 500 is
    add('default', 503)
    assert.equal((await look()).status, 500)
    const transient = add('default', 500)
    assert.equal((await later(look(), transient, 1000)).status, 200)
  })

  test('of image policy decides by its default', async () => {
    const url = '/api/v1/namespaces/default/pods?dryRun=All'
    const body = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    assert.equal((await ask(url, { body })).status, 201)
    // the answer is remembered for a second
    await clock.pass(1000)
    const fault = add('image-policy', 'refused')
    const { status, message } = await ask(url, { body })
    assert.equal(status, 403)
    assert.match(message, /^pods "p" is forbidden: Post "https:\S+": dial tcp 127\.0\.0\.1:\d+: connect: connection refused\n?$/)
    assert.deepEqual(actions(fault), ['webhook image-policy refused'])
    assert.equal((await ask(url, { body })).status, 201)
  })

  test('of audit has the events sent again later', async () => {
    const before = asked('EventList')
    const fault = add('audit', 'refused')
    const answer = await later(ask('/api', { user: { ...admin, name: 'auditee' } }), fault, 60_000)
    assert.equal(answer.status, 200)
    assert.deepEqual(actions(fault), ['webhook audit refused'])
    assert.equal(asked('EventList'), before + 1)
  })

  test('of conversion fails the requests in other versions than the stored one', async () => {
    const name = 'boats.example.com'
    const schema = { openAPIV3Schema: { type: 'object' } }
    const clientConfig = { url: webhook.url, caBundle: webhook.caBundle }
    await server.apply({
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      metadata: { name },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'boats', kind: 'Boat' },
        versions: ['v1', 'v2'].map(name => ({ name, served: true, storage: name === 'v1', schema })),
        conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } }
      }
    })
    const create = () =>
      ask('/apis/example.com/v2/boats', { body: { kind: 'Boat', apiVersion: 'example.com/v2', metadata: { generateName: 'b' } } })
    add('ships.example.com', 'refused')
    assert.equal((await create()).status, 201)
    const refused = add(name, 'refused')
    const { status, message } = await create()
    assert.equal(status, 500)
    assert.match(
      message,
      /conversion webhook for example\.com\/v\d, Kind=Boat failed: Post "https:.*: connect: connection refused$/
    )
    assert.deepEqual(actions(refused), [`webhook ${name} refused`])
    const late = add(name, 'timeout')
    assert.match((await later(create(), late, 30_000)).message, /context deadline exceeded$/)
    assert.equal((await create()).status, 201)
  })
})
