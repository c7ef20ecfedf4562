import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValidatingAdmissionPolicySpec } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { builtinKinds } from '../../kinds/index.js'
import { Registry } from '../../registry/registry.js'
import { Resource } from '../../registry/resource.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import { typeWarnings } from './policy-type-check.js'

const registry = new Registry()
const store = openMemoryStore()
for (const kind of builtinKinds)
  registry.add(new Resource({ kind, versions: [kind.versions[0]], store, types: loadSchema(), now: Date.now }))

const warnings = (groups: string[], resources: string[], expression: string, more: ValidatingAdmissionPolicySpec = {}) =>
  typeWarnings(
    {
      kind: 'ValidatingAdmissionPolicy',
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata: { name: 'p' },
      spec: {
        matchConstraints: { resourceRules: [{ apiGroups: groups, apiVersions: ['v1'], operations: ['*'], resources }] },
        validations: [{ expression }],
        ...more
      },
      status: {}
    },
    registry,
    { fraction: () => 0.5 }
  )

test('reports type errors for each matched kind', async () => {
  assert.deepEqual(await warnings(['apps'], ['replicasets', 'deployments'], 'object.spec.nope == 1'), [
    {
      fieldRef: 'spec.validations[0].expression',
      warning: ['Deployment', 'ReplicaSet']
        .map(
          kind =>
            `apps/v1, Kind=${kind}: ERROR: <input>:1:12: undefined field 'nope'\n | object.spec.nope == 1\n | ...........^\n`
        )
        .join('\n')
    }
  ])
})

const fits = [
  'object.spec.replicas > 1',
  'object.spec.strategy.rollingUpdate.maxSurge == 1 || object.spec.strategy.rollingUpdate.maxSurge == "25%"',
  'object.metadata.creationTimestamp < timestamp("2030-01-01T00:00:00Z")',
  'variables.spec.whatever == 1'
]
for (const expression of fits)
  test(`accepts ${expression}`, async () => {
    assert.deepEqual(
      await warnings(['apps'], ['deployments'], expression, { variables: [{ name: 'spec', expression: 'object.spec' }] }),
      []
    )
  })

test('fields without a type of their own, such as quantities, are hidden', async () => {
  const [found] = await warnings(['autoscaling'], ['horizontalpodautoscalers'], 'object.spec.metrics == []')
  assert.equal(found, undefined)
  const limits = 'object.spec.template.spec.containers[0].resources.limits == {}'
  assert.match((await warnings(['apps'], ['deployments'], limits))[0]!.warning, /undefined field 'limits'/)
})

test('the core group matches any group; wildcards are skipped', async () => {
  assert.match((await warnings([''], ['deployments'], 'object.x'))[0]!.warning, /^apps\/v1, Kind=Deployment: /)
  assert.deepEqual(await warnings(['*'], ['pods'], 'object.x'), [])
  assert.deepEqual(await warnings([''], ['pods/status', '*'], 'object.x'), [])
})

test('a rule that combines to billions of kinds is expanded only to the served ones', async () => {
  const many = (prefix: string, ...real: string[]) => [...Array.from({ length: 2000 }, (_, i) => `${prefix}${i}`), ...real]
  const apiVersions = many('v', 'v1')
  const resourceRules = [{ apiGroups: many('g', 'apps'), apiVersions, operations: ['*'], resources: many('r', 'deployments') }]
  const found = await warnings([], [], 'object.x', { matchConstraints: { resourceRules } })
  assert.match(found[0]!.warning, /^apps\/v1, Kind=Deployment: /)
})
