import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aboutResource } from '../../../apimachinery/request/authorization.js'
import { ruleAllows } from './rules.js'
import { smallestGrant } from './smallest-rule.js'

const alice = { name: 'alice', groups: [] }
const question = (more: object) => aboutResource({ user: alice, verb: 'get', group: '', resource: 'pods', ...more })
const cases = [
  question({ namespace: 'x', name: 'a' }),
  question({ verb: 'create', namespace: 'x' }),
  question({ subresource: 'log', namespace: 'x', name: 'a' }),
  question({ group: 'apps', resource: 'deployments' }),
  { ...question({}), isResourceRequest: false, resource: '', path: '/metrics' }
]

describe('the smallest rule', () => {
  it('allows the request, and neither another verb, name, group nor resource', () => {
    for (const asked of cases) {
      const { rule } = smallestGrant(asked)
      assert.equal(ruleAllows(rule, asked), true, JSON.stringify(rule))
      for (const other of [
        { verb: 'delete' },
        ...(asked.isResourceRequest
          ? [{ group: 'other' }, { resource: 'secrets' }, { subresource: 'exec' }]
          : [{ path: '/logs' }]),
        ...(asked.name === '' ? [] : [{ name: 'b' }])
      ])
        assert.equal(ruleAllows(rule, { ...asked, ...other }), false, JSON.stringify({ rule, other }))
    }
  })

  it('names no object for a create, whose name no authorizer sees', () => {
    assert.equal(smallestGrant(question({ verb: 'create', namespace: 'x', name: 'a' })).rule.resourceNames, undefined)
  })

  it('is bound in the namespace of the request, to its user', () => {
    const [role, binding] = smallestGrant(question({ namespace: 'x' })).objects as readonly any[]
    assert.deepEqual([role.kind, role.metadata.namespace, binding.kind], ['Role', 'x', 'RoleBinding'])
    assert.deepEqual(binding.roleRef.name, role.metadata.name)
    assert.equal((smallestGrant(question({})).objects[1] as any).kind, 'ClusterRoleBinding')
    const account = { name: 'system:serviceaccount:team:bot', groups: [] }
    const [subject] = (smallestGrant(question({ user: account, namespace: 'x' })).objects[1] as any).subjects
    assert.deepEqual(subject, { kind: 'ServiceAccount', namespace: 'team', name: 'bot' })
  })

  it('has names that roles may have, and different ones for different users', () => {
    const names = ['Alice/../%', 'alice', 'ALICE', '☃'].map(
      name => (smallestGrant(question({ user: { name, groups: [] } })).objects[1] as any).metadata.name as string
    )
    assert.equal(new Set(names).size, names.length)
    for (const name of names) assert.match(name, /^[a-z0-9.-]+$/)
  })
})
