/** The configuration of the plugin PodSecurity, pod-security.admission.config.k8s.io. */
import type { ConfigKind } from '../../apimachinery/config/read-config.js'
import { list, string, struct, typeMeta } from '../../apimachinery/config/types.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1123Label, isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import { aggregateText } from '../../util/go-format.js'
import { lax, levelRule, type Policy, parseLevel, parseVersion, type Standard, versionRule } from '../pod-security/policy.js'
import { errorTexts, InitializationError, readPluginConfig } from './plugin-configuration.js'

export interface PodSecuritySettings {
  /** The policy of namespaces without labels, and of each mode for which a namespace has none. */
  readonly defaults: Policy
  readonly exemptUsers: ReadonlySet<string>
  readonly exemptNamespaces: ReadonlySet<string>
  readonly exemptRuntimeClasses: ReadonlySet<string>
}

const nobody: ReadonlySet<string> = new Set()

export const defaultPodSecurity: PodSecuritySettings = {
  defaults: lax,
  exemptUsers: nobody,
  exemptNamespaces: nobody,
  exemptRuntimeClasses: nobody
}

const modes = ['enforce', 'audit', 'warn'] as const

function typeOf(version: string) {
  const defaults = modes.flatMap(mode => [mode, `${mode}-version`]).map(name => [name, string])
  return struct(`${version}.PodSecurityConfiguration`, {
    ...typeMeta,
    defaults: struct(`${version}.PodSecurityDefaults`, Object.fromEntries(defaults)),
    exemptions: struct(`${version}.PodSecurityExemptions`, {
      usernames: list(string),
      namespaces: list(string),
      runtimeClasses: list(string)
    })
  })
}

const group = 'pod-security.admission.config.k8s.io'
const kind: ConfigKind = {
  kind: 'PodSecurityConfiguration',
  versions: Object.fromEntries(['v1', 'v1beta1', 'v1alpha1'].map(version => [`${group}/${version}`, typeOf(version)]))
}

/**
 * Throws a ConfigError; for values that kube-apiserver checks only later, an InitializationError. An empty text counts as none.
 */
export function readPodSecurity(text: string | undefined): PodSecuritySettings {
  if (!text) return defaultPodSecurity
  const { defaults: given, exemptions } = readPluginConfig(text, kind).object
  const problems: string[] = []
  const standard = (mode: string): Standard => {
    const level = parseLevel(given[mode] ?? 'privileged')
    const minor = parseVersion(given[`${mode}-version`] ?? 'latest')
    if (level === undefined) problems.push(`${mode}: ${levelRule}`)
    if (minor === undefined) problems.push(`${mode}-version: ${versionRule}`)
    return { level: level ?? 'restricted', minor: minor ?? 'latest' }
  }
  const defaults: Policy = { enforce: standard('enforce'), audit: standard('audit'), warn: standard('warn') }
  if (problems.length > 0) throw new InitializationError(`PodSecurity configuration error: ${aggregateText(problems)}`)
  const errors = new FieldErrors()
  const exempt = (field: string, check: (name: string) => string[]) => namesOf(exemptions[field], field, check, errors)
  const settings = {
    defaults,
    exemptNamespaces: exempt('namespaces', isDns1123Label),
    exemptRuntimeClasses: exempt('runtimeClasses', isDns1123Subdomain),
    exemptUsers: exempt('usernames', name => (name === '' ? ['username must not be empty'] : []))
  }
  if (errors.any) throw new InitializationError(`PodSecurity invalid: ${aggregateText(errorTexts(errors))}`)
  return settings
}

function namesOf(
  names: readonly string[] = [],
  field: string,
  problemsOf: (name: string) => string[],
  errors: FieldErrors
): ReadonlySet<string> {
  const good = new Set<string>()
  names.forEach((name, i) => {
    const at = Path.of('exemptions', field).index(i)
    const problems = problemsOf(name)
    if (problems.length > 0) errors.invalid(at, name, problems.join(', '))
    else if (good.has(name)) errors.duplicate(at, name)
    else good.add(name)
  })
  return good
}
