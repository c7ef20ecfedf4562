import type { KubeObject, Resource } from './types.js'

type Kind = Pick<Resource, 'group' | 'version' | 'name' | 'namespaced'>

export const apiVersionOf = ({ group, version }: Pick<Resource, 'group' | 'version'>): string =>
  group ? `${group}/${version}` : version

/** The path of a collection: of one namespace, or of all if it is empty. */
export function collectionPath(resource: Kind, namespace = ''): string {
  const root = resource.group ? `/apis/${resource.group}/${resource.version}` : `/api/${resource.version}`
  return resource.namespaced && namespace
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${resource.name}`
    : `${root}/${resource.name}`
}

export const objectPath = (resource: Kind, namespace: string, name: string, subresource = ''): string =>
  `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}${subresource ? `/${subresource}` : ''}`

// The core group has no name, and a segment of a path needs one.
const groupSegment = (group: string): string => group || 'core'
export const groupOfSegment = (segment: string): string => (segment === 'core' ? '' : segment)

/** The console's own address of the list of a resource. */
export const listRoute = (resource: Pick<Resource, 'group' | 'name'>): string =>
  `/console/list/${groupSegment(resource.group)}/${resource.name}`

/** The console's own address of the fields of a kind. */
export const schemaRoute = (resource: Pick<Resource, 'group' | 'name'>): string =>
  `/console/schema/${groupSegment(resource.group)}/${resource.name}`

/** The console's own address of an object. */
export function objectRoute(
  resource: Pick<Resource, 'group' | 'name'>,
  namespace: string | undefined,
  name: string,
  tab = ''
): string {
  const path = [groupSegment(resource.group), resource.name, namespace || '-', encodeURIComponent(name)].join('/')
  return `/console/object/${path}${tab ? `/${tab}` : ''}`
}

export const groupOf = ({ apiVersion }: Pick<KubeObject, 'apiVersion'>): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
