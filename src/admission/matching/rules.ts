/** Rules select the requests for a webhook or policy by operation, group, version, resource and scope. */
import type { NamedRuleWithOperations } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { own } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import { equivalentsOf, type ServedResource } from './served-resource.js'

export type Rules = readonly NamedRuleWithOperations[]

/**
 * Returns the resource that a rule names: the request's, or with the match policy Equivalent another resource that serves the
 * same objects. Returns undefined when no rule matches.
 */
export function matchRules(
  rules: Rules,
  matchPolicy: string | undefined,
  attributes: AdmissionAttributes
): ServedResource | undefined {
  const requested = requestedResource(attributes)
  for (const rule of rules) if (ruleMatches(rule, attributes, requested)) return requested
  if (matchPolicy !== 'Equivalent') return undefined
  const equivalents = equivalentsOf(attributes.context.services.registry, attributes.resource)
  if (equivalents.length < 2) return undefined
  for (const rule of rules)
    for (const equivalent of equivalents)
      if (!isSame(equivalent, requested) && ruleMatches(rule, attributes, equivalent) && hasSubresource(equivalent, attributes))
        return equivalent
  return undefined
}

/** Whether the resource has the request's subresource: versions of a custom resource may differ in their subresources. */
function hasSubresource({ resource: { kind } }: ServedResource, { subresource }: AdmissionAttributes): boolean {
  if (subresource === 'status') return kind.subresources?.status !== undefined
  if (subresource === 'scale') return kind.subresources?.scale !== undefined
  return subresource === '' || own(kind.subresources?.others, subresource) !== undefined
}

export const requestedResource = ({ resource, context }: AdmissionAttributes): ServedResource => ({
  resource,
  version: context.version
})

export const isSame = (a: ServedResource, b: ServedResource) => a.resource === b.resource && a.version === b.version

function ruleMatches(rule: NamedRuleWithOperations, attributes: AdmissionAttributes, { resource, version }: ServedResource) {
  return (
    inScope(rule.scope, attributes) &&
    names(rule.operations, attributes.operation) &&
    names(rule.apiGroups, resource.group) &&
    names(rule.apiVersions, version) &&
    (rule.resources ?? []).some(text => namesResource(text, resource.resource, attributes.subresource)) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(attributes.name))
  )
}

const names = (list: readonly string[] | undefined, value: string) =>
  list !== undefined && (list.includes('*') || list.includes(value))

/** Whether a rule's text names the resource: "pods", "pods/status", "pods/*", "*", or "*" + "/status" for every status. */
function namesResource(text: string, resource: string, subresource: string): boolean {
  const slash = text.indexOf('/')
  const named = slash < 0 ? text : text.slice(0, slash)
  const below = slash < 0 ? '' : text.slice(slash + 1)
  return (named === '*' || named === resource) && (below === '*' || below === subresource)
}

/** Whether the scope fits. A request for a Namespace has that namespace, but the object is cluster-scoped. */
function inScope(scope: string | undefined, { namespace, resource }: AdmissionAttributes): boolean {
  if (scope === undefined || scope === '*') return true
  const namespaced = namespace !== '' && !(resource.group === '' && resource.resource === 'namespaces')
  return namespaced === (scope === 'Namespaced')
}

/** Whether a rule could match requests for one of the resources. Policies and webhooks are indexed by this. */
export function couldMatch(rules: Rules, resources: readonly ServedResource[]): boolean {
  return rules.some(rule =>
    resources.some(
      ({ resource }) =>
        names(rule.apiGroups, resource.group) &&
        (rule.resources ?? []).some(text => text.startsWith('*') || text.split('/', 1)[0] === resource.resource)
    )
  )
}
