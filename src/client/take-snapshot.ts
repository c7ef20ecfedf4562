/** Takes the objects of a running cluster, so that a server can start with them. */
import { StatusError } from '../apimachinery/status/status.js'
import { checkMembers, valueTypes } from '../util/members.js'
import { UserError } from '../util/user-error.js'
import { refusal } from './connection.js'
import { groupPath } from './kind-names.js'
import type { KubeClient, UntypedObject } from './types.js'

/**
 * Options of `takeSnapshot`.
 *
 * @example
 * const options: TakeSnapshotOptions = { namespaces: ['shop'], secrets: true }
 */
export interface TakeSnapshotOptions {
  /** The namespaces whose objects are taken; all. Objects outside of namespaces are taken all the same. */
  readonly namespaces?: readonly string[] | undefined
  /** The only resources that are taken, beside namespaces and definitions: `pods`, `deployments.apps`; all but those that make themselves again. */
  readonly kinds?: readonly string[] | undefined
  /** Whether Secrets are taken, except those with tokens; false. */
  readonly secrets?: boolean | undefined
  /** Is told what cannot be read: `secrets: secrets is forbidden: …`. A warning of the process when there is no such function. */
  readonly onWarning?: ((text: string) => void) | undefined
}

/**
 * The objects of a cluster as a manifest, which `server.apply`, `useServer` and `kubectl apply -f` take.
 *
 * @example
 * const list: SnapshotList = await takeSnapshot(client)
 * await writeFile('cluster.json', JSON.stringify(list))
 */
export interface SnapshotList {
  readonly apiVersion: 'v1'
  readonly kind: 'List'
  /** Definitions first, then namespaces. Objects have their status and uids, by which owner references find their owners. */
  readonly items: readonly UntypedObject[]
}

/** What controllers and servers make again, what ends by itself, and what sends requests to programs that run in the cluster only. */
const leftOut = new Set([
  'certificatesigningrequests.certificates.k8s.io',
  'csinodes.storage.k8s.io',
  'endpoints',
  'endpointslices.discovery.k8s.io',
  'events',
  'events.events.k8s.io',
  'apiservices.apiregistration.k8s.io',
  'ipaddresses.networking.k8s.io',
  'leasecandidates.coordination.k8s.io',
  'leases.coordination.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'podcertificaterequests.certificates.k8s.io',
  'servicecidrs.networking.k8s.io',
  'storageversions.internal.apiserver.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io'
])

const tokens = new Set(['kubernetes.io/service-account-token', 'bootstrap.kubernetes.io/token'])
const definitions = 'customresourcedefinitions.apiextensions.k8s.io'
const pageSize = 500
/** How often a list begins again whose later pages have expired. */
const attempts = 3

interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly namespaced: boolean
  /** `deployments.apps` */
  readonly name: string
}

/**
 * Takes the objects of all kinds that a cluster serves, page by page. Left out are Secrets (`secrets: true` takes them), Events, Leases, endpoints,
 * tokens, configurations of webhooks, APIServices, what is being deleted, and what every API server makes for itself. Kinds and
 * namespaces that may not be read are left out with a warning. Objects that change meanwhile are taken as they are when their page is read.
 *
 * @example
 * await using cluster = await connect({ context: 'staging' })
 * const objects = await takeSnapshot(cluster, { namespaces: ['shop'] })
 * await server.apply(objects)
 */
export async function takeSnapshot(client: KubeClient, options: TakeSnapshotOptions = {}): Promise<SnapshotList> {
  checkMembers(options, { members: optionTypes, isData: true }, 'takeSnapshot.')
  const { namespaces, onWarning = text => process.emitWarning(text, 'BinnacleWarning') } = options
  const resources = await resourcesOf(client, onWarning)
  for (const name of options.kinds ?? [])
    if (!resources.some(resource => resource.name === name))
      throw new UserError(
        `takeSnapshot.kinds: the cluster has no resource ${JSON.stringify(name)}: they are named as deployments.apps`
      )
  const items: UntypedObject[] = []
  for (const resource of resources.filter(({ name }) => isWanted(name, options))) {
    const isNamespace = resource.name === 'namespaces'
    for (const namespace of namespaces && (resource.namespaced || isNamespace) ? namespaces : [undefined]) {
      try {
        // who may read a namespace need not be allowed to list all of them
        const objects =
          isNamespace && namespace !== undefined
            ? [await client.untyped('v1', 'Namespace').get(namespace)]
            : await pagesOf(client, resource, namespace)
        items.push(...objects.filter(object => isTaken(object, resource)))
      } catch (error) {
        if (!(error instanceof StatusError)) throw error
        onWarning(`${resource.name}${namespace === undefined ? '' : ` in ${namespace}`}: ${error.message}`)
      }
    }
  }
  // namespaces that are being deleted go with what is in them
  const there = new Set(
    items.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace').map(({ metadata }) => metadata.name)
  )
  const kept = items.filter(({ metadata: { namespace } }) => namespace === undefined || there.size === 0 || there.has(namespace))
  return { apiVersion: 'v1', kind: 'List', items: kept.map(withoutManagers) }
}

