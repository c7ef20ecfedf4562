/** Servers with ABAC policies and authorization webhooks, which are reached over TLS. */
import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import type { ServerOptions } from '../../server/options.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { startWebhook, type TestWebhook } from '../webhook-server.js'

type Status = { allowed?: boolean; denied?: boolean; reason?: string }

const admin = { name: 'admin', groups: ['system:masters'] }
const alice = { name: 'alice', groups: ['system:authenticated'] }
const maps = '/api/v1/namespaces/default/configmaps'
const rbac = { type: 'RBAC', name: 'rbac' }

let directory: string
let webhook: TestWebhook
/** Decides about the spec of a review. */
let decide: (spec: any) => Status
let servers: BinnacleServer[]

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-authorization-'))
  webhook = await startWebhook(({ apiVersion, kind, spec }) => ({ apiVersion, kind, status: decide(spec) }))
})
after(async () => {
  await webhook.close()
  rmSync(directory, { recursive: true })
})
beforeEach(() => {
  servers = []
  webhook.requests.length = 0
  decide = () => ({ allowed: true })
})
afterEach(() => Promise.all(servers.map(server => server.stop())))

let files = 0
const write = (content: unknown): string => {
  const path = join(directory, String(files++))
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const kubeconfig = (url = webhook.url) =>
  write({
    ...{ 'current-context': 'c', contexts: [{ name: 'c', context: { cluster: 'c' } }] },
    clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority-data': Buffer.from(webhook.ca).toString('base64') } }]
  })
const hook = (name: string, more: object = {}, url = webhook.url) => ({
  ...{ type: 'Webhook', name },
  webhook: {
    ...{
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      matchConditionSubjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion'
    },
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: kubeconfig(url) },
    ...more
  }
})
const configuration = (...authorizers: object[]) =>
  JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers })

async function serve(options: ServerOptions): Promise<BinnacleServer> {
  const server = createServer({ log: silentLogger, controllers: [], ...options })
  servers.push(server)
  await server.start()
  return server
}
const configured = (...authorizers: object[]) => serve({ authorizationConfig: write(configuration(...authorizers)) })

describe('the mode ABAC', () => {
  it('allows what a policy says, and lists the rules', async () => {
    const spec = { user: 'alice', namespace: 'default', resource: 'configmaps', readonly: true }
    const reviews = { user: 'alice', namespace: '*', resource: '*', apiGroup: 'authorization.k8s.io' }
    const lines = [spec, reviews].map(spec =>
      JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec })
    )
    const server = await serve({ authorizationMode: ['ABAC'], authorizationPolicyFile: write(lines.join('\n')) })
    assert.equal((await server.inject({ url: maps, user: alice })).status, 200)
    const refused = await server.inject({ url: '/api/v1/namespaces/kube-system/configmaps', user: alice })
    assert.equal(refused.status, 403)
    assert.match(refused.json().message, /in the namespace "kube-system": abac: No policy matched\.$/)
    const url = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'
    const { status } = (await server.inject({ url, user: alice, body: { spec: { namespace: 'default' } } })).json()
    assert.deepEqual(status, {
      resourceRules: [
        { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps'] },
        { verbs: ['*'], apiGroups: ['authorization.k8s.io'], resources: ['*'] }
      ],
      nonResourceRules: [],
      incomplete: false
    })
  })

  it('does not start without its file, or with a bad one', async () => {
    await assert.rejects(serve({ authorizationMode: ['ABAC'], authorizationPolicyFile: '/nowhere/x' }), {
      name: 'UserError',
      message: 'invalid authorization config: open /nowhere/x: no such file or directory'
    })
    await assert.rejects(serve({ authorizationMode: ['ABAC'], authorizationPolicyFile: write('{"user":7}') }), {
      message: /^invalid authorization config: error reading policy file .*, line 1: /
    })
  })
})

