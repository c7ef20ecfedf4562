/** Deletes the content of a namespace on extension API servers, as the namespace controller. */

import type { UserInfo } from '../../apimachinery/request/user.js'
import type { RemoteContent, RemoteRemaining, RemoteResult } from '../../controllers/remote-content.js'
import type { DiscoveredResource } from '../endpoints/discovery-document.js'
import type { ApiServiceTable, RemoteVersion } from './api-service-table.js'
import { preferredResources } from './preferred-resources.js'
import type { RemoteConnections } from './remote-connections.js'
import type { RemoteDiscovery } from './remote-discovery.js'
import { askRemote, parseAnswer, type RemoteAnswer } from './remote-request.js'

const user: UserInfo = {
  name: 'system:serviceaccount:kube-system:namespace-controller',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated']
}
const timeoutMs = 30_000
const maxBytes = 32 * 1024 * 1024
/** How many objects are listed at a time. */
const pageSize = 500
const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'

interface Listed {
  readonly metadata?: { readonly remainingItemCount?: number }
  readonly items?: readonly { readonly metadata?: { readonly name?: string; readonly finalizers?: readonly string[] } }[]
}

export function namespaceContent(
  table: ApiServiceTable,
  discovery: RemoteDiscovery,
  connections: RemoteConnections
): RemoteContent {
  const send = (remote: RemoteVersion, path: string, method: string, body?: object): Promise<RemoteAnswer> =>
    askRemote(connections, {
      server: remote.server,
      user,
      method,
      path: `/apis/${remote.group}/${remote.version}${path}`,
      headers: { accept: metadataOnly, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      timeoutMs,
      maxBytes
    })

  const list = async (remote: RemoteVersion, path: string): Promise<Listed | undefined> => {
    const { status, body } = await send(remote, `${path}?limit=${pageSize}`, 'GET')
    // discovery may promise what the server cannot do
    if (status === 404 || status === 405) return undefined
    if (status !== 200) throw new Error(`listing ${path}: status ${status}`)
    return parseAnswer(body) as Listed
  }

  const remove = async (remote: RemoteVersion, path: string, { verbs }: DiscoveredResource): Promise<void> => {
    const options = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', propagationPolicy: 'Background' }
    if (verbs.includes('deletecollection')) {
      const { status } = await send(remote, path, 'DELETE', options)
      if (status < 300) return
      if (status !== 404 && status !== 405) throw new Error(`deleting ${path}: status ${status}`)
    }
    if (!verbs.includes('list')) return
    for (const { metadata } of (await list(remote, path))?.items ?? []) {
      const { status } = await send(remote, `${path}/${encodeURIComponent(metadata?.name ?? '')}`, 'DELETE', options)
      if (status >= 300 && status !== 404) throw new Error(`deleting ${path}: status ${status}`)
    }
  }

  return {
    unknown: () =>
      [...table.all()]
        .filter(({ name }) => discovery.of(name)?.freshness !== 'Current')
        .map(({ group, version }) => `${group}/${version}`)
        .sort(),
    async empty(namespace): Promise<RemoteResult> {
      const remaining: RemoteRemaining[] = []
      const errors: string[] = []
      for (const { remote, resource } of preferredResources(table, discovery)) {
        if (resource.scope !== 'Namespaced' || !resource.verbs.includes('delete')) continue
        const path = `/namespaces/${namespace}/${resource.resource}`
        try {
          await remove(remote, path, resource)
          const left = resource.verbs.includes('list') ? await list(remote, path) : undefined
          if (left?.items?.length) remaining.push(counted(remote.group, resource.resource, left))
        } catch (error) {
          errors.push((error as Error).message)
        }
      }
      return { remaining, errors }
    }
  }
}

function counted(group: string, resource: string, { items = [], metadata }: Listed): RemoteRemaining {
  const finalizers = new Map<string, number>()
  for (const item of items)
    for (const name of item.metadata?.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1)
  return { group, resource, objects: items.length + (metadata?.remainingItemCount ?? 0), finalizers }
}
