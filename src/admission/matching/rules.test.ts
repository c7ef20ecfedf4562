import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { builtinKinds } from '../../kinds/index.js'
import { Registry } from '../../registry/registry.js'
import { Resource } from '../../registry/resource.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import type { AdmissionAttributes } from '../admission.js'
import { couldMatch, matchRules } from './rules.js'
import { equivalentsOf } from './served-resource.js'

const registry = new Registry()
const store = openMemoryStore()
for (const kind of builtinKinds) {
  const versions = kind.versions.filter(v => v.served !== false)
  if (versions.length > 0) registry.add(new Resource({ kind, versions, store, types: loadSchema(), now: Date.now }))
}

/** Returns the "group/version/resource" that a rule of [groups, versions, resources, scope] matches, or undefined. */
function matched(asked: string, rule: readonly [string, string, string, string?], matchPolicy = 'Equivalent', namespace = 'n') {
  const [group, version, name, subresource = ''] = asked.split('/') as [string, string, string, string?]
  const resource = registry.find(group, version, name)!
  const context = { version, services: { registry } }
  const attributes = {
    operation: 'CREATE',
    resource,
    subresource,
    namespace,
    name: 'x',
    context
  } as unknown as AdmissionAttributes
  const [apiGroup, apiVersion, pattern, scope = '*'] = rule
  const rules = [{ apiGroups: [apiGroup], apiVersions: [apiVersion], resources: [pattern], operations: ['CREATE'], scope }]
  const found = matchRules(rules, matchPolicy, attributes)
  return found && `${found.resource.group}/${found.version}/${found.resource.resource}`
}

test('a rule for a resource matches its subresources only when it names them', () => {
  assert.equal(matched('/v1/pods', ['', 'v1', 'pods']), '/v1/pods')
  assert.equal(matched('/v1/pods/status', ['', 'v1', 'pods']), undefined)
  assert.equal(matched('/v1/pods/status', ['', 'v1', '*']), undefined)
  for (const pattern of ['pods/status', 'pods/*', '*/status', '*/*'])
    assert.equal(matched('/v1/pods/status', ['', '*', pattern]), '/v1/pods', pattern)
})

test('Equivalent finds other versions and groups of the same objects', () => {
  const v1 = ['autoscaling', 'v1', 'horizontalpodautoscalers'] as const
  assert.equal(matched('autoscaling/v2/horizontalpodautoscalers', v1), 'autoscaling/v1/horizontalpodautoscalers')
  assert.equal(matched('autoscaling/v2/horizontalpodautoscalers', v1, 'Exact'), undefined)
  assert.equal(matched('/v1/events', ['events.k8s.io', 'v1', 'events']), 'events.k8s.io/v1/events')
})

test('a Namespace is cluster-scoped', () => {
  const namespaced = ['', 'v1', '*', 'Namespaced'] as const
  assert.equal(matched('/v1/pods', namespaced), '/v1/pods')
  assert.equal(matched('/v1/namespaces', namespaced), undefined)
  assert.equal(matched('/v1/namespaces', ['', 'v1', '*', 'Cluster']), '/v1/namespaces')
})

const whole = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }
const asked = {
  operation: 'CREATE',
  resource: registry.find('', 'v1', 'pods')!,
  subresource: '',
  namespace: 'n',
  name: 'x',
  context: { version: 'v1', services: { registry } }
}
const matches = (rule: object, attributes: object = {}, policy: string | undefined = 'Exact') =>
  matchRules([{ ...whole, ...rule } as never], policy, { ...asked, ...attributes } as unknown as AdmissionAttributes) !==
  undefined

