/**
 * Prevents privilege escalation: a user may write or bind a role only with permissions that the user has, unless the user has the
 * verb escalate or bind for the role (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping).
 */
import type { AggregationRule, PolicyRule, RoleRef } from '../../../apimachinery/api/generated/rbac-v1.js'
import { aboutResource } from '../../../apimachinery/request/authorization.js'
import { PRIVILEGED_GROUP } from '../../../apimachinery/request/privileged-group.js'
import { badRequest, forbidden, notFound, plainError } from '../../../apimachinery/status/status.js'
import { isForGarbageCollection } from '../../../registry/garbage-fields.js'
import { checkKeyName } from '../../../registry/key-name.js'
import type { KubeObject } from '../../../registry/kind.js'
import type { StrategyContext } from '../../../registry/strategy-context.js'
import { aggregateText, goQuote } from '../../../util/go-format.js'
import { describeRules, quoted, uncovered } from './coverage.js'
import { rbacGroup } from './group.js'

type Writes = Pick<StrategyContext, 'user' | 'namespace' | 'request' | 'services'>

interface RoleObject extends KubeObject {
  rules: PolicyRule[] | null
  aggregationRule?: AggregationRule | undefined
}

interface BindingObject extends KubeObject {
  roleRef: RoleRef
}

const fullAuthority: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] }
]

/** Throws a 403 when a role grants more than the user has. */
export async function checkRole(
  resource: 'roles' | 'clusterroles',
  object: RoleObject,
  old: RoleObject | undefined,
  context: Writes
): Promise<void> {
  const { user, namespace, request, services } = context
  if (user.groups.includes(PRIVILEGED_GROUP)) return
  const escalate = aboutResource({ user, verb: 'escalate', group: rbacGroup, resource, namespace, name: request.name })
  if ((await services.authorizer.authorize(escalate)).allowed || isForGarbageCollection(object, old)) return
  const why = whyTooMuch(object.rules ?? [], resource, context)
  if (why !== undefined) throw forbidden({ group: rbacGroup, resource }, object.metadata.name ?? '', why)
  // an aggregation rule may later select roles with any permission
  if (![object, old].some(role => role?.aggregationRule?.clusterRoleSelectors?.length)) return
  if (whyTooMuch(fullAuthority, resource, context) !== undefined)
    throw forbidden(
      { group: rbacGroup, resource },
      object.metadata.name ?? '',
      'must have cluster-admin privileges to use the aggregationRule'
    )
}

/** Throws a 403 when a binding refers to a role that grants more than the user has. */
export async function checkBinding(
  resource: 'rolebindings' | 'clusterrolebindings',
  object: BindingObject,
  old: BindingObject | undefined,
  context: Writes
): Promise<void> {
  const { user, namespace, services } = context
  if (user.groups.includes(PRIVILEGED_GROUP) || isForGarbageCollection(object, old)) return
  const { roleRef } = object
  const role = roleResource(roleRef)
  if (role) {
    const bind = aboutResource({ user, verb: 'bind', group: roleRef.apiGroup, resource: role, namespace, name: roleRef.name })
    if ((await services.authorizer.authorize(bind)).allowed) return
  }
  const why = whyTooMuch(referredRules(roleRef, resource, context), resource, context)
  if (why !== undefined) throw forbidden({ group: rbacGroup, resource }, object.metadata.name ?? '', why)
}

const roleResource = ({ kind }: RoleRef) => (kind === 'ClusterRole' ? 'clusterroles' : kind === 'Role' ? 'roles' : undefined)

/** Returns the rules of the role that a binding refers to. As in kube-apiserver, the 404 for a missing role names a binding. */
function referredRules(roleRef: RoleRef, resource: string, { namespace, services }: Writes): readonly PolicyRule[] {
  const { kind, name } = roleRef
  if (!roleResource(roleRef)) throw plainError(`unsupported role reference kind: ${goQuote(kind)}`)
  if (kind === 'Role' && namespace === '') throw badRequest('Namespace parameter required.')
  checkKeyName(name)
  const rules = services.rbac.rulesOf(roleRef, namespace)
  if (!rules) throw notFound({ group: rbacGroup, resource }, name)
  return rules
}

/** Describes which permissions of the rules the user lacks; undefined when the user has them all. */
function whyTooMuch(rules: readonly PolicyRule[], resource: string, { user, namespace, services }: Writes): string | undefined {
  const own = services.rbac.rulesFor(user, namespace)
  const missing = uncovered(own.rules, rules)
  if (missing.rules.length === 0 && !missing.incomplete) return undefined
  const who = `user ${goQuote(user.name)} (groups=${quoted(user.groups)})`
  const what = `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing.rules)}${missing.incomplete ? '\n(and more than can be listed)' : ''}`
  if (own.unresolved.length === 0) return what
  const problems = own.unresolved.map(({ name }) => `${resource}.${rbacGroup} ${goQuote(name)} not found`)
  return `${what}; resolution errors: [${aggregateText(problems)}]`
}
