/** Who may write which roles and bindings. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PolicyRule, RoleRef } from '../../../apimachinery/api/generated/rbac-v1.js'
import type { AuthorizationAttributes } from '../../../apimachinery/request/authorization.js'
import type { GrantedRules } from '../../../registry/strategy-services.js'
import { checkBinding, checkRole } from './escalation.js'

const apiGroup = 'rbac.authorization.k8s.io'
const rule = (verbs: string[], ...resources: string[]): PolicyRule => ({ verbs, apiGroups: [''], resources })
const everything: PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] }
]

interface Case {
  readonly groups?: readonly string[]
  /** The rules that the author has. */
  readonly has?: readonly PolicyRule[]
  readonly unresolved?: readonly RoleRef[]
  /** Whether the authorizer allows the verbs escalate and bind. */
  readonly mayAnyway?: boolean
  readonly namespace?: string
  /** The rules of the roles that exist. */
  readonly roles?: Readonly<Record<string, readonly PolicyRule[]>>
}

function contextOf({ groups = ['team'], has = [], unresolved = [], mayAnyway = false, namespace = 'ns', roles = {} }: Case) {
  const asked: AuthorizationAttributes[] = []
  const context: any = {
    user: { name: 'ann', groups },
    namespace,
    request: { name: 'r' },
    services: {
      authorizer: {
        async authorize(attributes: AuthorizationAttributes) {
          asked.push(attributes)
          return { allowed: mayAnyway, reason: '' }
        }
      },
      rbac: {
        rulesFor: (_: unknown, of: string): GrantedRules => ({ rules: of === namespace ? has : [], unresolved }),
        rulesOf: ({ kind, name }: RoleRef, of: string) => roles[kind === 'Role' ? `${of}/${name}` : name]
      }
    }
  }
  return { asked, context }
}

const outcome = (check: Promise<void>) =>
  check.then(
    () => undefined,
    (error: Error) => error.message
  )

const role = (rules: PolicyRule[] | null, more: object = {}): any => ({ metadata: { name: 'r' }, rules, ...more })
const lacks = (kind: string, what: string) =>
  `${kind}.${apiGroup} "r" is forbidden: user "ann" (groups=["team"]) is attempting to grant RBAC permissions not currently held:\n${what}`
const getPods = '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'

describe('a role', () => {
  const write = (object: any, given: Case = {}, old?: any) => outcome(checkRole('roles', object, old, contextOf(given).context))

  it('is written by a user who has all its permissions', async () => {
    assert.equal(await write(role([rule(['get'], 'pods')]), { has: [rule(['get'], 'pods')] }), undefined)
    assert.equal(await write(role(null)), undefined)
    assert.equal(await write(role([])), undefined)
  })

  it('is not written by a user who lacks one', async () => {
    const wanted = role([rule(['get'], 'pods')])
    assert.equal(await write(wanted), lacks('roles', getPods))
    assert.equal(await write(wanted, { has: [rule(['list'], 'pods')] }), lacks('roles', getPods))
    const log = '{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}'
    assert.equal(await write(role([rule(['get'], 'pods/log')]), { has: [rule(['get'], 'pods')] }), lacks('roles', log))
    assert.equal(await write(role([rule(['get'], 'pods/log')]), { has: [rule(['get'], 'jobs/log')] }), lacks('roles', log))
    assert.equal(await write(wanted, { has: [rule(['get'], 'pods/log')] }), lacks('roles', getPods))
  })

  it('is written by whoever may escalate, or is of system:masters', async () => {
    const wanted = role([rule(['get'], 'pods')])
    assert.equal(await write(wanted, { groups: ['system:masters'] }), undefined)
    assert.equal(await write(wanted, { mayAnyway: true }), undefined)
    const { asked, context } = contextOf({ mayAnyway: true })
    await checkRole('roles', wanted, undefined, context)
    const [{ verb, group, resource, subresource, namespace, name }, ...others] = asked as [AuthorizationAttributes]
    assert.deepEqual([verb, group, resource, subresource, namespace, name], ['escalate', apiGroup, 'roles', '', 'ns', 'r'])
    assert.equal(others.length, 0)
  })

  it('may lose owners and finalizers whatever it grants, but change in nothing else', async () => {
    const held = { name: 'r', ownerReferences: [{ uid: 'u' }], finalizers: ['f'], managedFields: [{}] }
    const old = role([rule(['get'], 'pods')], { metadata: held })
    assert.equal(await write(role([rule(['get'], 'pods')]), {}, old), undefined)
    assert.equal(
      await write(role([rule(['get'], 'pods')], { metadata: { name: 'r', labels: {} } }), {}, old),
      lacks('roles', getPods)
    )
    assert.match((await write(role([rule(['get', 'list'], 'pods')]), {}, old))!, /not currently held/)
  })

  it('with an aggregation rule is written only by who may do everything', async () => {
    const aggregating = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }
    const why = `roles.${apiGroup} "r" is forbidden: must have cluster-admin privileges to use the aggregationRule`
    assert.equal(await write(role([], aggregating)), why)
    assert.equal(await write(role([], aggregating), { has: everything }), undefined)
    for (const missing of [0, 1]) assert.equal(await write(role([], aggregating), { has: [everything[missing]!] }), why)
    assert.equal(await write(role([], { aggregationRule: {} })), undefined)
    assert.equal(await write(role([], { aggregationRule: { clusterRoleSelectors: [] } })), undefined)
    // nor is the rule taken away by others
    assert.equal(await write(role([]), {}, role([], aggregating)), why)
    assert.equal(await write(role([rule(['get'], 'pods')], aggregating)), lacks('roles', getPods))
  })

  it('is refused with what could not be found of the permissions of its author', async () => {
    const unresolved = ['a', 'b'].map(name => ({ apiGroup, kind: 'ClusterRole', name }))
    const not = (name: string) => `roles.${apiGroup} "${name}" not found`
    assert.equal(
      await write(role([rule(['get'], 'pods')]), { unresolved }),
      `${lacks('roles', getPods)}; resolution errors: [[${not('a')}, ${not('b')}]]`
    )
  })
})

