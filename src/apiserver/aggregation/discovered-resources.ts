/**
 * Reads the discovery documents of other API servers. Only fields that the API has are kept, because clients may ask for
 * Protobuf.
 */
import type {
  DiscoveredGroup,
  DiscoveredKind,
  DiscoveredResource,
  DiscoveredSubresource
} from '../endpoints/discovery-document.js'
import { parseAnswer } from './remote-request.js'

type Json = Readonly<Record<string, unknown>>

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const objects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'object' && item !== null && !Array.isArray(item)) : []
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(item => typeof item === 'string') : [])
const fields = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})

const kindOf = (value: unknown): DiscoveredKind => {
  const { group, version, kind } = fields(value)
  return { group: text(group), version: text(version), kind: text(kind) }
}

/** Reads the groups of an APIGroupDiscoveryList. Throws for anything else. */
export function readGroups(body: Buffer): DiscoveredGroup[] {
  const { kind, items } = fields(parseAnswer(body))
  if (kind !== 'APIGroupDiscoveryList') throw new Error(`unexpected kind ${JSON.stringify(kind)}`)
  return objects(items).map(({ metadata, versions }) => ({
    metadata: nameOf(text(fields(metadata).name)),
    versions: objects(versions).map(({ version, resources, freshness }) => ({
      version: text(version),
      ...(objects(resources).length > 0 ? { resources: objects(resources).map(readResource) } : {}),
      freshness: text(freshness)
    }))
  }))
}

const nameOf = (name: string) => (name === '' ? {} : { name })

/** Reads an APIGroupDiscoveryList, and returns its resources by "group/version". Throws for anything else. */
export function readAggregated(body: Buffer): Map<string, readonly DiscoveredResource[]> {
  const found = new Map<string, readonly DiscoveredResource[]>()
  for (const { metadata, versions } of readGroups(body))
    for (const { version, resources = [] } of versions) found.set(`${metadata.name ?? ''}/${version}`, resources)
  return found
}

function readResource(json: Json): DiscoveredResource {
  const subresources = objects(json.subresources).map(({ subresource, responseKind, acceptedTypes, verbs }) => ({
    subresource: text(subresource),
    responseKind: kindOf(responseKind),
    ...(objects(acceptedTypes).length > 0 ? { acceptedTypes: objects(acceptedTypes).map(kindOf) } : {}),
    verbs: texts(verbs)
  }))
  return resourceOf(
    {
      resource: text(json.resource),
      responseKind: kindOf(json.responseKind),
      scope: text(json.scope),
      singularResource: text(json.singularResource),
      verbs: texts(json.verbs)
    },
    json,
    subresources
  )
}

const resourceOf = (
  resource: DiscoveredResource,
  { shortNames, categories }: Json,
  subresources: readonly DiscoveredSubresource[]
): DiscoveredResource => ({
  ...resource,
  ...(texts(shortNames).length > 0 ? { shortNames: texts(shortNames) } : {}),
  ...(texts(categories).length > 0 ? { categories: texts(categories) } : {}),
  ...(subresources.length > 0 ? { subresources } : {})
})

const noKind: DiscoveredKind = { group: '', version: '', kind: '' }

/** Reads the APIResourceList of a server without aggregated discovery. Throws for anything else. */
export function readLegacy(body: Buffer): DiscoveredResource[] {
  const { kind, resources } = fields(parseAnswer(body))
  if (kind !== 'APIResourceList') throw new Error(`unexpected kind ${JSON.stringify(kind)}`)
  const scopeOf = ({ namespaced }: Json) => (namespaced === true ? 'Namespaced' : 'Cluster')
  const entries = objects(resources).map(json => ({ json, path: text(json.name).split('/') }))
  const parents = new Map<string, { resource: DiscoveredResource; json: Json; subresources: DiscoveredSubresource[] }>()
  for (const { json, path } of entries) {
    const [name = '', sub] = path
    if (sub !== undefined) continue
    const resource = {
      resource: name,
      responseKind: kindOf(json),
      scope: scopeOf(json),
      singularResource: text(json.singularName),
      verbs: texts(json.verbs)
    }
    parents.set(name, { resource, json, subresources: [] })
  }
  for (const { json, path } of entries) {
    const [name = '', ...rest] = path
    if (rest.length === 0) continue
    const scope = scopeOf(json)
    let parent = parents.get(name)
    if (!parent) {
      const resource = { resource: name, responseKind: noKind, scope, singularResource: '', verbs: [] }
      parents.set(name, (parent = { resource, json: {}, subresources: [] }))
    }
    if (parent.resource.scope !== scope) throw new Error(`the scopes of ${name} and ${path.join('/')} do not match`)
    parent.subresources.push({
      subresource: rest.join('/'),
      responseKind: text(json.kind) === '' ? noKind : kindOf(json),
      verbs: texts(json.verbs)
    })
  }
  return [...parents.values()].map(({ resource, json, subresources }) => resourceOf(resource, json, subresources))
}
