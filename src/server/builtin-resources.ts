import type { EffectiveVersion } from '../apimachinery/features/effective-version.js'
import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import { loadSchema } from '../apimachinery/schema/load.js'
import { builtinKinds } from '../kinds/index.js'
import type { KindVersion } from '../registry/kind.js'
import type { Registry } from '../registry/registry.js'
import { Resource } from '../registry/resource.js'
import type { Clock } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import { suggest } from '../util/suggest.js'
import { UserError } from '../util/user-error.js'
import type { Storage } from './open-storage.js'
import type { ServerOptions } from './options.js'
import { checkRuntimeConfig, type ServedRules, servedVersions, storageVersionOf, withPlainKeys } from './runtime-config.js'

/** The groups of all built-in kinds, including those that are switched off. */
export const builtinGroups: ReadonlySet<string> = new Set(builtinKinds.map(kind => kind.group))

/** Resources that the server itself needs, even when --runtime-config switches them off. */
const indispensable: ReadonlySet<string> = new Set(['/namespaces', 'coordination.k8s.io/leases'])

/** The name by which `apiGroups` calls the core group, whose own name is empty. */
const core = 'core'

/**
 * Returns the groups that the option `apiGroups` keeps; undefined for all. Throws a UserError for a group that does not exist.
 */
function servedGroups(groups: readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (groups === undefined) return undefined
  const known = new Set([...builtinGroups].map(group => group || core))
  for (const group of groups) {
    if (known.has(group)) continue
    const near = suggest(group, known)
    const hint = near === undefined ? `there are ${[...known].sort().join(', ')}` : `did you mean ${near}?`
    throw new UserError(`--api-groups: there is no group ${JSON.stringify(group)}; ${hint}`)
  }
  return new Set(groups.map(group => (group === core ? '' : group)))
}

interface Needs {
  readonly options: ServerOptions
  readonly features: FeatureGates
  readonly version: EffectiveVersion
  readonly storage: Pick<Storage, 'storeOf'>
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Adds the built-in resources that --api-groups, --feature-gates and --runtime-config leave on. Throws a UserError for settings that name no API.
 */
export function addBuiltinResources(registry: Registry, { options, features, version, storage, clock, log }: Needs): void {
  const rules: ServedRules = {
    config: withPlainKeys(options.runtimeConfig ?? {}),
    emulated: version.emulated,
    forwardCompatible: options.emulationForwardCompatible ?? false,
    servesNamed: options.runtimeConfigEmulationForwardCompatible ?? false
  }
  checkRuntimeConfig(builtinKinds, rules)
  const groups = servedGroups(options.apiGroups)
  const eventTtl = Math.max(1, Math.floor((options.eventTtl ?? 3_600_000) / 1000))
  for (const kind of builtinKinds) {
    if (kind.featureGate && !features.enabled(kind.featureGate)) continue
    const served = groups?.has(kind.group) === false ? [] : servedVersions(kind, rules)
    const versions = served.map(one => withDueWarning(one, version.emulated))
    if (versions.length === 0 && !indispensable.has(`${kind.group}/${kind.resource}`)) continue
    const ttl = kind.storage?.expires ? eventTtl : undefined
    const storageVersion = storageVersionOf(kind, version)
    const store = storage.storeOf(kind.storage?.path ?? kind.resource)
    const common = { kind, versions, store, types: loadSchema(), now: () => clock.now(), log }
    const resource = new Resource({ ...common, ttl, storageVersion })
    if (versions.length > 0) registry.add(resource)
    else registry.keep(resource)
  }
}

/** Returns the version without its deprecation warning when the emulated release does not deprecate it yet. */
function withDueWarning(version: KindVersion, emulated: number): KindVersion {
  const since = /deprecated in v1\.(\d+)\+/.exec(version.deprecation ?? '')?.[1]
  if (since === undefined || Number(since) <= emulated) return version
  const { deprecation: _, ...others } = version
  return others
}
