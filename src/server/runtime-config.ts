/**
 * Finds the served versions from --runtime-config, each version's default and the emulated release
 * (https://kubernetes.io/docs/reference/using-api/#enabling-or-disabling). The most specific setting decides. Errors are kube-apiserver's.
 */
import { lifecycleOf } from '../apimachinery/features/api-lifecycle.js'
import type { EffectiveVersion } from '../apimachinery/features/effective-version.js'
import type { KindDefinition, KindVersion } from '../registry/kind.js'
import { goQuote } from '../util/go-format.js'
import { UserError } from '../util/user-error.js'

type RuntimeConfig = Readonly<Record<string, boolean>>

export interface ServedRules {
  /** The settings, with normalised keys. */
  readonly config: RuntimeConfig
  /** The minor version of the emulated release. */
  readonly emulated: number
  /** Whether a version that the emulated release lacks is served where a less stable one of the same resource is. */
  readonly forwardCompatible: boolean
  /** Whether a version that the emulated release lacks is served where the runtime configuration names it. */
  readonly servesNamed: boolean
}

const stageOf = (version: string) => (version.includes('alpha') ? 'api/alpha' : version.includes('beta') ? 'api/beta' : 'api/ga')

/** The core group has an empty name that users write in several ways: `v1/pods`, `/v1/pods` and `api/v1/pods` are equal. */
const coreKey = /^(?:\/|api\/)?(v1(?:\/.*)?)$/
/** A key of former Kubernetes versions that has no effect any more. */
const ignored = 'api/legacy'

/** Normalises the keys, so that each API has one name. */
export function withPlainKeys(config: RuntimeConfig): RuntimeConfig {
  const entries = Object.entries(config).filter(([key]) => key !== ignored)
  return Object.fromEntries(entries.map(([key, value]) => [coreKey.exec(key)?.[1] ?? key, value]))
}

const groupVersionOf = ({ group }: KindDefinition, { name }: KindVersion) => (group === '' ? name : `${group}/${name}`)

/** Returns the versions of a kind that the server serves. Throws a UserError for a named resource that the emulated release lacks. */
export function servedVersions(kind: KindDefinition, rules: ServedRules): KindVersion[] {
  const { emulated, forwardCompatible } = rules
  const enabled = kind.versions.filter(version => version.apiVersion === undefined && isEnabled(kind, version, rules))
  const served = enabled.filter(version => {
    const { introduced = 0, removed = Number.POSITIVE_INFINITY } = lifecycleOf(groupVersionOf(kind, version), kind.kind)
    return removed > emulated && (introduced <= emulated || isNamed(kind, version, rules, introduced))
  })
  if (!forwardCompatible || !served.some(({ name }) => !name.includes('alpha'))) return served
  // versions stand in descending stability, and what is more stable than a served one is served
  const last = kind.versions.indexOf(served.filter(({ name }) => !name.includes('alpha')).at(-1)!)
  return kind.versions.filter(
    (version, i) =>
      served.includes(version) || (i < last && version.apiVersion === undefined && !isDisabled(kind, version, rules))
  )
}

/** Returns the settings that apply to a version of a kind, the most specific first. */
const settingsOf = (kind: KindDefinition, version: KindVersion): string[] => {
  const groupVersion = groupVersionOf(kind, version)
  return [`${groupVersion}/${kind.resource}`, groupVersion, stageOf(version.name), 'api/all']
}

function isEnabled(kind: KindDefinition, version: KindVersion, { config }: ServedRules): boolean {
  const key = settingsOf(kind, version).find(key => Object.hasOwn(config, key))
  return key === undefined ? version.served !== false : config[key]!
}

function isDisabled(kind: KindDefinition, version: KindVersion, { config }: ServedRules): boolean {
  return settingsOf(kind, version)
    .slice(0, 2)
    .some(key => config[key] === false)
}

