/** Reads the metadata of objects on extension API servers, and deletes objects there, as the garbage collector. */
import type { UserInfo } from '../../apimachinery/request/user.js'
import type { RemoteResource } from './preferred-resources.js'
import type { RemoteConnections } from './remote-connections.js'
import { askRemote, parseAnswer, type RemoteAnswer, streamRemote } from './remote-request.js'
import type { RemoteMetadata, RemotePage } from './remote-watch.js'

const user: UserInfo = {
  name: 'system:serviceaccount:kube-system:generic-garbage-collector',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated']
}
const timeoutMs = 30_000
const maxBytes = 32 * 1024 * 1024
const pageSize = 500

const accept = (kind: string) => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`

interface Sent {
  readonly method: string
  readonly type: string
  readonly body: object
}

export class RemoteObjects {
  readonly #connections: RemoteConnections
  /** The most pages of a list, because a server that never ends would keep others from being listed. */
  readonly #maxPages: number

  constructor(connections: RemoteConnections, maxPages = 10_000) {
    this.#connections = connections
    this.#maxPages = maxPages
  }

  /** Yields the pages of all objects. Throws when the server does not answer with them. */
  async *list(of: RemoteResource, signal: AbortSignal): AsyncGenerator<RemotePage> {
    let next = ''
    let pages = 0
    do {
      signal.throwIfAborted()
      if (++pages > this.#maxPages) throw new Error(`listing ${of.resource.resource}: more than ${this.#maxPages} pages`)
      const query = `limit=${pageSize}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`
      const { status, body } = await this.#ask(of, `${allOf(of)}?${query}`, accept('PartialObjectMetadataList'))
      // discovery may promise what the server cannot do
      if (status === 404 || status === 405) return
      if (status !== 200) throw new Error(`listing ${of.resource.resource}: status ${status}`)
      const page = parseAnswer(body) as RemotePage
      yield page
      next = page.metadata?.continue ?? ''
    } while (next !== '')
  }

  watch(of: RemoteResource, resourceVersion: string, timeoutSeconds: number, signal: AbortSignal) {
    const version = encodeURIComponent(resourceVersion)
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${version}&timeoutSeconds=${timeoutSeconds}`
    const { server } = of.remote
    const headers = { accept: accept('PartialObjectMetadata') }
    return streamRemote(this.#connections, { server, user, path: `${allOf(of)}?${query}`, headers }, signal)
  }

  async get(of: RemoteResource, namespace: string, name: string): Promise<RemoteMetadata | 'absent' | 'unknown'> {
    const { status, body } = await this.#ask(of, pathOf(of, namespace, name), accept('PartialObjectMetadata'))
    if (status === 404) return 'absent'
    if (status !== 200) return 'unknown'
    return (parseAnswer(body) as { readonly metadata?: RemoteMetadata }).metadata ?? {}
  }

  /** Does nothing when the object has changed meanwhile. */
  async delete(
    of: RemoteResource,
    { name = '', namespace = '', uid, resourceVersion, finalizers = [] }: RemoteMetadata
  ): Promise<void> {
    const policy = finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background'
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/v1',
      preconditions: { uid, resourceVersion },
      propagationPolicy: finalizers.includes('orphan') ? 'Orphan' : policy
    }
    const { status } = await this.#ask(of, pathOf(of, namespace, name), 'application/json', {
      method: 'DELETE',
      type: 'application/json',
      body
    })
    // another object has taken the name, the object is gone, or it has changed and will come again
    if (status >= 300 && status !== 404 && status !== 409) throw new Error(`deleting ${namespace}/${name}: status ${status}`)
  }

  /** Removes the reference to an owner. Throws when the object has changed meanwhile. */
  async leaveOwner(of: RemoteResource, metadata: RemoteMetadata, owner: string): Promise<void> {
    const { name = '', namespace = '', uid, resourceVersion, ownerReferences = [] } = metadata
    const kept = ownerReferences.filter(reference => reference.uid !== owner)
    const body = { metadata: { uid, resourceVersion, ownerReferences: kept.length > 0 ? kept : null } }
    const { status } = await this.#ask(of, pathOf(of, namespace, name), accept('PartialObjectMetadata'), {
      method: 'PATCH',
      type: 'application/merge-patch+json',
      body
    })
    if (status >= 300 && status !== 404) throw new Error(`removing an owner of ${namespace}/${name}: status ${status}`)
  }

  #ask({ remote: { server } }: RemoteResource, path: string, accepted: string, sent?: Sent): Promise<RemoteAnswer> {
    return askRemote(this.#connections, {
      server,
      user,
      path,
      headers: { accept: accepted, ...(sent && { 'content-type': sent.type }) },
      ...(sent && { method: sent.method, body: JSON.stringify(sent.body) }),
      timeoutMs,
      maxBytes
    })
  }
}

const rootOf = ({ remote: { group, version } }: RemoteResource): string => `/apis/${group}/${version}`
const allOf = (of: RemoteResource): string => `${rootOf(of)}/${of.resource.resource}`
const pathOf = (of: RemoteResource, namespace: string, name: string): string =>
  `${rootOf(of)}${of.resource.scope === 'Namespaced' ? `/namespaces/${namespace}` : ''}/${of.resource.resource}/${encodeURIComponent(name)}`
