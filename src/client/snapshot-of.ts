/** What a cluster holds, as manifests from which a server can start: the state for the tests of a CI. */
import { type Status, StatusError } from '../apimachinery/status/status.js'
import { isObject } from '../util/json.js'
import { checkMembers, valueTypes } from '../util/members.js'
import { ownersFirst } from './owners-first.js'
import type { KubeClient, UntypedObject } from './types.js'

/**
 * What `snapshotOf` takes from a cluster.
 *
 * @example
 * const options: SnapshotOfOptions = { namespaces: ['shop'], secrets: true, progress: ({ resource, objects }) => console.log(resource, objects) }
 */
export interface SnapshotOfOptions {
  /** The namespaces whose objects are taken, with the Namespaces themselves; all. Objects outside of namespaces are taken in any case. */
  readonly namespaces?: readonly string[] | undefined
  /** The kinds that are taken, as `Deployment.apps` or `ConfigMap`; all that can be listed and created, but Events and Leases. */
  readonly kinds?: readonly string[] | undefined
  /** Whether Secrets are taken, but those with tokens of ServiceAccounts; false. */
  readonly secrets?: boolean | undefined
  /** Objects per request; 500. */
  readonly pageSize?: number | undefined
  /** Called after each page. */
  readonly progress?: ((progress: { readonly resource: string; readonly objects: number }) => void) | undefined
}

interface Listable {
  readonly apiVersion: string
  readonly group: string
  readonly kind: string
  readonly resource: string
  readonly namespaced: boolean
}

/**
 * Reads the objects of a cluster, in pages, with everything that it says about them: `server.apply` takes what this returns, and leaves out what only a server writes. Definitions and Namespaces
 * come first, and owners before what they own. What each cluster makes for itself is left out: its roles, its Service `kubernetes`, tokens, certificates of its authority. Kinds that the user may not list
 * are left out, too, unless `kinds` names them; rejects with a StatusError for those.
 *
 * @example
 * const objects = await snapshotOf(await connect(), { namespaces: ['shop'] })
 * await server.apply(objects)
 * await (await server.snapshot()).save('shop.snapshot')
 */
export async function snapshotOf(client: KubeClient, options: SnapshotOfOptions = {}): Promise<UntypedObject[]> {
  checkMembers(options, { members: optionTypes }, 'snapshotOf.')
  const objects: UntypedObject[] = []
  for (const listable of await listables(client)) {
    if (!isWanted(listable, options)) continue
    try {
      for (const path of pathsOf(listable, options)) objects.push(...(await listed(client, listable, path, options)))
    } catch (error) {
      // 405: a resource of another API server that only says that it can be listed
      const isHidden = error instanceof StatusError && [403, 404, 405].includes(error.code)
      if (!isHidden || options.kinds !== undefined) throw error
    }
  }
  const taken = objects.filter(object => isOfUsers(object, options))
  const rank = (object: UntypedObject) => (definesOthers(object) ? 0 : 1)
  return ownersFirst(
    taken.sort((a, b) => rank(a) - rank(b)),
    object => object.metadata
  )
}

const optionTypes = {
  namespaces: valueTypes.texts,
  kinds: valueTypes.texts,
  secrets: valueTypes.boolean,
  pageSize: valueTypes.number,
  progress: valueTypes.function
}

async function get<T>(client: KubeClient, url: string): Promise<T> {
  const response = await client.request({ method: 'GET', url })
  const body = response.json()
  if (response.status >= 400) throw new StatusError(body as Status)
  return body as T
}

interface GroupList {
  readonly groups: readonly { readonly name: string; readonly preferredVersion: { readonly groupVersion: string } }[]
}
interface ResourceList {
  readonly resources: readonly {
    readonly name: string
    readonly kind: string
    readonly namespaced: boolean
    readonly verbs: readonly string[]
  }[]
}
interface Page {
  readonly items: readonly UntypedObject[]
  readonly metadata?: { readonly continue?: string }
}

