/**
 * Finds the served versions from --runtime-config and each version's default
 * (https://kubernetes.io/docs/reference/using-api/#enabling-or-disabling). The most specific setting decides.
 */
import type { KindDefinition, KindVersion } from '../registry/kind.js'
import { UserError } from '../util/user-error.js'

type RuntimeConfig = Readonly<Record<string, boolean>>

const stageOf = (version: string) => (version.includes('alpha') ? 'api/alpha' : version.includes('beta') ? 'api/beta' : 'api/ga')

/** The core group has an empty name that users write in several ways: `v1/pods`, `/v1/pods` and `api/v1/pods` are equal. */
const coreKey = /^(?:\/|api\/)?(v1(?:\/.*)?)$/
/** A key of former Kubernetes versions, which no longer has an effect. */
const ignored = 'api/legacy'

/** Normalises the keys, so that each API has one name. */
export function withPlainKeys(config: RuntimeConfig): RuntimeConfig {
  const entries = Object.entries(config).filter(([key]) => key !== ignored)
  return Object.fromEntries(entries.map(([key, value]) => [coreKey.exec(key)?.[1] ?? key, value]))
}

const groupVersionOf = ({ group }: KindDefinition, { name }: KindVersion) => (group === '' ? name : `${group}/${name}`)

/** Returns the versions of a kind that the server serves. `config` has normalised keys. */
export function servedVersions(kind: KindDefinition, config: RuntimeConfig): KindVersion[] {
  return kind.versions.filter(version => {
    if (version.apiVersion !== undefined) return false
    const groupVersion = groupVersionOf(kind, version)
    const settings = [`${groupVersion}/${kind.resource}`, groupVersion, stageOf(version.name), 'api/all']
    for (const key of settings) if (Object.hasOwn(config, key)) return config[key]
    return version.served !== false
  })
}

/** Throws a UserError for a setting that names no known version. As in kube-apiserver, the resource need not exist. */
export function checkRuntimeConfig(kinds: readonly KindDefinition[], config: RuntimeConfig): void {
  const stages = new Set(['api/all', 'api/ga', 'api/beta', 'api/alpha'])
  const versions = new Set(kinds.flatMap(kind => kind.versions.map(version => groupVersionOf(kind, version))))
  for (const key of Object.keys(config)) {
    const groupVersion = key.startsWith('v1') ? key.split('/')[0]! : key.split('/').slice(0, 2).join('/')
    if (!stages.has(key) && !versions.has(groupVersion))
      throw new UserError(
        `--runtime-config ${key}: no such API; name a version like batch/v1 or v1, a resource like apps/v1/deployments, or api/all, api/ga, api/beta, api/alpha`
      )
  }
}