/** Whether the configuration explicitly asks for a version that the emulated release lacks, and may do so. */
function isNamed(kind: KindDefinition, version: KindVersion, rules: ServedRules, introduced: number): boolean {
  const { config, servesNamed, emulated } = rules
  const [resource, groupVersion] = settingsOf(kind, version) as [string, string]
  if (servesNamed) return config[resource] === true || config[groupVersion] === true
  if (config[resource] === true)
    throw new UserError(
      `cannot enable resource ${groupVersion}, Resource=${kind.resource} in runtime-config because it is introduced at 1.${introduced} after the current version 1.${emulated}. Consider setting --runtime-config-emulation-forward-compatible=true`
    )
  return false
}

const stages: ReadonlySet<string> = new Set(['api/all', 'api/ga', 'api/beta', 'api/alpha'])

/** Throws a UserError for a setting that names no known version. As in kube-apiserver, the resource need not exist. */
export function checkRuntimeConfig(kinds: readonly KindDefinition[], rules: ServedRules): void {
  const { config } = rules
  const names = Object.keys(config)
  if (names.length === 1 && config['api/all'] === false) throw new UserError('invalid runtime-config with only api/all=false')
  const groups = new Set(kinds.map(({ group }) => group))
  const versions = new Set(kinds.flatMap(kind => kind.versions.map(version => groupVersionOf(kind, version))))
  const keys = names.filter(key => !stages.has(key)).map(key => parseKey(key))
  const unknown = keys.filter(({ group }) => !groups.has(group)).map(({ groupVersion }) => groupVersion)
  if (unknown.length > 0) throw new UserError(`--runtime-config: unknown api groups ${[...new Set(unknown)].sort().join(',')}`)
  for (const { key, groupVersion, resource } of keys) {
    if (!versions.has(groupVersion))
      throw new UserError(`--runtime-config: group version ${groupVersion} that has not been registered`)
    if (resource !== resource.toLowerCase())
      throw new UserError(
        `--runtime-config: invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${goQuote(resource)}`
      )
  }
  for (const groupVersion of versions) {
    if (config[groupVersion] !== true || rules.servesNamed || rules.forwardCompatible) continue
    const of = kinds.filter(kind => kind.versions.some(version => groupVersionOf(kind, version) === groupVersion))
    if (of.every(({ kind }) => (lifecycleOf(groupVersion, kind).introduced ?? 0) > rules.emulated))
      throw new UserError(
        `cannot enable version ${groupVersion} in runtime-config because all the resources have been introduced after the current version 1.${rules.emulated}. Consider setting --runtime-config-emulation-forward-compatible=true`
      )
  }
}

function parseKey(key: string) {
  const parts = key.startsWith('v1') ? ['', ...key.split('/')] : key.split('/')
  const [group, version, resource = '', ...others] = parts as [string, string | undefined, ...string[]]
  if (version === undefined || others.length > 0) throw new UserError(`--runtime-config: runtime-config invalid key ${key}`)
  return { key, group, groupVersion: group === '' ? version : `${group}/${version}`, resource }
}

/**
 * Returns the version in which the objects of a kind are stored: the first one that the oldest release knows which shares the store, where
 * alpha versions do not count, because they promise nothing; or else the first one that the emulated release knows.
 */
export function storageVersionOf(kind: KindDefinition, { emulated, minCompatibility }: EffectiveVersion): string {
  const { storedAs } = kind.storage ?? {}
  // a few kinds declare for how long they stay with an older version
  const fixed = kind.versions.find(({ name }) => storedAs?.group === kind.group && storedAs.version === name)
  const isKnown = (version: KindVersion, release: number) =>
    (lifecycleOf(groupVersionOf(kind, version), kind.kind).introduced ?? 0) <= release
  const safe = kind.versions.find(version => !version.name.includes('alpha') && isKnown(version, minCompatibility))
  return (fixed ?? safe ?? kind.versions.find(version => isKnown(version, emulated)) ?? kind.versions[0]).name
}
