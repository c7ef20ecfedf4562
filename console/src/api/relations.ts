import { resources } from './discovery.js'
import { collectionPath, groupOf, objectPath } from './paths.js'
import { request } from './request.js'
import type { KubeObject, ObjectMeta, Resource } from './types.js'

/** An object among its owners and dependents. */
export interface Relative {
  readonly key: string
  readonly resource: Resource | undefined
  readonly kind: string
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'deletionTimestamp'>
  /** An owner to which somebody refers, and which is not there. */
  readonly isMissing: boolean
}

export interface Family {
  readonly relatives: readonly Relative[]
  /** From owner to dependent, by key. */
  readonly edges: readonly (readonly [string, string])[]
  /** Kinds that could not be read, or not as a whole. */
  readonly partly: readonly string[]
}

const oneMetadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'
const manyMetadata = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
/** Of each kind. */
const most = 500
const mostRelatives = 300

const keyOf = (metadata: Pick<ObjectMeta, 'uid' | 'name'>): string => metadata.uid ?? metadata.name

/**
 * Finds the owners of an object, their owners, and all that belongs to them, by `ownerReferences`. Reads the metadata of the kinds of its namespace; kinds
 * that have hardly ever an owner are left out.
 */
export async function familyOf(resource: Resource, object: KubeObject, signal: AbortSignal): Promise<Family> {
  const relatives = new Map<string, Relative>()
  const edges: [string, string][] = []
  const partly: string[] = []
  const add = (found: Relative) => {
    if (!relatives.has(found.key)) relatives.set(found.key, found)
  }
  add({ key: keyOf(object.metadata), resource, kind: resource.kind, metadata: object.metadata, isMissing: false })

  // up, to where nobody owns
  let frontier: ObjectMeta[] = [object.metadata]
  while (frontier.length > 0 && relatives.size < mostRelatives) {
    const owners = frontier.flatMap(metadata => (metadata.ownerReferences ?? []).map(reference => ({ metadata, reference })))
    frontier = []
    for (const { metadata, reference } of owners) {
      edges.push([reference.uid, keyOf(metadata)])
      if (relatives.has(reference.uid)) continue
      const found = resources.value?.find(is => is.group === groupOf(reference) && is.kind === reference.kind)
      const owner = found && (await readMetadata(found, found.namespaced ? metadata.namespace : '', reference.name, signal))
      // another object of the same name is not the owner
      const isIt = owner?.uid === reference.uid
      add({
        key: reference.uid,
        resource: found,
        kind: reference.kind,
        metadata: isIt ? owner : { name: reference.name, uid: reference.uid },
        isMissing: owner !== undefined && !isIt
      })
      if (isIt) frontier.push(owner)
    }
  }

  // down, from all that has been found
  const children = new Map<string, { resource: Resource; metadata: ObjectMeta }[]>()
  const listed = (resources.value ?? []).filter(
    is => is.verbs.includes('list') && is.name !== 'events' && (is.namespaced || !object.metadata.namespace)
  )
  const lists = await Promise.allSettled(
    listed.map(is =>
      request<{ items: KubeObject[] | null; metadata: { continue?: string } }>(collectionPath(is, object.metadata.namespace), {
        accept: manyMetadata,
        query: { limit: most },
        signal
      })
    )
  )
  for (const [i, list] of lists.entries()) {
    const is = listed[i]!
    if (list.status === 'rejected' || list.value.metadata.continue) partly.push(is.name)
    for (const { metadata } of list.status === 'fulfilled' ? (list.value.items ?? []) : [])
      for (const { uid } of metadata.ownerReferences ?? [])
        children.set(uid, [...(children.get(uid) ?? []), { resource: is, metadata }])
  }
  const queue = [...relatives.keys()]
  for (let owner = queue.shift(); owner !== undefined; owner = queue.shift()) {
    for (const { resource: is, metadata } of children.get(owner) ?? []) {
      if (relatives.size >= mostRelatives) {
        partly.push('the rest')
        return { relatives: [...relatives.values()], edges: known(edges, relatives), partly: [...new Set(partly)] }
      }
      const key = keyOf(metadata)
      edges.push([owner, key])
      if (relatives.has(key)) continue
      add({ key, resource: is, kind: is.kind, metadata, isMissing: false })
      queue.push(key)
    }
  }
  return { relatives: [...relatives.values()], edges: known(edges, relatives), partly: [...new Set(partly)] }
}

/** Edges between relatives, each once. */
const known = (edges: readonly (readonly [string, string])[], relatives: ReadonlyMap<string, unknown>) => {
  const all = new Map(edges.filter(([from, to]) => relatives.has(from) && relatives.has(to)).map(edge => [edge.join('>'), edge]))
  return [...all.values()]
}

async function readMetadata(
  resource: Resource,
  namespace = '',
  name: string,
  signal: AbortSignal
): Promise<ObjectMeta | undefined> {
  try {
    return (await request<KubeObject>(objectPath(resource, namespace, name), { accept: oneMetadata, signal })).metadata
  } catch (error) {
    if ((error as { code?: number }).code === 404) return { name }
    return undefined
  }
}
