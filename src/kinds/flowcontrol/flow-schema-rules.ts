/** Validates the rules of a flow schema, which match subjects and their requests. */
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject
} from '../../apimachinery/api/generated/flowcontrol-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { nameIsLabel, nameIsSubdomain } from '../../apimachinery/validation/names.js'

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

export function validatePolicyRule(rule: PolicyRulesWithSubjects, at: Path, errors: FieldErrors): void {
  const { subjects, resourceRules, nonResourceRules } = rule
  if (!subjects?.length) errors.required(at.child('subjects'), 'subjects must contain at least one value')
  subjects?.forEach((subject, i) => void validateSubject(subject, at.child('subjects').index(i), errors))
  if (!resourceRules?.length && !nonResourceRules?.length)
    errors.required(at, 'at least one of resourceRules and nonResourceRules has to be non-empty')
  resourceRules?.forEach((r, i) => void validateResourceRule(r, at.child('resourceRules').index(i), errors))
  nonResourceRules?.forEach((r, i) => void validateNonResourceRule(r, at.child('nonResourceRules').index(i), errors))
}

/** The field that each kind of subject must have, alone. */
const subjectFields = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group']
] as const

function validateSubject(subject: Subject, at: Path, errors: FieldErrors): void {
  const own = subjectFields.find(([kind]) => kind === subject.kind)
  if (!own) {
    errors.notSupported(at.child('kind'), subject.kind, ['Group', 'ServiceAccount', 'User'])
    return
  }
  const [kind, field] = own
  const given = subject[field]
  if (!given) errors.required(at.child(field), `${field} is required when subject kind is '${kind}'`)
  else if (given.name === '') errors.required(at.child(field, 'name'))
  if (subject.kind === 'ServiceAccount' && subject.serviceAccount)
    validateServiceAccount(subject.serviceAccount, at.child(field), errors)
  for (const [other, otherField] of subjectFields) {
    if (other !== kind && subject[otherField])
      errors.forbidden(at.child(otherField), `${otherField} is forbidden when subject kind is not '${other}'`)
  }
}

function validateServiceAccount({ namespace, name }: { namespace: string; name: string }, at: Path, errors: FieldErrors): void {
  if (name !== '' && name !== '*') for (const e of nameIsSubdomain(name, false)) errors.invalid(at.child('name'), name, e)
  if (namespace === '') errors.required(at.child('namespace'), 'must specify namespace for service account')
  else for (const e of nameIsLabel(namespace, false)) errors.invalid(at.child('namespace'), namespace, e)
}

function validateVerbs(given: readonly string[] | null, path: Path, errors: FieldErrors): void {
  if (!given?.length) errors.required(path, 'verbs must contain at least one value')
  else if (given.includes('*')) validateAlone(given, path, 'verbs', errors)
  else if (given.some(v => !verbs.includes(v))) errors.notSupported(path, given, verbs)
}

/** Validates a list in which '*' stands for everything and must be the only item. */
function validateAlone(given: readonly string[] | null, path: Path, what: string, errors: FieldErrors): void {
  if (given && given.length > 1 && given.includes('*'))
    errors.invalid(path, given, `if '*' is present, must not specify other ${what}`)
}

function validateResourceRule(rule: ResourcePolicyRule, at: Path, errors: FieldErrors): void {
  validateVerbs(rule.verbs, at.child('verbs'), errors)
  if (!rule.apiGroups?.length) errors.required(at.child('apiGroups'), 'resource rules must supply at least one api group')
  validateAlone(rule.apiGroups, at.child('apiGroups'), 'api groups', errors)
  if (!rule.resources?.length) errors.required(at.child('resources'), 'resource rules must supply at least one resource')
  validateAlone(rule.resources, at.child('resources'), 'resources', errors)
  const path = at.child('namespaces')
  const namespaces = rule.namespaces ?? []
  if (namespaces.length === 0 && !rule.clusterScope)
    errors.required(path, 'resource rules that are not cluster scoped must supply at least one namespace')
  if (namespaces.includes('*')) validateAlone(namespaces, path, 'namespaces', errors)
  else
    namespaces.forEach((namespace, i) => {
      for (const e of nameIsLabel(namespace, false))
        errors.invalid(path.index(i), namespace, `each member of this list must be '*' or a DNS-1123 label; ${e}`)
    })
}

function validateNonResourceRule(rule: NonResourcePolicyRule, at: Path, errors: FieldErrors): void {
  validateVerbs(rule.verbs, at.child('verbs'), errors)
  const path = at.child('nonResourceURLs')
  const urls = rule.nonResourceURLs ?? []
  if (urls.length === 0) errors.required(path, 'nonResourceURLs must contain at least one value')
  else if (urls.includes('*')) validateAlone(urls, path, 'non-resource URLs', errors)
  else urls.forEach((url, i) => void validateUrl(url, path.index(i), errors))
}

function validateUrl(url: string, path: Path, errors: FieldErrors): void {
  const star = url.indexOf('*')
  if (url === '') errors.invalid(path, url, 'must not be empty')
  else if (url === '/') return
  else if (!url.startsWith('/')) errors.invalid(path, url, 'must start with slash')
  else if (url.includes(' ')) errors.invalid(path, url, 'must not contain white-space')
  else if (url.includes('//')) errors.invalid(path, url, 'must not contain double slash')
  else if (star >= 0 && (star < url.length - 1 || !url.endsWith('/*')))
    errors.invalid(path, url, 'wildcard can only do suffix matching')
}