describe('a binding', () => {
  const ref = (kind: string, name: string): RoleRef => ({ apiGroup, kind, name })
  const binding = (roleRef: RoleRef, more: object = {}): any => ({ metadata: { name: 'r' }, roleRef, ...more })
  const roles = { 'ns/reader': [rule(['get'], 'pods')], viewer: [rule(['get'], 'pods')], none: [] }
  const write = (object: any, given: Case = {}, old?: any) =>
    outcome(checkBinding('rolebindings', object, old, contextOf({ roles, ...given }).context))

  it('is written by a user who has all permissions of the role', async () => {
    for (const roleRef of [ref('Role', 'reader'), ref('ClusterRole', 'viewer')]) {
      assert.equal(await write(binding(roleRef), { has: [rule(['get'], 'pods')] }), undefined)
      assert.equal(await write(binding(roleRef)), lacks('rolebindings', getPods))
      assert.equal(await write(binding(roleRef), { groups: ['system:masters'] }), undefined)
    }
    assert.equal(await write(binding(ref('ClusterRole', 'none'))), undefined)
  })

  it('is written by whoever may bind the role', async () => {
    for (const [kind, resource] of [
      ['Role', 'roles'],
      ['ClusterRole', 'clusterroles']
    ] as const) {
      const { asked, context } = contextOf({ mayAnyway: true, roles })
      await checkBinding('rolebindings', binding(ref(kind, 'any')), undefined, context)
      const [{ verb, group, resource: of, subresource, namespace, name }] = asked as [AuthorizationAttributes]
      assert.deepEqual([verb, group, of, subresource, namespace, name], ['bind', apiGroup, resource, '', 'ns', 'any'])
    }
  })

  it('may lose owners and finalizers whatever it grants', async () => {
    const old = binding(ref('Role', 'reader'), { metadata: { name: 'r', finalizers: ['f'] } })
    assert.equal(await write(binding(ref('Role', 'reader')), {}, old), undefined)
    assert.equal(await write(binding(ref('ClusterRole', 'viewer')), {}, old), lacks('rolebindings', getPods))
  })

  it('needs a role that exists where it looks for it', async () => {
    assert.equal(await write(binding(ref('Role', 'viewer'))), `rolebindings.${apiGroup} "viewer" not found`)
    assert.equal(await write(binding(ref('User', 'viewer')), { mayAnyway: true }), 'unsupported role reference kind: "User"')
    assert.equal(await write(binding(ref('Role', 'reader')), { namespace: '' }), 'Namespace parameter required.')
    assert.equal(await write(binding(ref('ClusterRole', 'none')), { namespace: '' }), undefined)
    assert.match((await write(binding(ref('ClusterRole', 'a/b'))))!, /a\/b/)
  })
})
