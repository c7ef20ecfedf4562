import { request } from './request.js'
import type { KubeObject, Resource } from './types.js'

/** A version of an object, as the server remembers it (docs/history.md). */
export interface Version {
  readonly resourceVersion: string
  readonly change: 'created' | 'updated' | 'deleted' | 'known'
  readonly time?: string
  readonly user?: string
  readonly manager?: string
  readonly operation?: string
  readonly subresource?: string
}

/** How far back the server remembers. */
export interface Window {
  readonly since?: string
  readonly note?: string
}

const root = '/binnacle/v1/history'
const identity = ({ group, name }: Resource, namespace = '', object = '') => ({ resource: name, group, namespace, name: object })

/** The versions of an object, the newest first: at most 100, and where they go on. */
export const versionsOf = (resource: Resource, namespace: string, name: string, after: string, signal: AbortSignal) =>
  request<{ versions: Version[]; history: Window; continue?: string }>(`${root}/versions`, {
    query: { ...identity(resource, namespace, name), continue: after },
    signal
  })

/** An object as it was at a version, as JSON. */
export async function objectAt(
  resource: Resource,
  namespace: string,
  name: string,
  resourceVersion: string,
  signal: AbortSignal
) {
  return request<KubeObject>(`${root}/objects`, { query: { ...identity(resource, namespace, name), resourceVersion }, signal })
}

/** All objects of a kind as they were at a time. */
export async function objectsAt(resource: Resource, namespace: string, at: string, signal: AbortSignal): Promise<KubeObject[]> {
  const all: KubeObject[] = []
  let after = ''
  do {
    const page = await request<{ items: KubeObject[]; metadata: { continue?: string } }>(`${root}/objects`, {
      query: { ...identity(resource, namespace), at, continue: after },
      signal
    })
    all.push(...page.items)
    after = page.metadata.continue ?? ''
  } while (after)
  return all
}

/** Creates the last version of a deleted object anew. */
export const undelete = (resource: Resource, namespace: string, name: string) =>
  request<KubeObject & { missingOwners?: unknown }>(`${root}/undelete`, {
    method: 'POST',
    body: identity(resource, namespace, name)
  })
