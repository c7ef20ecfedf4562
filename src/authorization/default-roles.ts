/**
 * What everyone may do without a binding of their own: the rules of the roles that kube-apiserver binds to all users at start
 * (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#discovery-roles).
 */
import { AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP, type UserInfo } from '../authentication/user.js'
import type { Attributes, Authorizer, NonResourceRule, ResourceRule } from './authorizer.js'

interface BoundRole {
  readonly name: string
  /** The groups to which it is bound. */
  readonly groups: readonly string[]
  readonly resourceRules: readonly ResourceRule[]
  readonly nonResourceRules: readonly NonResourceRule[]
}

const get = (...nonResourceURLs: string[]): NonResourceRule[] => [{ verbs: ['get'], nonResourceURLs }]
const create = (group: string, ...resources: string[]): ResourceRule => ({ verbs: ['create'], apiGroups: [group], resources })

const roles: readonly BoundRole[] = [
  {
    name: 'system:basic-user',
    groups: [AUTHENTICATED_GROUP],
    resourceRules: [
      create('authorization.k8s.io', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'),
      create('authentication.k8s.io', 'selfsubjectreviews')
    ],
    nonResourceRules: []
  },
  {
    name: 'system:discovery',
    groups: [AUTHENTICATED_GROUP],
    resourceRules: [],
    nonResourceRules: get(
      '/api',
      '/api/*',
      '/apis',
      '/apis/*',
      '/healthz',
      '/livez',
      '/openapi',
      '/openapi/*',
      '/readyz',
      '/version',
      '/version/'
    )
  },
  {
    name: 'system:public-info-viewer',
    groups: [AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP],
    resourceRules: [],
    nonResourceRules: get('/healthz', '/livez', '/readyz', '/version', '/version/')
  }
]

const groupOf = (role: BoundRole, user: UserInfo) => role.groups.find(group => user.groups.includes(group))

const matchesPath = ({ nonResourceURLs }: NonResourceRule, path: string) =>
  nonResourceURLs.some(p => (p.endsWith('*') ? path.startsWith(p.slice(0, -1)) : p === path))

function allows(role: BoundRole, a: Attributes): boolean {
  if (!a.isResourceRequest) return role.nonResourceRules.some(rule => rule.verbs.includes(a.verb) && matchesPath(rule, a.path))
  return role.resourceRules.some(
    rule =>
      rule.verbs.includes(a.verb) &&
      rule.apiGroups.includes(a.group) &&
      a.subresource === '' &&
      rule.resources.includes(a.resource)
  )
}

export const defaultRoles: Authorizer = {
  authorize(attributes) {
    for (const role of roles) {
      const group = groupOf(role, attributes.user)
      if (!group || !allows(role, attributes)) continue
      return {
        allowed: true,
        reason: `RBAC: allowed by ClusterRoleBinding "${role.name}" of ClusterRole "${role.name}" to Group "${group}"`
      }
    }
    return undefined
  },
  rulesFor(user) {
    const bound = roles.filter(role => groupOf(role, user))
    return {
      resourceRules: bound.flatMap(r => r.resourceRules),
      nonResourceRules: bound.flatMap(r => r.nonResourceRules),
      incomplete: false
    }
  }
}
