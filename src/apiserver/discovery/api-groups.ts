import { apiServicePriority, customPriority, groupRank } from '../../registry/group-priorities.js'
import { compareVersions } from '../../util/version-order.js'
import type { ApiGroup, ApiGroupVersion, Backend } from '../endpoints/backend.js'

/** The priorities of an APIService; undefined where there is none. */
export type PriorityOf = (group: string, version: string) => { readonly group: number; readonly version: number } | undefined

const noPriorities: PriorityOf = () => undefined

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The groups of all backends, in the order of discovery. The first backend that has a group version serves it. Priorities are those of
 * the APIServices; a version that has none yet counts as the APIService will that the server makes for it.
 */
export function apiGroups(backends: readonly Backend[], priorityOf: PriorityOf = noPriorities): ApiGroup[] {
  const groups = new Map<string, { hasRoutes: boolean; versions: Map<string, ApiGroupVersion> }>()
  for (const backend of backends)
    for (const { name, hasRoutes, versions } of backend.groups()) {
      const known = groups.get(name)
      if (known) {
        known.hasRoutes ||= hasRoutes
        for (const version of versions) if (!known.versions.has(version.name)) known.versions.set(version.name, version)
      } else groups.set(name, { hasRoutes, versions: new Map(versions.map(version => [version.name, version])) })
    }
  return [...groups]
    .map(([name, { hasRoutes, versions }]) => ({
      name,
      hasRoutes,
      rank: rankOf(name, [...versions.keys()], priorityOf),
      versions: [...versions.values()].sort(byPriority(name, priorityOf))
    }))
    .sort((a, b) => b.rank - a.rank || byText(a.name, b.name))
}

function rankOf(group: string, versions: readonly string[], priorityOf: PriorityOf): number {
  // the group of APIServices has none itself, and comes first
  if (group === 'apiregistration.k8s.io' || group === '') return groupRank(group)
  return Math.max(...versions.map(version => priorityOf(group, version)?.group ?? groupRank(group)))
}

function byPriority(group: string, priorityOf: PriorityOf): (a: ApiGroupVersion, b: ApiGroupVersion) => number {
  const priority = ({ name }: ApiGroupVersion) =>
    (priorityOf(group, name) ?? apiServicePriority(group, name) ?? customPriority).version
  return (a, b) => priority(b) - priority(a) || compareVersions(a.name, b.name)
}