describe('the mode Webhook', () => {
  it('asks the webhook, but not for administrators', async () => {
    const server = await serve({ authorizationMode: ['Webhook'], authorizationWebhookConfigFile: kubeconfig() })
    const headers = { accept: 'application/json' }
    assert.equal((await server.inject({ url: maps, user: admin })).status, 200)
    assert.equal(webhook.requests.length, 0)
    const labels = 'labelSelector=b%20in%20(y,x),a!%3D1,c%3E5&fieldSelector=metadata.name%3Do'
    assert.equal((await server.inject({ url: `${maps}?${labels}`, user: alice, headers })).status, 200)
    assert.deepEqual(webhook.requests[0], {
      ...{ kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v1beta1', metadata: {}, status: { allowed: false } },
      spec: {
        resourceAttributes: {
          ...{ namespace: 'default', verb: 'list', version: 'v1', resource: 'configmaps', name: 'o' },
          fieldSelector: { requirements: [{ key: 'metadata.name', operator: 'In', values: ['o'] }] },
          labelSelector: {
            requirements: [
              { key: 'a', operator: 'NotIn', values: ['1'] },
              { key: 'b', operator: 'In', values: ['x', 'y'] }
            ]
          }
        },
        user: 'alice',
        group: ['system:authenticated']
      }
    })
  })

  it('shows reasons to clients, and answers with 500 when nobody could decide', async () => {
    const server = await configured(hook('w'), rbac)
    decide = () => ({ denied: true, reason: 'not <today>' })
    const denied = await server.inject({ url: maps, user: alice })
    assert.equal(denied.status, 403)
    assert.match(denied.json().message, /^configmaps is forbidden: User "alice" cannot list .*: not <today>$/)
    const down = await configured(hook('w', {}, 'https://127.0.0.1:9'), rbac)
    const { status, body, headers } = await down.inject({ url: `${maps}/a<b>`, user: alice })
    assert.equal(status, 500)
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.match(
      body.toString(),
      /^Internal Server Error: "\/api\/v1\/.*": Post "https:\/\/127\.0\.0\.1:9\/\?timeout=3s": dial tcp 127\.0\.0\.1:9: connect: connection refused\n$/
    )
  })

  it('answers access reviews', async () => {
    const server = await configured(hook('w'), hook('down', {}, 'https://127.0.0.1:9'))
    const ask = async (name: string) => {
      const resourceAttributes = { verb: 'get', resource: 'pods', name }
      const url = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
      const spec = { user: 'bob', extra: { Team: ['Red'] }, resourceAttributes }
      return (await server.inject({ url, user: admin, body: { spec } })).json().status
    }
    decide = ({ resourceAttributes: { name } }) => ({ [name]: true, reason: name })
    assert.deepEqual(await ask('allowed'), { allowed: true, reason: 'allowed' })
    assert.deepEqual(await ask('denied'), { allowed: false, denied: true, reason: 'denied' })
    const unknown = await ask('other')
    assert.deepEqual([unknown.allowed, unknown.denied, unknown.reason], [false, undefined, 'w: other'])
    assert.match(unknown.evaluationError, /^Post .*: connect: connection refused$/)
    assert.deepEqual(webhook.requests[0].spec.extra, { Team: ['Red'] })
  })

  it('says that its rules are unknown', async () => {
    const server = await configured(hook('w'), rbac)
    const url = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'
    const { status } = (await server.inject({ url, user: alice, body: { spec: { namespace: 'default' } } })).json()
    assert.equal(status.incomplete, true)
    assert.equal(status.evaluationError, 'webhook authorizer does not support user rule resolution')
  })
})

describe('a configuration file', () => {
  const reasonOf = async (server: BinnacleServer, url = maps) => {
    const { status, body } = await server.inject({ url, user: alice })
    return `${status} ${status === 200 ? '' : (/: ([^:]*)$/.exec(JSON.parse(body.toString()).message)?.[1] ?? '')}`.trim()
  }
  const conditions = (...expressions: string[]) => ({ matchConditions: expressions.map(expression => ({ expression })) })

  it('has its authorizers asked in their order, until one decides', async () => {
    const other = await startWebhook(({ apiVersion, kind }) => ({ apiVersion, kind, status: { reason: 'other' } }))
    try {
      decide = () => ({ denied: true, reason: 'w' })
      const first = hook('first', {}, other.url)
      first.webhook.connectionInfo.kubeConfigFile = write({
        ...{ 'current-context': 'c', contexts: [{ name: 'c', context: { cluster: 'c' } }] },
        clusters: [{ name: 'c', cluster: { server: other.url, 'insecure-skip-tls-verify': true } }]
      })
      assert.equal(await reasonOf(await configured(first, hook('w'), { type: 'AlwaysAllow', name: 'alwaysallow' })), '403 w')
      assert.equal(other.requests.length, 1)
      assert.equal(await reasonOf(await configured({ type: 'AlwaysAllow', name: 'alwaysallow' }, hook('w'))), '200')
      assert.equal(webhook.requests.length, 1)
    } finally {
      await other.close()
    }
  })

  it('decides by failurePolicy about a webhook that is down', async () => {
    const down = (failurePolicy: string) => hook('down', { failurePolicy }, 'https://127.0.0.1:9')
    assert.equal(await reasonOf(await configured(down('NoOpinion'), hook('w'))), '200')
    const { status } = await (await configured(down('Deny'), hook('w'))).inject({ url: maps, user: alice })
    assert.equal(status, 500)
  })

  it('asks webhooks only about requests that match', async () => {
    decide = () => ({ denied: true, reason: 'w' })
    const server = await configured(hook('w', conditions("request.resourceAttributes.resource == 'configmaps'")), {
      type: 'AlwaysAllow',
      name: 'alwaysallow'
    })
    assert.equal(await reasonOf(server), '403 w')
    assert.equal(await reasonOf(server, '/api/v1/namespaces/default/secrets'), '200')
    assert.equal(webhook.requests.length, 1)
  })

  it('counts what its authorizers do', async () => {
    decide = ({ resourceAttributes: { resource } }) => ({ allowed: resource === 'configmaps', denied: resource === 'secrets' })
    const server = await configured(hook('w', conditions("request.user != 'bob'")), hook('down', {}, 'https://127.0.0.1:9'), rbac)
    for (const resource of ['configmaps', 'secrets', 'pods'])
      await server.inject({ url: `/api/v1/namespaces/default/${resource}`, user: alice })
    await server.inject({ url: '/version', user: { ...alice, name: 'bob' } })
    const text = (await server.inject({ url: '/metrics', user: admin })).body.toString()
    for (const line of [
      'apiserver_authorization_decisions_total{decision="allowed",name="w",type="Webhook"} 1',
      'apiserver_authorization_decisions_total{decision="denied",name="w",type="Webhook"} 1',
      'apiserver_authorization_webhook_evaluations_total{name="w",result="success"} 3',
      'apiserver_authorization_webhook_duration_seconds_count{name="w",result="success"} 3',
      'apiserver_authorization_webhook_evaluations_total{name="down",result="error"} 2',
      'apiserver_authorization_webhook_evaluations_fail_open_total{name="down",result="error"} 2',
      'apiserver_authorization_match_condition_exclusions_total{name="w",type="Webhook"} 1',
      'apiserver_authorization_match_condition_evaluation_seconds_count{name="w",type="Webhook"} 4'
    ])
      assert.ok(text.includes(`\n${line}\n`), `${line}\n${text.match(/^apiserver_authorization.*$/gm)?.join('\n')}`)
  })

  it('may change while the server runs, and a bad one changes nothing', async t => {
    const path = write(configuration(hook('w'), rbac))
    const lines: string[] = []
    let wake = () => {}
    const log = (line: string) => {
      lines.push(line)
      wake()
    }
    const server = await serve({ authorizationConfig: path, log: { error: log, warn: log, info: log } })
    const alive = setInterval(() => {}, 1000)
    t.after(() => clearInterval(alive))
    const change = async (text: string, wanted: RegExp) => {
      const next = write(text)
      renameSync(next, path)
      while (!lines.some(line => wanted.test(line))) await new Promise<void>(resolve => (wake = resolve))
      lines.length = 0
    }
    decide = () => ({ denied: true, reason: 'w' })
    assert.equal(await reasonOf(server), '403 w')
    await change('nonsense', /reloading authorization config: failed to load AuthorizationConfiguration from file: /)
    await change(configuration({ type: 'AlwaysAllow', name: 'alwaysallow' }), /missing required types: \[RBAC\]/)
    await change(
      configuration({ type: 'Node', name: 'node' }, rbac),
      /authorizer type Node is not allowed if it was not enabled at initial server startup/
    )
    assert.equal(await reasonOf(server), '403 w')
    const good = configuration({ type: 'AlwaysAllow', name: 'alwaysallow' }, rbac)
    await change(good, /reloaded the authorization configuration/)
    assert.equal(await reasonOf(server), '200')
    const text = (await server.inject({ url: '/metrics', user: admin })).body.toString()
    const name = 'apiserver_authorization_config_controller'
    assert.match(
      text,
      new RegExp(`^${name}_automatic_reloads_total\\{apiserver_id_hash="sha256:[0-9a-f]{64}",status="failure"\\} 3$`, 'm')
    )
    assert.match(text, new RegExp(`^${name}_automatic_reloads_total\\{.*,status="success"\\} 1$`, 'm'))
    assert.match(text, new RegExp(`^${name}_automatic_reload_last_timestamp_seconds\\{.*,status="success"\\} \\d+`, 'm'))
    assert.match(text, new RegExp(`^${name}_last_config_info\\{apiserver_id_hash="sha256:.*",hash="sha256:.*"\\} 1$`, 'm'))
  })
})

describe('whoever asks for a permission waits for webhooks', () => {
  const of = { apiVersion: 'admissionregistration.k8s.io/v1' }
  const asks = "authorizer.group('').resource('secrets').namespace('default').name(object.metadata.name).check('use')"
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]

  /** Allows everything but the use of what is named `secret`. */
  const onlyOpen = ({ resourceAttributes: { verb = '', name = '' } = {} }: any): Status =>
    verb === 'use' ? { allowed: name === 'open', reason: `about ${name}` } : { allowed: true }

  it('in the expressions of validating policies', async () => {
    const server = await configured(hook('w'))
    decide = onlyOpen
    const create = (resource: string, object: object) =>
      server.inject({ url: `/apis/${of.apiVersion}/${resource}`, user: admin, body: object })
    const validations = [{ expression: `${asks}.allowed()`, messageExpression: "'no ' + object.metadata.name" }]
    const matchConditions = [{ name: 'known', expression: `${asks}.reason() != 'w: about skipped'` }]
    await create('validatingadmissionpolicies', {
      metadata: { name: 'p' },
      spec: { matchConstraints: { resourceRules }, matchConditions, validations }
    })
    await create('validatingadmissionpolicybindings', {
      metadata: { name: 'p' },
      spec: { policyName: 'p', validationActions: ['Deny'] }
    })
    const make = (name: string) => server.inject({ url: maps, user: alice, body: { metadata: { name } } })
    assert.equal((await make('open')).status, 201)
    assert.match((await make('secret')).json().message, /denied request: no secret$/)
    assert.equal((await make('skipped')).status, 201)
    const uses = webhook.requests.filter(({ spec }) => spec.resourceAttributes?.verb === 'use')
    assert.equal(uses.length, 3, 'each question once')
    assert.deepEqual(uses[0].spec.resourceAttributes, {
      ...{ namespace: 'default', verb: 'use', version: '*', resource: 'secrets', name: 'open' }
    })
  })

  it('in the expressions of mutating policies', async () => {
    const server = await configured(hook('w'))
    decide = onlyOpen
    const create = (resource: string, object: object) =>
      server.inject({ url: `/apis/${of.apiVersion}/${resource}`, user: admin, body: object })
    const expression = `Object{data: {"open": string(${asks}.allowed())}}`
    const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }]
    const spec = { matchConstraints: { resourceRules }, mutations, reinvocationPolicy: 'Never' }
    const made = await create('mutatingadmissionpolicies', { metadata: { name: 'p' }, spec })
    assert.equal(made.status, 201, made.body.toString())
    await create('mutatingadmissionpolicybindings', { metadata: { name: 'p' }, spec: { policyName: 'p' } })
    const make = async (name: string) =>
      (await server.inject({ url: maps, user: alice, body: { metadata: { name } } })).json().data
    assert.deepEqual(await make('open'), { open: 'true' })
    assert.deepEqual(await make('secret'), { open: 'false' })
  })

  it('for impersonation, escalation, and creation by update', async () => {
    const server = await configured(hook('w'))
    const asked = () => webhook.requests.splice(0).map(({ spec: { resourceAttributes: a = {} } }) => `${a.verb} ${a.resource}`)
    assert.equal((await server.inject({ url: maps, user: alice, headers: { 'impersonate-user': 'bob' } })).status, 200)
    assert.deepEqual(asked(), ['impersonate-on:user-info:list configmaps', 'impersonate:user-info users', 'list configmaps'])
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    assert.equal((await server.inject({ url: roles, user: alice, body: { metadata: { name: 'r' }, rules } })).status, 201)
    assert.deepEqual(asked(), ['create clusterroles', 'escalate clusterroles'])
    const metadata = { name: 'fresh' }
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    const put = { method: 'PUT', url: `${leases}/fresh`, user: alice, body: { metadata } }
    decide = ({ resourceAttributes: { verb } }) => ({ allowed: verb === 'update', denied: verb === 'create', reason: 'w' })
    const refused = await server.inject(put)
    assert.equal(refused.status, 403)
    assert.match(refused.json().message, /cannot create resource "leases" .*: w$/)
    assert.deepEqual(asked(), ['update leases', 'create leases'])
  })
})
