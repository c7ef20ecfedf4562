/** The names of resources, as people write them: `pods`, `po`, `Pod`, `deployments.apps`. */
import { suggest } from '../../util/suggest.js'

export interface ResourceNames {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly kind: string
  readonly namespaced: boolean
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly verbs: readonly string[]
}

/** Finds a resource by its plural, singular, short name or kind, in that order, with `.group` behind it or without. */
export function findResource(all: readonly ResourceNames[], text: string): ResourceNames | undefined {
  const dot = text.indexOf('.')
  const [name, group] = dot < 0 ? [text, undefined] : [text.slice(0, dot), text.slice(dot + 1)]
  const lower = name.toLowerCase()
  const inGroup =
    group === undefined ? all : all.filter(names => names.group === group || `${names.version}.${names.group}` === group)
  const kinds: readonly ((names: ResourceNames) => boolean)[] = [
    ({ resource }) => resource === lower,
    ({ singular }) => singular === lower,
    ({ shortNames }) => shortNames.includes(lower),
    ({ kind }) => kind.toLowerCase() === lower
  ]
  for (const fits of kinds) {
    const found = inGroup.find(fits)
    if (found) return found
  }
  return undefined
}

/** Finds the resource of objects that others refer to by apiVersion and kind. */
export function resourceOfKind(all: readonly ResourceNames[], apiVersion: string, kind: string): ResourceNames | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return all.find(names => names.group === group && names.kind === kind)
}

/** Returns a resource whose name is near to one that does not exist. */
export const nearResource = (all: readonly ResourceNames[], text: string): string | undefined =>
  findResource(all, text)?.resource ??
  suggest(
    text.toLowerCase(),
    all.map(({ resource }) => resource)
  )

/** "deployments.apps" */
export const qualified = ({ group, resource }: Pick<ResourceNames, 'group' | 'resource'>): string =>
  group === '' ? resource : `${resource}.${group}`
