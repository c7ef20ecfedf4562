/** Reads a cluster over its API, for explanations that its server does not give itself. */
import type { PolicyRule, RoleRef } from '../../apimachinery/api/generated/rbac-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { ObjectReader, ReadMetadata } from '../../apiserver/explain/reader.js'
import type { ResourceNames } from '../../apiserver/explain/resource-names.js'
import { rbacGroup } from '../../auth/authorization/rbac/group.js'
import type { RbacResource, ReadablePolicy, ReadRole } from '../../auth/authorization/rbac/readable-policy.js'
import { type Binding, bindingOf } from '../../auth/authorization/rbac/subjects.js'
import type { KubeClient } from '../../client/types.js'
import { isObject } from '../../util/json.js'

type Client = Pick<KubeClient, 'request'>

const parametersOf = (version: string, as: string) => `application/json;g=apidiscovery.k8s.io;v=${version};as=${as}`
const discovery = ['v2', 'v2beta1'].map(version => parametersOf(version, 'APIGroupDiscoveryList')).join(', ')
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

/** Sends a GET. Rejects with a StatusError for what the server refuses. */
export async function read(client: Client, url: string, accept = 'application/json'): Promise<any> {
  const { status, body } = await client.request({ url, headers: { accept } })
  const text = body.toString()
  if (status < 300) return JSON.parse(text)
  throw statusError(status, text)
}

export function statusError(code: number, text: string): StatusError {
  try {
    const status = JSON.parse(text)
    if (isObject(status) && status.kind === 'Status') return new StatusError(status as never)
  } catch {
    // a text of something else than an API server
  }
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: text.trim().slice(0, 500),
    code
  })
}

const isStatus = (error: unknown, code: number): boolean => error instanceof StatusError && error.code === code

export class ClusterReader implements ObjectReader {
  readonly #client: Client
  #resources: Promise<readonly ResourceNames[]> | undefined

  constructor(client: Client) {
    this.#client = client
  }

  resources(): Promise<readonly ResourceNames[]> {
    this.#resources ??= Promise.all(['/api', '/apis'].map(path => read(this.#client, path, discovery))).then(lists =>
      lists.flatMap(({ items }: { items?: readonly DiscoveredGroup[] | null }) => (items ?? []).flatMap(namesIn))
    )
    return this.#resources
  }

  #path({ group, version, resource, namespaced }: ResourceNames, namespace: string): string {
    const place = namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : ''
    return `${group === '' ? '/api' : `/apis/${group}`}/${version}${place}/${resource}`
  }

  object(of: ResourceNames, namespace: string, name: string): Promise<KubeObject> {
    return read(this.#client, `${this.#path(of, namespace)}/${encodeURIComponent(name)}`)
  }

  async list(of: ResourceNames, namespace: string): Promise<readonly ReadMetadata[] | undefined> {
    try {
      const { items } = await read(this.#client, this.#path(of, namespace), metadataList)
      // Go has null for no items
      return (items ?? []).map(({ metadata }: KubeObject) => ({
        namespace: metadata.namespace ?? '',
        name: metadata.name ?? '',
        uid: metadata.uid ?? '',
        finalizers: metadata.finalizers ?? [],
        owners: metadata.ownerReferences ?? [],
        deleting: metadata.deletionTimestamp !== undefined
      }))
    } catch (error) {
      if (isStatus(error, 403)) return undefined
      // discovery may be ahead of what is served
      if (isStatus(error, 404) || isStatus(error, 405)) return []
      throw error
    }
  }
}

interface DiscoveredGroup {
  readonly metadata: { readonly name?: string }
  readonly versions: readonly {
    readonly version: string
    readonly resources?:
      | null
      | readonly {
          readonly resource: string
          readonly responseKind?: { readonly kind?: string }
          readonly scope: string
          readonly singularResource?: string
          readonly shortNames?: readonly string[] | null
          readonly verbs?: readonly string[] | null
        }[]
  }[]
}

/** The resources of a group, each in the first version that has it. */
function namesIn({ metadata, versions }: DiscoveredGroup): ResourceNames[] {
  const found = new Map<string, ResourceNames>()
  for (const { version, resources } of versions)
    for (const { resource, responseKind, scope, singularResource = '', shortNames, verbs } of resources ?? [])
      if (!found.has(resource))
        found.set(resource, {
          ...{
            group: metadata.name ?? '',
            version,
            resource,
            kind: responseKind?.kind ?? '',
            namespaced: scope === 'Namespaced'
          },
          ...{ singular: singularResource, shortNames: shortNames ?? [], verbs: verbs ?? [] }
        })
  return [...found.values()]
}

/** The roles and bindings that the client may list. */
export class ClusterPolicy implements ReadablePolicy {
  readonly #client: Client
  readonly #lists = new Map<string, Promise<readonly any[] | undefined>>()

  constructor(client: Client) {
    this.#client = client
  }

  #list(resource: RbacResource, namespace: string): Promise<readonly any[] | undefined> {
    const place = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`
    const url = `/apis/${rbacGroup}/v1${place}/${resource}`
    let list = this.#lists.get(url)
    if (!list) {
      list = read(this.#client, url).then(
        ({ items }) => items ?? [],
        error => {
          if (isStatus(error, 403)) return undefined
          throw error
        }
      )
      this.#lists.set(url, list)
    }
    return list
  }

  async mayList(resource: RbacResource, namespace: string): Promise<boolean> {
    return (await this.#list(resource, namespace)) !== undefined
  }

  async bindings(namespace: string, of?: UserInfo): Promise<readonly Binding[]> {
    const objects = (await this.#list(namespace === '' ? 'clusterrolebindings' : 'rolebindings', namespace)) ?? []
    const bindings = objects.map(object => bindingOf(namespace, object))
    return of ? bindings.filter(({ grants }) => grants.some(grant => grant.appliesTo(of))) : bindings
  }

  async roles(namespace: string): Promise<readonly ReadRole[]> {
    const objects = (await this.#list(namespace === '' ? 'clusterroles' : 'roles', namespace)) ?? []
    return objects.map(({ metadata, rules, aggregationRule }) => ({
      kind: namespace === '' ? 'ClusterRole' : 'Role',
      namespace,
      name: metadata.name as string,
      labels: metadata.labels ?? {},
      rules: (rules ?? []) as PolicyRule[],
      aggregationRule
    }))
  }

  async role({ kind, name }: RoleRef, namespace: string): Promise<ReadRole | undefined> {
    return (await this.roles(kind === 'Role' ? namespace : '')).find(role => role.name === name)
  }
}
