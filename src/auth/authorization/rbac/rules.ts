/** Decides whether one rule of a role allows a request. */
import type { PolicyRule } from '../../../apimachinery/api/generated/rbac-v1.js'
import type { AuthorizationAttributes } from '../../../apimachinery/request/authorization.js'

export function ruleAllows(rule: PolicyRule, a: AuthorizationAttributes): boolean {
  if (!has(rule.verbs, a.verb)) return false
  if (!a.isResourceRequest) return rule.nonResourceURLs?.some(url => urlCovers(url, a.path)) ?? false
  return has(rule.apiGroups, a.group) && hasResource(rule.resources, a) && hasName(rule.resourceNames, a.name)
}

const has = (values: readonly string[] | null | undefined, value: string): boolean =>
  !!values && (values.includes(value) || values.includes('*'))

function hasResource(resources: readonly string[] | undefined, { resource, subresource }: AuthorizationAttributes): boolean {
  if (!resources) return false
  if (subresource === '') return has(resources, resource)
  for (const of of resources) if (of === '*' || isSubresource(of, resource, subresource)) return true
  return false
}

/**
 * Whether the pattern `of` is "pods/log", or has a star in place of "pods". Compares the parts, because joining them would
 * allocate.
 */
function isSubresource(of: string, resource: string, subresource: string): boolean {
  if (!of.endsWith(subresource)) return false
  const slash = of.length - subresource.length - 1
  if (of[slash] !== '/') return false
  return slash === 1 && of[0] === '*' ? true : slash === resource.length && of.startsWith(resource)
}

const hasName = (names: readonly string[] | undefined, name: string): boolean =>
  !names || names.length === 0 || names.includes(name)

/** Whether a pattern equals the path, or ends in stars and the path begins with what stands before them. */
const urlCovers = (url: string, path: string): boolean =>
  url === path || (url.endsWith('*') && path.startsWith(withoutStars(url)))

/** Removes the stars at the end. Counts from the end, because a pattern may have a million stars elsewhere. */
export function withoutStars(url: string): string {
  let end = url.length
  while (url[end - 1] === '*') end--
  return url.slice(0, end)
}
