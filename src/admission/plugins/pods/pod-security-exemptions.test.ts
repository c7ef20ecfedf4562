/** What the audit event and the metrics tell of Pod Security, and what the configuration exempts from it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Attempt, attempt } from '../../../testkit/admission.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { AdmissionMetrics } from '../../admission-metrics.js'
import { defaultPodSecurity, type PodSecuritySettings } from '../../configuration/pod-security-configuration.js'
import { lax } from '../../pod-security/policy.js'
import { podSecurity } from './pod-security.js'

const label = (mode: string) => `pod-security.kubernetes.io/${mode}`
const namespace = (name: string, labels: object) => ({ metadata: { name, labels } })
const pod = (more: object = {}, name = 'p', namespace = 'default') => ({
  metadata: { name, namespace },
  spec: { containers: [{ name: 'c', image: 'i' }], ...more }
})
const hostPod = pod({ hostNetwork: true })
const deployment = (template: object | undefined) => ({ metadata: { name: 'd' }, spec: { template } })
const broken = 'pod-security.kubernetes.io/audit'
const stored = {
  namespaces: [
    namespace('plain', {}),
    namespace('strict', { [label('enforce')]: 'baseline', [label('enforce-version')]: 'v1.30' }),
    namespace('future', { [label('audit')]: 'baseline', [label('audit-version')]: 'v1.999' }),
    namespace('warned', { [label('warn')]: 'baseline' }),
    namespace('broken', { [broken]: 'x' })
  ]
}

async function run(what: Partial<Attempt>, settings: Partial<PodSecuritySettings> = {}) {
  const metrics = new Metrics()
  const plugin = podSecurity(new AdmissionMetrics(metrics), { ...defaultPodSecurity, ...settings })
  const outcome = await attempt(plugin, { resource: 'pods', object: hostPod, stored, ...what })
  const counted = (await metrics.text())
    .split('\n')
    .flatMap(line => /^pod_security_(\w+)_total\{(.*)\} [1-9]/.exec(line)?.slice(1).join(' ') ?? [])
  return { ...outcome, annotations: Object.fromEntries(outcome.annotations), counted }
}

const create = 'request_operation="create",resource="pod",subresource=""'
const evaluated = (decision: string, level: string, version: string, mode: string, request = create) =>
  `evaluations decision="${decision}",mode="${mode}",policy_level="${level}",policy_version="${version}",${request}`

test('each check is counted with its standard and decision', async () => {
  for (const [where, object, expected] of [
    ['plain', hostPod, [evaluated('allow', 'privileged', 'latest', 'enforce')]],
    ['strict', pod(), [evaluated('allow', 'baseline', 'v1.30', 'enforce')]],
    ['strict', hostPod, [evaluated('deny', 'baseline', 'v1.30', 'enforce')]],
    ['future', pod(), [evaluated('allow', 'privileged', 'latest', 'enforce')]],
    [
      'future',
      hostPod,
      [evaluated('allow', 'privileged', 'latest', 'enforce'), evaluated('deny', 'baseline', 'future', 'audit')]
    ],
    ['warned', hostPod, [evaluated('allow', 'privileged', 'latest', 'enforce'), evaluated('deny', 'baseline', 'latest', 'warn')]],
    ['warned', pod(), [evaluated('allow', 'privileged', 'latest', 'enforce')]]
  ] as const)
    assert.deepEqual((await run({ namespace: where, object })).counted.sort(), [...expected].sort(), where)
})

test('an update in a namespace without standards is allowed by name, whatever it changes', async () => {
  const { annotations, counted } = await run({ operation: 'UPDATE', namespace: 'plain', oldObject: hostPod })
  assert.deepEqual(annotations, { [label('enforce-policy')]: 'privileged:latest' })
  const update = create.replace('create', 'update')
  assert.deepEqual(counted, [evaluated('allow', 'privileged', 'latest', 'enforce', update)])
})

test('an allowed Pod has neither warnings nor violations', async () => {
  const warned = await run({ namespace: 'warned', object: pod() })
  assert.deepEqual(warned.warnings, [])
  assert.deepEqual((await run({ namespace: 'future', object: pod() })).annotations, {
    [label('enforce-policy')]: 'privileged:latest'
  })
})

test('labels that say nothing are told to audit and metrics, for Pods and templates', async () => {
  const error = `Failed to parse policy: metadata.labels[${broken}]: Invalid value: "x": must be one of privileged, baseline, restricted`
  const of = await run({ namespace: 'broken' })
  assert.deepEqual([of.annotations[label('error')], of.refused], [error, undefined])
  assert.ok(of.counted.includes(`errors fatal="false",${create}`))
  const template = await run({ namespace: 'broken', resource: 'deployments.apps', object: deployment(hostPod) })
  assert.deepEqual(template.annotations, { [label('error')]: error })
  assert.deepEqual(template.counted, [`errors fatal="false",${create.replace('pod', 'controller')}`])
})

test('a workload without a template is not checked', async () => {
  for (const object of [deployment(undefined), deployment({}), { metadata: { name: 'd' } }]) {
    const { warnings, annotations, counted } = await run({ namespace: 'warned', resource: 'deployments.apps', object })
    assert.deepEqual([warnings, annotations, counted], [[], {}, []])
  }
})

test('namespaces, users and RuntimeClasses that the configuration exempts are not checked, which is counted', async () => {
  const exempt = (names: Partial<Record<'Namespaces' | 'Users' | 'RuntimeClasses', string>>) =>
    Object.fromEntries(Object.entries(names).map(([what, name]) => [`exempt${what}`, new Set([name])]))
  const kata = pod({ hostNetwork: true, runtimeClassName: 'kata' })
  for (const [what, settings, object, isExempt] of [
    ['namespace', exempt({ Namespaces: 'strict' }), hostPod, true],
    ['', exempt({ Namespaces: 'other' }), hostPod, false],
    ['user', exempt({ Users: 'alice' }), hostPod, true],
    ['', exempt({ Users: 'bob' }), hostPod, false],
    ['runtimeClass', exempt({ RuntimeClasses: 'kata' }), kata, true],
    ['', exempt({ RuntimeClasses: 'kata' }), hostPod, false],
    ['', exempt({ RuntimeClasses: 'other' }), kata, false]
  ] as const) {
    const { refused, annotations, counted } = await run({ namespace: 'strict', object }, settings)
    assert.equal(refused === undefined, isExempt, what)
    assert.equal(annotations[label('exempt')], what || undefined)
    assert.equal(counted.includes(`exemptions ${create}`), isExempt)
  }
  const template = { namespace: 'warned', resource: 'deployments.apps', object: deployment(kata) }
  const { warnings, annotations } = await run(template, exempt({ RuntimeClasses: 'kata' }))
  assert.deepEqual([warnings, annotations], [[], { [label('exempt')]: 'runtimeClass' }])
  // where there is no standard, there is no exemption
  const plain = await run({ ...template, namespace: 'plain' }, exempt({ RuntimeClasses: 'kata' }))
  assert.deepEqual([plain.annotations, plain.counted], [{}, []])
  assert.equal((await run(template, exempt({ Namespaces: 'warned' }))).annotations[label('exempt')], 'namespace')
  assert.equal((await run(template)).warnings.length, 1)
})

test('the labels of an exempt namespace get a warning, unless they say what counts anyway', async () => {
  const baseline = { level: 'baseline', minor: 'latest' } as const
  const settings = { exemptNamespaces: new Set(['strict']), defaults: { ...lax, audit: baseline } }
  const warnings = async (labels: object, old?: object) => {
    const operation = old ? 'UPDATE' : 'CREATE'
    const oldObject = old && namespace('strict', old)
    const what = { operation, resource: 'namespaces', object: namespace('strict', labels), oldObject } as const
    return (await run(what, settings)).warnings
  }
  const ignored = (policy: string) => [
    `namespace "strict" is exempt from Pod Security, and the policy (${policy}) will be ignored`
  ]
  const enforce = { [label('enforce')]: 'baseline' }
  assert.deepEqual(await warnings({}), [])
  assert.deepEqual(await warnings({ [label('audit')]: 'baseline' }), [])
  assert.deepEqual(await warnings({ [label('audit')]: 'privileged' }), [])
  assert.deepEqual(await warnings({ [label('audit')]: 'baseline', [label('enforce-version')]: 'v1.30' }), [])
  assert.deepEqual(await warnings({ [label('audit')]: 'restricted' }), ignored('audit=restricted:latest'))
  assert.deepEqual(await warnings({ [label('audit-version')]: 'v1.30' }), ignored('audit=baseline:v1.30'))
  assert.deepEqual(
    await warnings({ ...enforce, [label('warn')]: 'restricted', [label('audit')]: 'privileged' }),
    ignored('enforce=baseline:latest, warn=restricted:latest')
  )
  assert.deepEqual(await warnings(enforce, {}), ignored('enforce=baseline:latest'))
  assert.deepEqual(await warnings(enforce, enforce), [])
  const newer = { [label('enforce-version')]: 'v1.30', [label('warn')]: 'restricted' }
  assert.deepEqual(await warnings(newer, {}), [])
})

test('existing Pods with an exempt RuntimeClass are not checked when their namespace becomes stricter', async () => {
  const pods = [pod({ hostNetwork: true, runtimeClassName: 'kata' }, 'a', 'strict'), pod({ hostNetwork: true }, 'b', 'strict')]
  const [object, oldObject] = [namespace('strict', { [label('enforce')]: 'baseline' }), namespace('strict', {})]
  const what = { operation: 'UPDATE', resource: 'namespaces', object, oldObject, stored: { ...stored, pods } } as const
  assert.equal((await run(what)).warnings[1], 'a (and 1 other pod): host namespaces')
  assert.equal((await run(what, { exemptRuntimeClasses: new Set(['kata']) })).warnings[1], 'b: host namespaces')
})
