/** The formats that fields declare: `+k8s:format=k8s-short-name`. */
import { goQuote } from '../../util/go-format.js'
import { type DomainAndNameRules, maxDomain, validateFullName } from '../validation/domain-and-name.js'
import type { FieldErrors, Path } from '../validation/field.js'
import { isCaselessLongName, isLabelKey, isLabelValue, isLongName, isPathSegmentName, isShortName } from '../validation/names.js'

type Format = (text: string, shown: unknown, path: Path, errors: FieldErrors) => void

const each =
  (check: (text: string) => string[]): Format =>
  (text, shown, path, errors) => {
    for (const problem of check(text)) errors.invalid(path, shown, problem)
  }

/** The same where kube-apiserver shows the value as a text without a type of its own. */
const asText =
  (check: (text: string) => string[]): Format =>
  (text, _, path, errors) =>
    each(check)(text, text, path, errors)

const maxPool = 253
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const uuidProblem = 'must be a lowercase UUID in 8-4-4-4-12 format'

export const formats: Readonly<Record<string, Format>> = {
  'k8s-short-name': each(isShortName),
  'k8s-long-name': each(isLongName),
  'k8s-long-name-caseless': each(isCaselessLongName),
  'k8s-label-key': each(isLabelKey),
  'k8s-prefixed-label-key': each(isPrefixedLabelKey),
  'k8s-label-value': each(isLabelValue),
  'k8s-path-segment-name': each(text => isPathSegmentName(text)),
  'k8s-uuid': asText(text => (uuid.test(text) ? [] : [uuidProblem])),
  'k8s-resource-pool-name': poolName,
  'k8s-extended-resource-name': asText(extendedResourceProblems),
  'k8s-resource-fully-qualified-name': (text, _, path, errors) => validateFullName(text, path, errors, fullNameRules)
}

function isPrefixedLabelKey(text: string): string[] {
  const problems = isLabelKey(text)
  return problems.length > 0 || text.includes('/') ? problems : ["must include a prefix (e.g. 'example.com/key')"]
}

function poolName(text: string, _: unknown, path: Path, errors: FieldErrors): void {
  if (Buffer.byteLength(text) > maxPool) errors.tooLong(path, maxPool)
  text.split('/').forEach((part, i) => {
    const problems = part === '' ? ['must not be empty'] : isLongName(part)
    for (const problem of problems) errors.invalid(path, part === '' ? text : part, `segment ${i}: ${problem}`)
  })
}

function extendedResourceProblems(text: string): string[] {
  const problems: string[] = []
  if (!text.includes('/')) problems.push("a name must be a domain-prefixed path, such as 'example.com/my-prop'")
  else if (text.includes('kubernetes.io/')) problems.push(`must not have ${goQuote('kubernetes.io/')} domain`)
  if (text.startsWith('requests.')) problems.push(`must not have ${goQuote('requests.')} prefix`)
  return [...problems, ...isLabelKey(`requests.${text}`)]
}

/** The hand-written rules of devices say it in other words (kinds/resource/qualified-name.ts). */
const fullNameRules: DomainAndNameRules = {
  domain: 'prefix',
  name: 'name',
  validateDomain(domain, path, errors) {
    if (Buffer.byteLength(domain) > maxDomain) errors.tooLong(path, maxDomain)
    for (const problem of isLongName(domain)) errors.invalid(path, domain, `prefix: ${problem}`)
  }
}