const optionTypes = {
  namespaces: valueTypes.texts,
  kinds: valueTypes.texts,
  secrets: valueTypes.boolean,
  onWarning: valueTypes.function
}

function isWanted(name: string, { kinds, secrets = false }: TakeSnapshotOptions): boolean {
  if (name === 'secrets' && !secrets) return false
  if (name === definitions || name === 'namespaces') return true
  return kinds ? kinds.includes(name) : !leftOut.has(name)
}

function isTaken(object: UntypedObject, { name }: Resource): boolean {
  if (object.metadata.deletionTimestamp !== undefined || isOfServer(object, name)) return false
  return name !== 'secrets' || !tokens.has(String(object.type))
}

/** Whether every API server makes the object for itself. */
function isOfServer({ metadata }: UntypedObject, resource: string): boolean {
  const { name, namespace, labels, annotations } = metadata
  if (labels?.['kubernetes.io/bootstrapping'] === 'rbac-defaults') return true
  if (annotations?.['apf.kubernetes.io/autoupdate-spec'] === 'true') return true
  switch (resource) {
    case 'configmaps':
      return name === 'kube-root-ca.crt' || (namespace === 'kube-system' && ofServer.has(name))
    case 'services':
      return namespace === 'default' && name === 'kubernetes'
    case 'clustertrustbundles.certificates.k8s.io':
      return name.startsWith('kubernetes.io:')
    case 'priorityclasses.scheduling.k8s.io':
      return name.startsWith('system-')
    default:
      return false
  }
}
const ofServer = new Set(['extension-apiserver-authentication', 'kube-apiserver-legacy-service-account-token-tracking'])

const withoutManagers = ({ metadata: { managedFields: _, ...metadata }, ...object }: UntypedObject): UntypedObject =>
  ({ ...object, metadata }) as UntypedObject

async function pagesOf(
  client: KubeClient,
  { apiVersion, kind }: Resource,
  namespace: string | undefined
): Promise<UntypedObject[]> {
  const objects = client.untyped(apiVersion, kind)
  for (let attempt = 1; ; attempt++) {
    const items: UntypedObject[] = []
    try {
      let token: string | undefined
      do {
        const list = await objects.list({ namespace, limit: pageSize, continue: token })
        items.push(...list.items)
        token = list.metadata?.continue || undefined
      } while (token !== undefined)
      return items
    } catch (error) {
      const isExpired = error instanceof StatusError && error.code === 410
      if (!isExpired || attempt === attempts) throw error
    }
  }
}

interface Discovery {
  readonly groups: readonly {
    readonly name: string
    readonly versions: readonly { readonly groupVersion: string }[]
    readonly preferredVersion: { readonly groupVersion: string }
  }[]
}
interface ResourceList {
  readonly resources: readonly {
    readonly name: string
    readonly kind: string
    readonly namespaced: boolean
    readonly verbs: readonly string[]
  }[]
}

/** The resources whose objects are stored, each in the group's preferred version or the first that has it: definitions and namespaces first. */
async function resourcesOf(client: KubeClient, onWarning: (text: string) => void): Promise<Resource[]> {
  const { groups } = await get<Discovery>(client, '/apis')
  const found = new Map<string, Resource>()
  const versions = groups.flatMap(({ name: group, versions: all, preferredVersion }) =>
    [...new Set([preferredVersion, ...all].map(({ groupVersion }) => groupVersion))].map(apiVersion => ({ group, apiVersion }))
  )
  for (const { group, apiVersion } of [{ group: '', apiVersion: 'v1' }, ...versions]) {
    try {
      const { resources } = await get<ResourceList>(client, groupPath(apiVersion))
      for (const { name: plural, kind, namespaced, verbs } of resources) {
        const name = group === '' ? plural : `${plural}.${group}`
        // what cannot be created is computed when it is asked for
        if (plural.includes('/') || found.has(name) || !verbs.includes('list') || !verbs.includes('create')) continue
        found.set(name, { apiVersion, kind, namespaced, name })
      }
    } catch (error) {
      // an extension API server that does not answer
      if (!(error instanceof StatusError)) throw error
      onWarning(`${apiVersion}: ${error.message}`)
    }
  }
  const rank = ({ name }: Resource) => (name === definitions ? 0 : name === 'namespaces' ? 1 : 2)
  return [...found.values()].sort((a, b) => rank(a) - rank(b))
}

async function get<T>(client: KubeClient, url: string): Promise<T> {
  const { status, headers, body, json } = await client.request({ method: 'GET', url })
  if (status >= 300) throw refusal(status, headers, body.toString())
  return json()
}
