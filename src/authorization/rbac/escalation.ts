/**
 * Nobody grants what he does not have: what a user writes into a role, or binds, has to be covered by the user's own rules, unless
 * the verbs escalate or bind say otherwise (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping).
 */
import type { AggregationRule, PolicyRule, RoleRef } from '../../api/generated/rbac-v1.js'
import { checkKeyName } from '../../registry/key-name.js'
import type { KubeObject } from '../../registry/kind.js'
import type { StrategyContext } from '../../registry/strategy-context.js'
import { aboutResource } from '../../request/authorization.js'
import { PRIVILEGED_GROUP } from '../../request/privileged-group.js'
import { badRequest, forbidden, notFound, plainError } from '../../status/status.js'
import { aggregateText, goQuote } from '../../util/go-format.js'
import { equalWritten } from '../../util/json.js'
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

/** Refuses a role that gives more than the user has. */
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
  // whatever the selectors may find one day
  if (![object, old].some(role => role?.aggregationRule?.clusterRoleSelectors?.length)) return
  if (whyTooMuch(fullAuthority, resource, context) !== undefined)
    throw forbidden(
      { group: rbacGroup, resource },
      object.metadata.name ?? '',
      'must have cluster-admin privileges to use the aggregationRule'
    )
}

/** Refuses the binding of a role that gives more than the user has. */
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

/** A role that is not there is told as if it were a binding. */
function referredRules(roleRef: RoleRef, resource: string, { namespace, services }: Writes): readonly PolicyRule[] {
  const { kind, name } = roleRef
  if (!roleResource(roleRef)) throw plainError(`unsupported role reference kind: ${goQuote(kind)}`)
  if (kind === 'Role' && namespace === '') throw badRequest('Namespace parameter required.')
  checkKeyName(name)
  const rules = services.rbac.rulesOf(roleRef, namespace)
  if (!rules) throw notFound({ group: rbacGroup, resource }, name)
  return rules
}

/** What the user lacks of some rules, in words. */
function whyTooMuch(rules: readonly PolicyRule[], resource: string, { user, namespace, services }: Writes): string | undefined {
  const own = services.rbac.rulesFor(user, namespace)
  const missing = uncovered(own.rules, rules)
  if (missing.rules.length === 0 && !missing.incomplete) return undefined
  const who = `user ${goQuote(user.name)} (groups=${quoted(user.groups)})`
  const what = `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing.rules)}${missing.incomplete ? '\n(and more than can be told)' : ''}`
  if (own.unresolved.length === 0) return what
  const problems = own.unresolved.map(({ name }) => `${resource}.${rbacGroup} ${goQuote(name)} not found`)
  return `${what}; resolution errors: [${aggregateText(problems)}]`
}

/** The garbage collector may orphan and unblock what it could not write otherwise. */
function isForGarbageCollection(object: KubeObject, old: KubeObject | undefined): boolean {
  if (!old) return false
  return equalWritten(withoutGarbageFields(object), withoutGarbageFields(old))
}

function withoutGarbageFields({ metadata, ...rest }: KubeObject): object {
  const { ownerReferences: _, finalizers: __, managedFields: ___, selfLink: ____, ...others } = metadata
  return { ...rest, metadata: others }
}
