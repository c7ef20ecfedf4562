/** Owners and dependents on extension API servers, for the garbage collector. */
import type { OwnerReference } from '../api/generated/meta-v1.js'
import type { RemoteDependent, RemoteGarbage } from '../controllers/remote-content.js'
import type { UserInfo } from '../request/user.js'
import type { ApiServiceTable, RemoteVersion } from './api-service-table.js'
import type { DiscoveredResource } from './discovered-resources.js'
import { preferredResources } from './preferred-resources.js'
import type { RemoteConnections } from './remote-connections.js'
import type { RemoteDiscovery } from './remote-discovery.js'
import { askRemote, type RemoteAnswer } from './remote-request.js'

const user: UserInfo = {
  name: 'system:serviceaccount:kube-system:generic-garbage-collector',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated']
}
const timeoutMs = 30_000
const maxBytes = 32 * 1024 * 1024
const pageSize = 500
const accept = (kind: string) => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`

interface Metadata {
  readonly name?: string
  readonly namespace?: string
  readonly uid?: string
  readonly deletionTimestamp?: string
  readonly ownerReferences?: readonly OwnerReference[]
}

interface Page {
  readonly metadata?: { readonly continue?: string }
  readonly items?: readonly { readonly metadata?: Metadata }[]
}

export function remoteGarbage(table: ApiServiceTable, discovery: RemoteDiscovery, connections: RemoteConnections): RemoteGarbage {
  const send = (
    { server, group, version }: RemoteVersion,
    path: string,
    request: { readonly method?: string; readonly accept: string; readonly body?: object }
  ): Promise<RemoteAnswer> =>
    askRemote(connections, {
      server,
      user,
      method: request.method ?? 'GET',
      path: `/apis/${group}/${version}${path}`,
      headers: { accept: request.accept, ...(request.body ? { 'content-type': 'application/json' } : {}) },
      ...(request.body ? { body: JSON.stringify(request.body) } : {}),
      timeoutMs,
      maxBytes
    })

  const pathOf = ({ scope, resource }: DiscoveredResource, namespace: string, name: string) =>
    `${scope === 'Namespaced' ? `/namespaces/${namespace}` : ''}/${resource}/${encodeURIComponent(name)}`

  async function* dependents(): AsyncGenerator<RemoteDependent> {
    for (const { remote, resource } of preferredResources(table, discovery)) {
      if (!resource.verbs.includes('delete') || !resource.verbs.includes('list')) continue
      let next = ''
      do {
        const path = `/${resource.resource}?limit=${pageSize}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`
        const { status, body } = await send(remote, path, { accept: accept('PartialObjectMetadataList') })
        if (status !== 200) break
        const page = JSON.parse(body.toString()) as Page
        for (const { metadata = {} } of page.items ?? []) {
          const { name = '', namespace = '', uid, deletionTimestamp, ownerReferences: owners } = metadata
          if (deletionTimestamp !== undefined || uid === undefined || !owners?.length) continue
          const options = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', preconditions: { uid } }
          const removal = { method: 'DELETE', accept: 'application/json', body: options }
          yield {
            uid,
            namespace,
            owners,
            delete: async () => void (await send(remote, pathOf(resource, namespace, name), removal))
          }
        }
        next = page.metadata?.continue ?? ''
      } while (next !== '')
    }
  }

  return {
    get isEmpty() {
      return table.isEmpty
    },
    dependents,
    async standing({ apiVersion, kind, name, uid }, namespace) {
      const slash = apiVersion.indexOf('/')
      const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)]
      const remote = table.find(group, version)
      const known = remote && discovery.of(remote.name)
      const resource = known?.resources?.find(({ responseKind }) => responseKind.kind === kind)
      if (!remote || known?.freshness !== 'Current' || !resource) return 'unknown'
      if (resource.scope === 'Namespaced' && namespace === '') return 'unknown'
      const { status, body } = await send(remote, pathOf(resource, namespace, name), { accept: accept('PartialObjectMetadata') })
      if (status === 404) return 'absent'
      if (status !== 200) return 'unknown'
      const found = JSON.parse(body.toString()) as { readonly metadata?: Metadata }
      return found.metadata?.uid === uid ? 'solid' : 'absent'
    }
  }
}
