import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { aboutResource } from '../../apimachinery/request/authorization.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { startWebhook, type TestWebhook } from '../../testkit/webhook-server.js'
import { systemRandomness } from '../../util/randomness.js'
import { type LoadedAuthorization, loadAuthorization } from './loaded.js'
import type { DecisionCounts } from './metrics.js'
import { ServerAuthorizer } from './server-authorizer.js'

let directory: string
let webhook: TestWebhook
let status: object
let lines: string[]
let reloads: string[]
let counts: Map<string, DecisionCounts>
let running: ServerAuthorizer[]
const clock = new FakeClock()
const note = (line: string) => void lines.push(line)
const log = { error: note, warn: note, info: note }
const at = (name: string) => join(directory, name)

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-authorizer-'))
  webhook = await startWebhook(({ apiVersion, kind }) => ({ apiVersion, kind, status }))
  const cluster = { server: webhook.url, 'certificate-authority-data': webhook.caBundle }
  const parts = { clusters: [{ name: 'c', cluster }], contexts: [{ name: 'c', context: { cluster: 'c' } }] }
  writeFileSync(at('kubeconfig'), JSON.stringify({ ...parts, 'current-context': 'c' }))
})
after(async () => {
  await webhook.close()
  rmSync(directory, { recursive: true })
})
beforeEach(() => {
  webhook.requests.length = 0
  status = { allowed: true }
  lines = []
  reloads = []
  running = []
  counts = new Map()
})
afterEach(async () => {
  for (const authorizer of running) await authorizer.stop()
})

const hook = (name: string, more: object = {}) => ({
  type: 'Webhook',
  name,
  webhook: {
    timeout: '3s',
    subjectAccessReviewVersion: 'v1',
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: at('kubeconfig') },
    ...more
  }
})
const plain = (type: string) => ({ type, name: type.toLowerCase() })
const text = (...authorizers: object[]) =>
  JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers })

const of = (loaded: LoadedAuthorization): ServerAuthorizer => {
  const authorizer = new ServerAuthorizer({
    features: new FeatureGates(),
    loaded,
    rbac: undefined as never,
    registry: undefined as never,
    others: [],
    clock,
    random: systemRandomness,
    log,
    metrics: {
      decisions(type, name) {
        const count = { allowed: 0, denied: 0 }
        counts.set(`${type} ${name}`, count)
        return count
      },
      webhookCalled() {},
      failedOpen() {},
      conditionsEvaluated() {}
    },
    reloads: {
      started: given => void reloads.push(`started ${given.length}`),
      succeeded: given => void reloads.push(`succeeded ${given.length}`),
      failed: () => void reloads.push('failed')
    }
  })
  running.push(authorizer)
  return authorizer
}
let files = 0
const configured = async (...authorizers: object[]) => {
  const path = at(`config-${files++}`)
  writeFileSync(path, text(...authorizers))
  return { path, authorizer: of(await loadAuthorization({ authorizationConfig: path }, log)) }
}

const ask = (authorizer: ServerAuthorizer, name = 'x') =>
  authorizer.authorize(
    aboutResource({ user: { name: 'u', groups: [] }, verb: 'get', group: '', resource: 'pods', namespace: 'n', name })
  )
const allows = async (authorizer: ServerAuthorizer, name?: string) => (await ask(authorizer, name)).allowed

