/** Reads and validates the file of --audit-policy-file, with kube-apiserver's words. */
import { readFileSync } from 'node:fs'
import { type ConfigKind, readConfigLeniently, strictMessage } from '../../apimachinery/config/read-config.js'
import { bool, list, named, pointer, raw, string, struct, typeMeta } from '../../apimachinery/config/types.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import type { Logger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { type Policy, type PolicyRule, stages } from './policy.js'

const stage = named('v1.Stage')

const groupResources = struct('v1.GroupResources', {
  group: string,
  resources: list(string),
  resourceNames: list(string)
})

const rule = struct('v1.PolicyRule', {
  level: named('v1.Level'),
  users: list(string),
  userGroups: list(string),
  verbs: list(string),
  resources: list(groupResources),
  namespaces: list(string),
  nonResourceURLs: list(string),
  omitStages: list(stage),
  omitManagedFields: pointer(bool)
})

const policyKind: ConfigKind = {
  kind: 'Policy',
  versions: {
    'audit.k8s.io/v1': struct('v1.Policy', {
      ...typeMeta,
      metadata: raw,
      rules: list(rule),
      omitStages: list(stage),
      omitManagedFields: bool
    })
  },
  others: { Event: 'audit.Event', EventList: 'audit.EventList', PolicyList: 'audit.PolicyList' }
}

/** Reads the policy in `path`. Throws a UserError for a file that is missing or not valid. */
export function loadPolicy(path: string, log: Logger): Policy {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw refused(`failed to read file path ${JSON.stringify(path)}: ${goFileError(path, error)}`)
  }
  try {
    return readPolicy(text, log)
  } catch (error) {
    throw refused(`${(error as Error).message}: from file ${path}`)
  }
}

const refused = (why: string) => new UserError(`loading audit policy file: ${why}`)

function goFileError(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ENOENT' ? `open ${path}: no such file or directory` : message
}

/** Reads the text of a policy. Unknown and duplicate fields are logged, but do not make it invalid. */
export function readPolicy(text: string, log: Logger): Policy {
  let read: ReturnType<typeof readConfigLeniently>
  try {
    read = readConfigLeniently(text, policyKind)
  } catch (error) {
    const { message } = error as Error
    // kube-apiserver takes such a file for its internal type
    const isUnnamed = /^Object '(?:Kind|apiVersion)' is missing/.test(message)
    throw new Error(
      isUnnamed ? 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy' : `failed decoding: ${message}`
    )
  }
  const { object, strictErrors } = read
  if (strictErrors.length > 0)
    log.error(`Audit policy contains errors, falling back to lenient decoding: ${strictMessage(strictErrors)}`)
  const policy = object as Policy
  const errors = new FieldErrors()
  errors.collect(() => validatePolicy(policy, errors))
  if (errors.any) throw new Error(aggregate(errors))
  if ((policy.rules ?? []).length === 0) throw new Error('loaded illegal policy with 0 rules')
  return policy
}

/** Formats errors like Go's aggregate: each message once, in brackets when there are several. */
function aggregate({ list: found }: FieldErrors): string {
  const messages = [...new Set(found.map(({ field, message }) => `${field}: ${message}`))]
  return messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`
}

const levels: readonly string[] = ['None', 'Metadata', 'Request', 'RequestResponse']

function validatePolicy({ omitStages, rules }: Policy, errors: FieldErrors): void {
  validateStages(omitStages, Path.of('omitStages'), errors)
  for (const [i, one] of (rules ?? []).entries()) validateRule(one, Path.of('rules').index(i), errors)
}

function validateRule(given: PolicyRule, path: Path, errors: FieldErrors): void {
  const { level = '', nonResourceURLs: urls = [], resources = [], namespaces = [] } = given
  if (level === '') errors.required(path.child('level'))
  else if (!levels.includes(level)) errors.notSupported(path.child('level'), level, levels)
  for (const [i, url] of urls.entries()) {
    if (url === '*') continue
    const place = path.child('nonResourceURLs').index(i)
    if (!url.startsWith('/')) errors.invalid(place, url, "non-resource URL rules must begin with a '/' character")
    if (url.slice(0, -1).includes('*'))
      errors.invalid(place, url, "non-resource URL wildcards '*' must be the final character of the rule")
  }
  for (const { group = '', resources: within = [], resourceNames = [] } of resources) {
    const wrong = group === '' || group === '*' ? [] : isDns1123Subdomain(group)
    if (wrong.length > 0) errors.invalid(path.child('resources', 'group'), group, wrong.join(','))
    if (resourceNames.length > 0 && within.length === 0)
      errors.invalid(
        path.child('resources', 'resourceNames'),
        resourceNames,
        'using resourceNames requires at least one resource'
      )
  }
  validateStages(given.omitStages, path.child('omitStages'), errors)
  if (urls.length > 0 && (resources.length > 0 || namespaces.length > 0))
    errors.invalid(path.child('nonResourceURLs'), urls, 'rules cannot apply to both regular resources and non-resource URLs')
}

function validateStages(given: readonly string[] | undefined, path: Path, errors: FieldErrors): void {
  for (const [i, name] of (given ?? []).entries())
    if (!(stages as readonly string[]).includes(name))
      errors.invalid(path.index(i), name, `allowed stages are ${stages.join(',')}`)
}
