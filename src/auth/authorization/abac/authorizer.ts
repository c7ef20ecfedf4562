/** The mode ABAC (https://kubernetes.io/docs/reference/access-authn-authz/abac/): the first policy that matches allows. */
import type {
  AuthorizationAttributes,
  Decision,
  NonResourceRule,
  ResourceRule
} from '../../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import type { ExplainingAuthorizer } from '../opinions.js'
import type { Policy } from './policy.js'

const allowed: Decision = { allowed: true, reason: '' }
const noPolicy: Decision = { allowed: false, reason: 'No policy matched.' }

export function abacAuthorizer(policies: readonly Policy[]): ExplainingAuthorizer {
  return {
    explain(attributes) {
      const policy = policies.find(policy => matches(policy, attributes))
      return policy && { policy }
    },
    authorize: attributes => (policies.some(policy => matches(policy, attributes)) ? allowed : noPolicy),
    rulesFor(user, namespace) {
      const matching = policies.filter(p => concerns(p, user) && (p.namespace === '*' || p.namespace === namespace))
      return {
        resourceRules: matching.flatMap(resourceRule),
        nonResourceRules: matching.flatMap(nonResourceRule),
        incomplete: false,
        problems: []
      }
    }
  }
}

const reads: readonly string[] = ['get', 'list', 'watch']

function matches(policy: Policy, attributes: AuthorizationAttributes): boolean {
  if (!concerns(policy, attributes.user)) return false
  if (policy.readonly && !reads.includes(attributes.verb)) return false
  return attributes.isResourceRequest ? matchesResource(policy, attributes) : matchesPath(policy, attributes)
}

/** A policy with both a user and a group is for this user in this group. */
function concerns({ user, group }: Policy, { name, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false
  return (user === '' || user === name) && (group === '' || groups.includes(group))
}

const isAny = (pattern: string, text: string): boolean => pattern === '*' || pattern === text

const matchesResource = (policy: Policy, { namespace, resource, group }: AuthorizationAttributes): boolean =>
  isAny(policy.namespace, namespace) && isAny(policy.resource, resource) && isAny(policy.apiGroup, group)

function matchesPath({ nonResourcePath: pattern }: Policy, { path }: AuthorizationAttributes): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')))
}

const verbsOf = ({ readonly }: Policy): readonly string[] => (readonly ? reads : ['*'])

const resourceRule = (policy: Policy): ResourceRule[] =>
  policy.resource === '' ? [] : [{ verbs: verbsOf(policy), apiGroups: [policy.apiGroup], resources: [policy.resource] }]

const nonResourceRule = (policy: Policy): NonResourceRule[] =>
  policy.nonResourcePath === '' ? [] : [{ verbs: verbsOf(policy), nonResourceURLs: [policy.nonResourcePath] }]
