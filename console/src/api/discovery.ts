import { signal } from '@preact/signals'
import { forgetSchemas } from './openapi.js'
import { request } from './request.js'
import type { Resource } from './types.js'

interface DiscoveredResource {
  resource: string
  responseKind?: { kind: string }
  scope: 'Namespaced' | 'Cluster'
  singularResource?: string
  verbs?: string[]
  shortNames?: string[]
  categories?: string[]
  subresources?: { subresource: string }[]
}
interface DiscoveryList {
  items?: { metadata?: { name?: string }; versions?: { version: string; resources?: DiscoveredResource[] }[] }[]
}

/** All kinds of the server, in the order in which it names them. Undefined until they have been read. */
export const resources = signal<readonly Resource[]>()

// Aggregated discovery: two requests for everything (KEP-3352).
const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'

/** Reads which kinds the server has. Nothing changes for the views while they are the same. */
export async function discover(): Promise<void> {
  const lists = await Promise.all(['/api', '/apis'].map(path => request<DiscoveryList>(path, { accept })))
  const found = lists.flatMap(resourcesOf)
  if (JSON.stringify(found) === JSON.stringify(resources.value)) return
  resources.value = found
  forgetSchemas()
}

/** Returns the resources of a discovery list: each once, in the first version that has it, which is the preferred one. */
export function resourcesOf(list: DiscoveryList): Resource[] {
  return (list.items ?? []).flatMap(item => {
    const group = item.metadata?.name ?? ''
    const seen = new Map<string, Resource>()
    for (const { version, resources: found } of item.versions ?? []) {
      for (const entry of found ?? []) if (!seen.has(entry.resource)) seen.set(entry.resource, resourceOf(group, version, entry))
    }
    return [...seen.values()]
  })
}

function resourceOf(group: string, version: string, entry: DiscoveredResource): Resource {
  return {
    group,
    version,
    name: entry.resource,
    kind: entry.responseKind?.kind || entry.resource,
    singular: entry.singularResource || entry.resource,
    namespaced: entry.scope === 'Namespaced',
    verbs: entry.verbs ?? [],
    shortNames: entry.shortNames ?? [],
    categories: entry.categories ?? [],
    subresources: (entry.subresources ?? []).map(({ subresource }) => subresource)
  }
}

export const findResource = (group: string, name: string): Resource | undefined =>
  resources.value?.find(resource => resource.group === group && resource.name === name)

export const findKind = (group: string, kind: string): Resource | undefined =>
  resources.value?.find(resource => resource.group === group && resource.kind === kind)