/** Each kind once, in the version that the server prefers. */
async function listables(client: KubeClient): Promise<Listable[]> {
  const { groups } = await get<GroupList>(client, '/apis')
  const places: [group: string, apiVersion: string, path: string][] = [['', 'v1', '/api/v1']]
  for (const { name, preferredVersion } of groups)
    places.push([name, preferredVersion.groupVersion, `/apis/${preferredVersion.groupVersion}`])
  const found: Listable[] = []
  for (const [group, apiVersion, path] of places) {
    const { resources } = await get<ResourceList>(client, path).catch((error): ResourceList => {
      // the API server behind an APIService may be down
      if (error instanceof StatusError && error.code === 503) return { resources: [] }
      throw error
    })
    for (const { name, kind, namespaced, verbs } of resources)
      if (!name.includes('/') && verbs.includes('list') && verbs.includes('create'))
        found.push({ apiVersion, group, kind, resource: name, namespaced })
  }
  return found
}

/** Kinds that tell of a moment, or that each server keeps for itself. */
const leftOut = new Set(['Event', 'Event.events.k8s.io', 'Lease.coordination.k8s.io', 'IPAddress.networking.k8s.io'])

function isWanted({ group, kind }: Listable, { kinds, secrets = false }: SnapshotOfOptions): boolean {
  const name = group === '' ? kind : `${kind}.${group}`
  if (name === 'Secret' && !secrets) return false
  return kinds ? kinds.includes(name) : !leftOut.has(name)
}

function pathsOf({ apiVersion, group, resource, namespaced }: Listable, { namespaces }: SnapshotOfOptions): string[] {
  const base = `/${group === '' ? 'api' : 'apis'}/${apiVersion}`
  if (!namespaced || !namespaces) return [`${base}/${resource}`]
  return namespaces.map(namespace => `${base}/namespaces/${encodeURIComponent(namespace)}/${resource}`)
}

async function listed(
  client: KubeClient,
  { apiVersion, kind, resource }: Listable,
  path: string,
  { pageSize = 500, progress }: SnapshotOfOptions
): Promise<UntypedObject[]> {
  const objects: UntypedObject[] = []
  let next = ''
  do {
    const query = new URLSearchParams({ limit: String(pageSize), ...(next === '' ? {} : { continue: next }) })
    const { items, metadata } = await get<Page>(client, `${path}?${query}`)
    for (const item of items) objects.push({ ...item, apiVersion, kind })
    next = metadata?.continue ?? ''
    progress?.({ resource, objects: objects.length })
  } while (next !== '')
  return objects
}

/** Names of what each cluster makes for itself. */
const ofClusters = new Set([
  'Service default/kubernetes',
  'Endpoints default/kubernetes',
  'EndpointSlice default/kubernetes',
  'ConfigMap kube-system/extension-apiserver-authentication',
  'ServiceCIDR /kubernetes'
])

/** Whether an object is not what every server makes by itself. */
function isOfUsers(object: UntypedObject, { namespaces }: SnapshotOfOptions): boolean {
  const { kind, metadata } = object
  const { name, namespace = '', labels = {}, annotations = {} } = metadata
  if (kind === 'Namespace' && namespaces && !namespaces.includes(name)) return false
  if (kind === 'ConfigMap' && name === 'kube-root-ca.crt') return false
  if (kind === 'Secret' && object.type === 'kubernetes.io/service-account-token') return false
  if (kind === 'APIService' && !(isObject(object.spec) && object.spec.service)) return false
  if (labels['kubernetes.io/bootstrapping'] !== undefined) return false
  if (annotations['apf.kubernetes.io/autoupdate-spec'] !== undefined) return false
  return !ofClusters.has(`${kind} ${namespace}/${name}`)
}

const definesOthers = ({ kind }: UntypedObject) => kind === 'CustomResourceDefinition' || kind === 'Namespace'
