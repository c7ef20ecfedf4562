import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtinKinds } from '../../kinds/index.js'
import { Registry } from '../../registry/registry.js'
import { Resource } from '../../registry/resource.js'
import { loadSchema } from '../../schema/load.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import type { AdmissionAttributes } from '../admission.js'
import { matchRules } from './rules.js'

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