test('a rule matches by operation, group, version, resource, name and scope together', () => {
  const cases: readonly (readonly [rule: object, matches: boolean])[] = [
    [{}, true],
    [{ operations: ['*'] }, true],
    [{ operations: ['UPDATE', 'DELETE'] }, false],
    [{ operations: ['UPDATE', 'CREATE'] }, true],
    [{ operations: undefined }, false],
    [{ apiGroups: ['*'] }, true],
    [{ apiGroups: ['apps'] }, false],
    [{ apiGroups: undefined }, false],
    [{ apiVersions: ['*'] }, true],
    [{ apiVersions: ['v2'] }, false],
    [{ resources: ['*'] }, true],
    [{ resources: ['services', 'pods'] }, true],
    [{ resources: ['services'] }, false],
    [{ resources: ['pods/status'] }, false],
    [{ resources: ['pods/*'] }, true],
    [{ resources: ['services/*'] }, false],
    [{ resources: undefined }, false],
    [{ resourceNames: [] }, true],
    [{ resourceNames: ['x'] }, true],
    [{ resourceNames: ['y'] }, false],
    [{ scope: '*' }, true],
    [{ scope: 'Namespaced' }, true],
    [{ scope: 'Cluster' }, false]
  ]
  for (const [rule, expected] of cases)
    for (const policy of ['Exact', 'Equivalent', undefined])
      assert.equal(matches(rule, {}, policy), expected, JSON.stringify(rule))
  assert.equal(matches({ scope: 'Namespaced' }, { namespace: '' }), false)
  assert.equal(matches({ scope: 'Cluster' }, { namespace: '' }), true)
})

test('one of several rules is enough', () => {
  const rules = [{ ...whole, resources: ['services'] }, whole] as never
  assert.ok(matchRules(rules, 'Exact', asked as unknown as AdmissionAttributes))
  assert.equal(matchRules([], 'Exact', asked as unknown as AdmissionAttributes), undefined)
})

test('another version is only equivalent where it has the subresource', () => {
  const attributes = (subresource: string) => ({
    ...asked,
    resource: registry.find('autoscaling', 'v2', 'horizontalpodautoscalers')!,
    subresource,
    context: { ...asked.context, version: 'v2' }
  })
  const rule = { ...whole, apiGroups: ['autoscaling'] }
  const matchesAs = (resources: string[], subresource: string) =>
    matches({ ...rule, resources }, attributes(subresource), 'Equivalent')
  assert.equal(matchesAs(['horizontalpodautoscalers/*'], ''), true)
  assert.equal(matchesAs(['horizontalpodautoscalers/*'], 'status'), true)
  assert.equal(matchesAs(['horizontalpodautoscalers/*'], 'scale'), false)
  assert.equal(matchesAs(['horizontalpodautoscalers/*'], 'other'), false)
})

test('webhooks and policies are indexed by the groups and resources of their rules', () => {
  const pods = equivalentsOf(registry, asked.resource)
  const could = (...rules: object[]) => couldMatch(rules.map(rule => ({ ...whole, ...rule })) as never, pods)
  assert.equal(could({}), true)
  assert.equal(could({ operations: [], apiVersions: ['v9'] }), true)
  assert.equal(could({ resources: ['pods/log'] }), true)
  assert.equal(could({ resources: ['*/log'] }), true)
  assert.equal(could({ resources: ['podsx', 'x/pods'] }), false)
  assert.equal(could({ resources: undefined }), false)
  assert.equal(could({ apiGroups: ['apps'] }), false)
  assert.equal(could({ apiGroups: ['apps'] }, { apiGroups: ['*'] }), true)
  assert.equal(could(), false)
  assert.equal(equivalentsOf(registry, registry.find('autoscaling', 'v2', 'horizontalpodautoscalers')!).length, 2)
})

test('Equivalent matches no other version than the rules name, and only one that has the subresource', () => {
  const version = (name: string, subresources: object) => ({
    group: 'example.com',
    resource: 'boats',
    prefix: 'boats/',
    versions: new Map([[name, {}]]),
    kind: { subresources }
  })
  const served = [version('v1', { scale: {}, others: { sail: {} } }), version('v2', {})]
  const fake = { generation: 1, served: () => served }
  const of = (subresource: string, apiVersion: string, from = 1) => {
    const context = { version: `v${from + 1}`, services: { registry: fake } }
    const rule = { apiGroups: ['example.com'], apiVersions: [apiVersion], resources: ['boats', 'boats/*'] }
    return matches(rule, { resource: served[from], subresource, context }, 'Equivalent')
  }
  assert.equal(of('', 'v1'), true)
  assert.equal(of('', 'v3'), false)
  assert.equal(of('scale', 'v1'), true)
  assert.equal(of('sail', 'v1'), true)
  assert.equal(of('status', 'v1'), false)
  assert.equal(of('scale', 'v2', 0), false)
  assert.equal(of('sail', 'v2', 0), false)
})