describe('the authorizers of a server', () => {
  it('are asked in the order of the configuration, and counted', async () => {
    status = { denied: true, reason: 'no' }
    const { authorizer } = await configured(hook('first'), plain('AlwaysAllow'))
    assert.deepEqual(await ask(authorizer), { allowed: false, denied: true, reason: 'no' })
    status = {}
    assert.equal(await allows(authorizer, 'y'), true)
    assert.deepEqual(Object.fromEntries(counts), {
      'Webhook first': { allowed: 0, denied: 1 },
      'AlwaysAllow alwaysallow': { allowed: 1, denied: 0 }
    })
    const other = await configured(plain('AlwaysAllow'), hook('never'))
    assert.equal(await allows(other.authorizer), true)
    assert.equal(webhook.requests.length, 2)
    const refusing = await configured(plain('AlwaysDeny'))
    assert.equal(await allows(refusing.authorizer), false)
    const masters = { name: 'm', groups: ['system:masters'] }
    const all = aboutResource({ user: masters, verb: 'delete', group: '', resource: 'pods' })
    assert.equal((await refusing.authorizer.authorize(all)).allowed, true)
  })

  it('may be ABAC', async () => {
    const spec = { user: 'u', namespace: '*', resource: 'pods' }
    writeFileSync(
      at('policies'),
      JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec })
    )
    const options = { authorizationMode: ['ABAC'], authorizationPolicyFile: at('policies') } as const
    const authorizer = of(await loadAuthorization(options, log))
    authorizer.start()
    assert.equal(await allows(authorizer), true)
    assert.deepEqual(authorizer.rulesFor({ name: 'u', groups: [] }, 'n').resourceRules.length, 1)
    assert.deepEqual(reloads, [])
  })

  for (const [cached, answer, asked] of [
    [{}, true, 1],
    [{}, false, 1],
    [{ cacheAuthorizedRequests: false }, true, 2],
    [{ cacheAuthorizedRequests: false }, false, 1],
    [{ cacheUnauthorizedRequests: false }, true, 1],
    [{ cacheUnauthorizedRequests: false }, false, 2],
    [{ authorizedTTL: '1ms', unauthorizedTTL: '0s' }, true, 1]
  ] as const)
    it(`remember what a webhook said: ${answer}, ${JSON.stringify(cached)}`, async () => {
      status = { allowed: answer }
      const { authorizer } = await configured(hook('w', cached))
      for (let i = 0; i < 2; i++) assert.equal(await allows(authorizer), answer)
      assert.equal(webhook.requests.length, asked)
    })

  for (const [failurePolicy, allowed] of [
    ['NoOpinion', true],
    ['Deny', false]
  ] as const)
    it(`go on or refuse without an answer: ${failurePolicy}`, async () => {
      status = 'nonsense' as never
      const { authorizer } = await configured(hook('w', { failurePolicy }), plain('AlwaysAllow'))
      assert.equal(await allows(authorizer), allowed)
    })
})

describe('a configuration of authorizers that changes', () => {
  /** Ends when the change has been read: the follower looks once a minute, and a change is read in one go. */
  const change = async (path: string, content: string, until: () => boolean) => {
    writeFileSync(path, content)
    clock.advance(60_000)
    while (!until()) await new Promise(resolve => setImmediate(resolve))
  }

  it('replaces webhooks, and keeps the other types', async () => {
    const { path, authorizer } = await configured(plain('AlwaysDeny'))
    authorizer.start()
    assert.equal(reloads[0], `started ${text(plain('AlwaysDeny')).length}`)
    assert.equal(await allows(authorizer), false)
    const next = text(hook('w'), plain('AlwaysDeny'))
    await change(path, next, () => reloads.length > 1)
    assert.equal(reloads[1], `succeeded ${next.length}`)
    assert.deepEqual(lines, ['reloaded the authorization configuration'])
    assert.equal(await allows(authorizer), true)
    assert.equal(webhook.requests.length, 1)
  })

  it('is as before when it only looks different', async () => {
    const { path, authorizer } = await configured(plain('AlwaysDeny'))
    authorizer.start()
    writeFileSync(path, `${text(plain('AlwaysDeny'))}\n`)
    await change(path, text(plain('AlwaysDeny'), hook('w')), () => reloads.length > 1)
    assert.equal(reloads.length, 2)
    assert.match(reloads[1]!, /^succeeded/)
    await change(path, `${text(plain('AlwaysDeny'), hook('w'))} `, () => true)
    await authorizer.stop()
    assert.equal(reloads.length, 2)
  })

  for (const [what, content, message] of [
    ['is malformed', () => '{', /^reloading authorization config: failed to load AuthorizationConfiguration from file: /],
    [
      'lacks a type that was there',
      () => text(hook('w')),
      /^reloading authorization config: missing required types: \[AlwaysDeny\]$/
    ],
    [
      'has a type that was not there',
      () => text(plain('AlwaysDeny'), plain('ABAC')),
      /^reloading authorization config: authorizer type ABAC is not allowed if it was not enabled at initial server startup$/
    ],
    [
      'has an unreadable kubeconfig',
      () => text(plain('AlwaysDeny'), hook('w', { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: at('broken') } })),
      /^reloading authorization config: /
    ]
  ] as const)
    it(`is refused when it ${what}`, async () => {
      writeFileSync(at('broken'), '{"clusters":')
      const { path, authorizer } = await configured(plain('AlwaysDeny'))
      authorizer.start()
      await change(path, content(), () => reloads.length > 1)
      assert.equal(reloads[1], 'failed')
      assert.match(lines[0]!, message)
      assert.equal(await allows(authorizer), false)
    })

  it('may ask for types that need nothing from the start', async () => {
    const { path, authorizer } = await configured(plain('AlwaysDeny'))
    authorizer.start()
    await change(path, text(plain('AlwaysAllow'), plain('AlwaysDeny')), () => reloads.length > 1)
    assert.match(reloads[1]!, /^succeeded/)
    assert.equal(await allows(authorizer), true)
  })
})
