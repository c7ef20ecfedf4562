import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../../../../apimachinery/features/feature-gates.js'
import { cloneJson } from '../../../../util/json.js'
import {
  autoUpdate,
  type DefaultRole,
  defaultClusterRoleBindings,
  defaultClusterRoles,
  defaultRoleBindings,
  defaultRoles
} from './default-policy.js'
import { changeOfBinding, changeOfRole } from './reconcile.js'

const features = new FeatureGates()
const names = (all: readonly { metadata: { name: string } }[] = []) => new Set(all.map(o => o.metadata.name))
const role = (name: string): any => cloneJson(defaultClusterRoles(features).find(r => r.metadata.name === name))
const binding = (name: string): any => cloneJson(defaultClusterRoleBindings(features).find(b => b.metadata.name === name))

function changed<T>(present: T, change: ReturnType<typeof changeOfRole>): T {
  assert.ok(typeof change === 'function')
  const object = cloneJson(present)
  change(object)
  return object
}

describe('the default policy', () => {
  it('binds only roles that are part of it', () => {
    const roles = names(defaultClusterRoles(features))
    for (const { roleRef } of defaultClusterRoleBindings(features)) assert.ok(roles.has(roleRef.name), roleRef.name)
    for (const [namespace, bindings] of defaultRoleBindings())
      for (const { roleRef } of bindings) assert.ok(names(defaultRoles().get(namespace)).has(roleRef.name), roleRef.name)
    assert.equal(roles.size, defaultClusterRoles(features).length)
  })

  it('has rules for gated kinds only where their gates are on', () => {
    const rolesWith = (gates: Record<string, boolean>, about: RegExp) =>
      defaultClusterRoles(new FeatureGates(gates))
        .filter(role => about.test(JSON.stringify(role)))
        .map(role => role.metadata.name)
    const gated: [gates: Record<string, boolean>, about: RegExp, roles: string[]][] = [
      [
        { ClusterTrustBundle: true, ClusterTrustBundleProjection: true, PodCertificateRequest: true },
        /clustertrustbundle|podcertificaterequest/,
        [
          'system:node',
          'system:cluster-trust-bundle-discovery',
          'system:controller:podcertificaterequestcleaner',
          'system:controller:kube-apiserver-serving-clustertrustbundle-publisher'
        ]
      ],
      [{ CSIVolumeHealth: true }, /csinodes\/status/, ['system:node']],
      [
        { DRADeviceTaintRules: true },
        /devicetaintrules/,
        ['system:kube-scheduler', 'system:controller:device-taint-eviction-controller']
      ],
      [{ DRAResourcePoolStatus: true }, /resourcepoolstatus/, ['system:controller:resourcepoolstatusrequest-controller']],
      [
        { GenericWorkload: true, TopologyAwareWorkloadScheduling: true, CompositePodGroup: true },
        /compositepodgroups/,
        ['system:aggregate-to-edit', 'system:aggregate-to-view', 'system:kube-scheduler']
      ],
      [{ EvictionRequestAPI: true }, /evictionrequests/, ['system:aggregate-to-edit', 'system:aggregate-to-view']]
    ]
    for (const [gates, about, roles] of gated) {
      assert.deepEqual(rolesWith(gates, about), roles)
      const off = Object.fromEntries(Object.keys(gates).map(gate => [gate, false]))
      assert.deepEqual(rolesWith(off, about), [], about.source)
    }
    const all = new FeatureGates()
    const bound = defaultClusterRoleBindings(all).find(b => b.metadata.name === 'system:cluster-trust-bundle-discovery')
    assert.deepEqual(bound?.subjects, [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:serviceaccounts' }])
  })

  it('does not change complete objects', () => {
    for (const wanted of defaultClusterRoles(features)) assert.equal(changeOfRole(cloneJson(wanted) as never, wanted), undefined)
    for (const wanted of defaultClusterRoleBindings(features))
      assert.equal(changeOfBinding(cloneJson(wanted) as never, wanted), undefined)
  })

  it('adds missing parts, and keeps what administrators have added', () => {
    const present = role('system:basic-user')
    const own = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
    present.rules = [own, present.rules[0]]
    present.metadata.labels = { mine: 'x' }
    const { rules, metadata } = changed(present, changeOfRole(present, role('system:basic-user')))
    assert.deepEqual(rules, [own, role('system:basic-user').rules[0], role('system:basic-user').rules[1]])
    assert.deepEqual(metadata.labels, { 'kubernetes.io/bootstrapping': 'rbac-defaults', mine: 'x' })

    const bound = { ...binding('system:public-info-viewer'), subjects: [{ kind: 'User', name: 'x' }] }
    const { subjects } = changed(bound, changeOfBinding(bound, binding('system:public-info-viewer')))
    assert.deepEqual(
      subjects.map((s: any) => s.name),
      ['x', 'system:authenticated', 'system:unauthenticated']
    )
  })

  it('does not change objects whose annotation forbids it', () => {
    const present = { ...role('system:basic-user'), rules: null }
    present.metadata.annotations[autoUpdate] = 'false'
    assert.equal(changeOfRole(present, role('system:basic-user')), undefined)
  })

  it('restores a missing aggregation rule, and removes a wrong one', () => {
    const { aggregationRule: _, ...plain } = role('view')
    assert.deepEqual(changed(plain, changeOfRole(plain, role('view'))).aggregationRule, role('view').aggregationRule)
    const gathering = { ...role('system:basic-user'), aggregationRule: { clusterRoleSelectors: [{}] } }
    const wanted: DefaultRole = role('system:basic-user')
    assert.equal(changed(gathering, changeOfRole(gathering, wanted)).aggregationRule, undefined)
  })

  it('recreates a binding that refers to another role', () => {
    const present = binding('system:discovery')
    present.roleRef.name = 'cluster-admin'
    assert.equal(changeOfBinding(present, binding('system:discovery')), 'recreate')
  })
})
