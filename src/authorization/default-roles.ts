/**
 * What everyone may do without a binding of their own: the rules of system:discovery, system:basic-user and
 * system:public-info-viewer, which kube-apiserver binds to all users at start
 * (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#discovery-roles).
 */
import { AUTHENTICATED_GROUP } from '../authentication/user.js'
import type { Attributes, Authorizer } from './authorizer.js'

const publicPaths: readonly string[] = ['/healthz', '/livez', '/readyz', '/version', '/version/']
const discoveryPaths: readonly string[] = ['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi', '/openapi/*', '/readyz', '/version', '/version/']
const selfReviews: Readonly<Record<string, readonly string[]>> = {
  'authorization.k8s.io': ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  'authentication.k8s.io': ['selfsubjectreviews']
}

const matchesPath = (patterns: readonly string[], path: string) => patterns.some(p => (p.endsWith('*') ? path.startsWith(p.slice(0, -1)) : p === path))

function mayByDefault(a: Attributes): boolean {
  const known = a.user.groups.includes(AUTHENTICATED_GROUP)
  if (!a.isResourceRequest) return a.verb === 'get' && matchesPath(known ? discoveryPaths : publicPaths, a.path)
  return known && a.verb === 'create' && a.subresource === '' && (selfReviews[a.group]?.includes(a.resource) ?? false)
}

export const defaultRoles: Authorizer = {
  authorize: attributes => (mayByDefault(attributes) ? { allowed: true, reason: '' } : undefined)
}
