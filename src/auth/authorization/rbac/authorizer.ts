/** The mode RBAC (https://kubernetes.io/docs/reference/access-authn-authz/rbac/). */
import type { PolicyRule, RoleRef } from '../../../apimachinery/api/generated/rbac-v1.js'
import type {
  AuthorizationAttributes,
  Authorizer,
  Decision,
  NonResourceRule,
  ResourceRule
} from '../../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import { aggregateText, goQuote } from '../../../util/go-format.js'
import type { RbacPolicy } from './policy.js'
import { ruleAllows } from './rules.js'
import type { Grant, Subjects } from './subjects.js'

export function rbacAuthorizer(policy: RbacPolicy): Authorizer {
  return {
    authorize(attributes) {
      const unresolved: RoleRef[] = []
      const found =
        search(policy, policy.everywhere, attributes, unresolved) ??
        search(policy, policy.within(attributes.namespace), attributes, unresolved)
      if (found) return decisionOf(found, attributes.user)
      return unresolved.length === 0 ? undefined : unresolvedDecision(unresolved)
    },
    rulesFor(user, namespace) {
      const { rules, unresolved } = policy.rulesFor(user, namespace)
      return {
        resourceRules: rules.filter(rule => rule.resources?.length).map(resourceRule),
        nonResourceRules: rules.filter(rule => rule.nonResourceURLs?.length).map(nonResourceRule),
        incomplete: false,
        problems: unresolved.map(notFoundText)
      }
    }
  }
}

/** Finds the first grant to the user, or to a group of the user, whose role allows the request. */
function search(
  policy: RbacPolicy,
  subjects: Subjects | undefined,
  attributes: AuthorizationAttributes,
  unresolved: RoleRef[]
): Grant | undefined {
  if (!subjects) return undefined
  const { name, groups } = attributes.user
  let found = searchGrants(policy, subjects.ofUser(name), attributes, unresolved)
  for (let i = 0; !found && i < groups.length; i++)
    found = searchGrants(policy, subjects.ofGroup(groups[i]!), attributes, unresolved)
  return found
}

function searchGrants(
  policy: RbacPolicy,
  grants: ReadonlyMap<string, Grant> | undefined,
  attributes: AuthorizationAttributes,
  unresolved: RoleRef[]
): Grant | undefined {
  if (!grants) return undefined
  for (const grant of grants.values()) {
    const { roleRef, namespace } = grant.binding
    const rules = policy.rulesOf(roleRef, namespace)
    if (!rules) unresolved.push(roleRef)
    else for (const rule of rules) if (ruleAllows(rule, attributes)) return grant
  }
  return undefined
}

/** The reason of a decision names the first subject of the binding that applies to the user. */
function decisionOf(found: Grant, user: UserInfo): Decision {
  const { grants } = found.binding
  for (const grant of grants) if (grant === found || grant.appliesTo(user)) return grant.decision
  return found.decision
}

const unresolvedDecision = (unresolved: readonly RoleRef[]): Decision => ({
  allowed: false,
  reason: `RBAC: ${aggregateText(unresolved.map(notFoundText))}`
})

const notFoundText = ({ kind, name }: RoleRef) => `${kind.toLowerCase()}.rbac.authorization.k8s.io ${goQuote(name)} not found`

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule): ResourceRule => ({
  verbs: verbs ?? [],
  apiGroups,
  resources,
  resourceNames
})

const nonResourceRule = ({ verbs, nonResourceURLs }: PolicyRule): NonResourceRule => ({ verbs: verbs ?? [], nonResourceURLs })
