import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RowClock } from '../../apimachinery/formats/table.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import type { KindDefinition } from '../../registry/kind.js'
import { clusterRole } from './cluster-role.js'
import { clusterRoleBinding } from './cluster-role-binding.js'
import { role } from './role.js'
import { roleBinding } from './role-binding.js'

const context: any = new RowClock(0)

function problems(kind: KindDefinition, object: any, old?: any): string[] {
  const errors = new FieldErrors()
  if (old) kind.strategy!.validateUpdate!(object, old, errors, context)
  else kind.strategy!.validate!(object, errors, context)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }

describe('roles', () => {
  const rules = [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }]

  it('have non-resource rules only as ClusterRoles', () => {
    assert.deepEqual(problems(clusterRole, { rules }), [])
    assert.deepEqual(problems(role, { rules }), [
      'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot apply to non-resource URLs'
    ])
  })

  it('may have almost any name', () => {
    assert.deepEqual(role.validateName!('system:a B', false, {} as any, new FieldErrors()), [])
    assert.deepEqual(role.validateName!('a/b', false, {} as any, new FieldErrors()), ["may not contain '/'"])
  })

  it('have a generateName that could be a name', () => {
    for (const kind of [role, clusterRole, roleBinding, clusterRoleBinding] as KindDefinition[])
      assert.deepEqual(kind.validateName!('..', true, {}, new FieldErrors()), ["may not be '..'"])
  })
})

describe('role bindings', () => {
  it('set the default API groups of role and subjects', () => {
    const object: any = {
      metadata: {},
      roleRef: { apiGroup: '', kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' }
      ]
    }
    roleBinding.strategy!.default!(object, context)
    assert.deepEqual(
      [object.roleRef.apiGroup, object.subjects[0].apiGroup, object.subjects[1].apiGroup],
      [roleRef.apiGroup, roleRef.apiGroup, undefined]
    )
    assert.deepEqual(problems(roleBinding, object), [])
  })

  it('in the cluster scope bind ClusterRoles, and name the namespaces of service accounts', () => {
    assert.deepEqual(
      problems(clusterRoleBinding, { roleRef: { ...roleRef, kind: 'Role' }, subjects: [{ kind: 'ServiceAccount', name: 's' }] }),
      ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"', 'subjects[0].namespace: Required value']
    )
  })

  it('cannot change their role', () => {
    assert.deepEqual(problems(roleBinding, { roleRef: { ...roleRef, name: 'edit' } }, { roleRef }), [
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: field is immutable'
    ])
  })
})
