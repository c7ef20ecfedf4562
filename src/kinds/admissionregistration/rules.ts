/** Validates the rules that say which requests a webhook or policy matches. */
import type { NamedRuleWithOperations, RuleWithOperations } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isPathSegmentName } from '../../apimachinery/validation/names.js'

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const mutatingOperations = operations.filter(o => o !== 'DELETE')
const scopes = ['*', 'Cluster', 'Namespaced']

export function defaultRule(rule: RuleWithOperations): void {
  rule.scope ??= '*'
}

export function validateRule(rule: RuleWithOperations, at: Path, errors: FieldErrors): void {
  validateWildcardList(rule.operations, at.child('operations'), 'operations', errors)
  rule.operations?.forEach((operation, i) => {
    if (!operations.includes(operation)) errors.notSupported(at.child('operations').index(i), operation, operations)
  })
  validateWildcardList(rule.apiGroups, at.child('apiGroups'), 'API groups', errors)
  validateWildcardList(rule.apiVersions, at.child('apiVersions'), 'API versions', errors)
  rule.apiVersions?.forEach((version, i) => {
    if (version === '') errors.required(at.child('apiVersions').index(i))
  })
  validateResources(rule.resources, at.child('resources'), errors)
  if (rule.scope !== undefined && !scopes.includes(rule.scope)) errors.notSupported(at.child('scope'), rule.scope, scopes)
}

export function validateNamedRule(rule: NamedRuleWithOperations, at: Path, errors: FieldErrors): void {
  const seen = new Set<string>()
  rule.resourceNames?.forEach((name, i) => {
    for (const e of isPathSegmentName(name)) errors.invalid(at.child('resourceNames').index(i), name, e)
    if (seen.has(name)) errors.duplicate(at.child('resourceNames').index(i), name)
    seen.add(name)
  })
  validateRule(rule, at, errors)
}

/** Validates the operations of a mutating policy, which cannot match DELETE, because there is no new object. */
export function validateMutatingOperations(
  rules: readonly NamedRuleWithOperations[] | undefined,
  path: Path,
  errors: FieldErrors
): void {
  for (const operation of rules?.flatMap(rule => rule.operations ?? []) ?? [])
    if (!mutatingOperations.includes(operation)) errors.notSupported(path, operation, mutatingOperations)
}

function validateWildcardList(list: readonly string[] | undefined, path: Path, what: string, errors: FieldErrors): void {
  if (!list?.length) errors.required(path)
  else if (list.length > 1 && list.includes('*')) errors.invalid(path, list, `if '*' is present, must not specify other ${what}`)
}

function validateResources(resources: readonly string[] | undefined, path: Path, errors: FieldErrors): void {
  if (!resources?.length) {
    errors.required(path)
    return
  }
  // resources with all subresources, and subresources of all resources
  const allOf = new Set<string>()
  const ofAll = new Set<string>()
  let named = false
  resources.forEach((text, i) => {
    if (text === '') {
      errors.required(path.index(i))
      return
    }
    const [resource = '', subresource] = text.split(/\/(.*)/s)
    if (subresource === undefined) {
      // only the last one counts
      named = text !== '*'
      return
    }
    if (allOf.has(resource)) errors.invalid(path.index(i), text, `if '${resource}/*' is present, must not specify ${text}`)
    if (ofAll.has(subresource)) errors.invalid(path.index(i), text, `if '*/${subresource}' is present, must not specify ${text}`)
    if (subresource === '*') allOf.add(resource)
    if (resource === '*') ofAll.add(subresource)
  })
  if (resources.length > 1 && resources.includes('*/*'))
    errors.invalid(path, resources, "if '*/*' is present, must not specify other resources")
  if (resources.includes('*') && named) {
    errors.invalid(path, resources, "if '*' is present, must not specify other resources without subresources")
  }
}
