import { builtinKinds } from '../kinds/index.js'
import { UserError } from '../util/user-error.js'

/** Servers of etcd that store some resources only, from --etcd-servers-overrides. */
export interface EtcdOverride {
  readonly servers: readonly string[]
  /** What the keys of the resources begin with, below the root: `events`. */
  readonly paths: ReadonlySet<string>
}

/**
 * Reads --etcd-servers-overrides: `group/resource#servers`, with semicolons between servers. Returns one entry for each set of servers.
 * Throws a UserError.
 */
export function etcdOverrides(texts: readonly string[]): EtcdOverride[] {
  const found = new Map<string, { servers: readonly string[]; paths: Set<string> }>()
  for (const text of texts) {
    const [, group, resource, list] = /^([^/#]*)\/([^/#]*)#([^#]+)$/.exec(text) ?? []
    const servers = list?.split(';')
    if (!servers || servers.includes(''))
      throw new UserError(
        `--etcd-servers-overrides ${JSON.stringify(text)}: must be of format: group/resource#servers, where servers are URLs, semicolon separated`
      )
    const kind = builtinKinds.find(known => known.group === group && known.resource === resource && !known.virtual)
    if (!kind)
      throw new UserError(`--etcd-servers-overrides ${JSON.stringify(text)}: no built-in resource has this group and name`)
    const key = [...servers].sort().join(';')
    let override = found.get(key)
    if (!override) found.set(key, (override = { servers, paths: new Set() }))
    override.paths.add(kind.storage?.path ?? kind.resource)
  }
  return [...found.values()]
}
