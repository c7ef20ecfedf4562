/** The answers of plugins that a file configures, as kube-apiserver 1.36.2 gives them. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from '../../index.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const api = { config: 'apiserver.config.k8s.io/v1' }
const plugins = [
  {
    name: 'PodSecurity',
    configuration: {
      apiVersion: 'pod-security.admission.config.k8s.io/v1',
      kind: 'PodSecurityConfiguration',
      defaults: { enforce: 'baseline', 'enforce-version': 'v1.30' },
      exemptions: { usernames: ['bob'], namespaces: ['exempt'] }
    }
  },
  {
    name: 'ResourceQuota',
    configuration: {
      apiVersion: api.config,
      kind: 'ResourceQuotaConfiguration',
      limitedResources: [
        { resource: 'pods', matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] }] },
        { resource: 'services', matchContains: ['services.nodeports'] }
      ]
    }
  },
  {
    name: 'EventRateLimit',
    configuration: {
      apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      limits: [{ type: 'SourceAndObject', qps: 1, burst: 2 }]
    }
  },
  {
    name: 'PodNodeSelector',
    configuration: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'zone=a', listed: 'zone=a,disk=ssd' } }
  },
  {
    name: 'PodTolerationRestriction',
    configuration: {
      apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      default: [{ key: 'def', operator: 'Exists' }]
    }
  }
]

test('plugins do what their configuration says', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-plugins-'))
  const admissionControlConfigFile = join(directory, 'admission.yaml')
  writeFileSync(admissionControlConfigFile, JSON.stringify({ apiVersion: api.config, kind: 'AdmissionConfiguration', plugins }))
  const server = createServer({
    admissionControlConfigFile,
    enableAdmissionPlugins: ['EventRateLimit', 'PodNodeSelector', 'PodTolerationRestriction'],
    disableAdmissionPlugins: ['ServiceAccount'],
    clock: { now: () => 1_700_000_000_000, setTimeout: () => ({ cancel() {} }) }
  })
  await server.start()
  t.after(async () => {
    await server.stop()
    rmSync(directory, { recursive: true })
  })
  const post = async (path: string, body: object, user = admin) => {
    const answer = await server.inject({ method: 'POST', url: `/api/v1/namespaces${path}`, body, user })
    return { status: answer.status, body: answer.json() as any }
  }
  const pod = (namespace: string, name: string, spec: object = {}, user = admin) =>
    post(`/${namespace}/pods`, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } }, user)
  const prefix = 'scheduler.alpha.kubernetes.io/'
  for (const [name, annotations] of [
    ['a', {}],
    ['exempt', {}],
    ['listed', {}],
    ['wrong', { [`${prefix}node-selector`]: 'a b=c' }],
    ['strict', { [`${prefix}defaultTolerations`]: '', [`${prefix}tolerationsWhitelist`]: '[{"key":"k","operator":"Exists"}]' }]
  ] as const)
    assert.equal((await post('', { metadata: { name, annotations } })).status, 201)

  const host = { hostNetwork: true }
  const refused = await pod('a', 'host', host)
  assert.equal(
    refused.body.message,
    'pods "host" is forbidden: violates PodSecurity "baseline:v1.30": host namespaces (hostNetwork=true)'
  )
  assert.equal((await pod('exempt', 'host', host)).status, 201)
  assert.equal((await pod('a', 'host', host, { name: 'bob', groups: ['system:masters'] })).status, 201)

  const uncovered = await pod('a', 'critical', { priorityClassName: 'system-node-critical' })
  assert.equal(uncovered.status, 500)
  assert.equal(uncovered.body.message, 'insufficient quota to match these scopes: [{PriorityClass In [system-node-critical]}]')
  const service = await post('/a/services', { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 1 }] } })
  assert.equal(service.body.message, 'services "s" is forbidden: insufficient quota to consume: services.nodeports')

  const made = (await pod('a', 'made', { nodeSelector: { x: 'y' } })).body
  assert.deepEqual(made.spec.nodeSelector, { zone: 'a', x: 'y' })
  assert.ok(made.spec.tolerations.some(({ key }: any) => key === 'def'))
  const forbidden = 'pods "p" is forbidden: pod node label selector'
  const message = async (namespace: string, spec: object) => (await pod(namespace, 'p', spec)).body.message
  assert.equal(
    await message('a', { nodeSelector: { zone: 'b' } }),
    `${forbidden} conflicts with its namespace node label selector`
  )
  assert.equal(await message('listed', { nodeSelector: { x: 'y' } }), `${forbidden} labels conflict with its namespace whitelist`)
  assert.match(await message('wrong', {}), /^<nil>: Invalid value: "a b": name part must consist of/)
  assert.equal(
    await message('strict', {}),
    'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist'
  )

  const event = (name: string) => post('/a/events', { metadata: { name }, involvedObject: { namespace: 'a', name: 'x' } })
  assert.deepEqual([(await event('1')).status, (await event('2')).status], [201, 201])
  const tooMany = await event('3')
  assert.deepEqual(tooMany.body, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Too many requests: limit reached on type SourceAndObject for key ax',
    reason: 'TooManyRequests',
    code: 429
  })
})
