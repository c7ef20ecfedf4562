import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallestRole } from './smallest-role.js'

const wanted = {
  user: 'alice',
  verb: 'get',
  namespace: 'shop',
  name: 'a',
  path: '',
  group: 'apps',
  resource: 'deployments',
  subresource: 'scale'
}

test('a role has the one rule, and its binding the one user', () => {
  const { objects, yaml } = smallestRole(wanted)
  const [role, binding] = objects as any[]
  assert.deepEqual([role.kind, role.metadata], ['Role', { name: 'get-deployments-scale', namespace: 'shop' }])
  assert.deepEqual(role.rules, [{ verbs: ['get'], apiGroups: ['apps'], resources: ['deployments/scale'], resourceNames: ['a'] }])
  assert.deepEqual(binding.roleRef, { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'get-deployments-scale' })
  assert.deepEqual(binding.subjects, [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' }])
  assert.match(yaml, /^---$/m)
})

test('outside of namespaces and for paths it is a ClusterRole; a create names no object; a service account is one', () => {
  const kinds = (changes: Partial<typeof wanted>) => smallestRole({ ...wanted, ...changes }).objects as any[]
  assert.equal(kinds({ namespace: '' })[0].kind, 'ClusterRole')
  assert.deepEqual(kinds({ path: '/metrics' })[0].rules, [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }])
  assert.equal(kinds({ verb: 'create' })[0].rules[0].resourceNames, undefined)
  assert.deepEqual(kinds({ user: 'system:serviceaccount:team:ci' })[1].subjects, [
    { kind: 'ServiceAccount', namespace: 'team', name: 'ci' }
  ])
})
