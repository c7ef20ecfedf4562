/**
 * Which versions are served: --runtime-config over each version's default
 * (https://kubernetes.io/docs/reference/using-api/#enabling-or-disabling). The most specific setting decides.
 */
import type { KindDefinition, KindVersion } from '../registry/kind.js'
import { UserError } from '../util/user-error.js'

const stageOf = (version: string) => (version.includes('alpha') ? 'api/alpha' : version.includes('beta') ? 'api/beta' : 'api/ga')

/** The versions of a kind that a server serves. */
export function servedVersions(kind: KindDefinition, config: Readonly<Record<string, boolean>>): KindVersion[] {
  return kind.versions.filter(version => {
    if (version.apiVersion !== undefined) return false
    const groupVersion = kind.group === '' ? version.name : `${kind.group}/${version.name}`
    const settings = [`${groupVersion}/${kind.resource}`, groupVersion, stageOf(version.name), 'api/all']
    for (const key of settings) if (Object.hasOwn(config, key)) return config[key]
    return version.served !== false
  })
}

/** Refuses settings that name nothing that could be served. */
export function checkRuntimeConfig(kinds: readonly KindDefinition[], config: Readonly<Record<string, boolean>>): void {
  const known = new Set(['api/all', 'api/ga', 'api/beta', 'api/alpha'])
  for (const kind of kinds) {
    for (const { name } of kind.versions) {
      const groupVersion = kind.group === '' ? name : `${kind.group}/${name}`
      known.add(groupVersion).add(`${groupVersion}/${kind.resource}`)
    }
  }
  const unknown = Object.keys(config).find(key => !known.has(key))
  if (unknown !== undefined)
    throw new UserError(
      `--runtime-config ${unknown}: no such API; name a version like batch/v1, a resource like apps/v1/deployments, or api/all, api/ga, api/beta, api/alpha`
    )
}
