/** Reads the objects of this server, as far as the user who asks may read them. */
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { aboutResource, type UnionAuthorizer } from '../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { notFound } from '../../apimachinery/status/status.js'
import { refusal } from '../../auth/authorization/refusal.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import { takingTurns } from '../../util/turns.js'
import type { ObjectReader, ReadMetadata } from './reader.js'
import type { ResourceNames } from './resource-names.js'

export interface Readable {
  readonly registry: Registry
  readonly authorizer: Pick<UnionAuthorizer, 'authorize'>
}

export class ServerReader implements ObjectReader {
  readonly #asker: UserInfo
  readonly #registry: Registry
  readonly #authorizer: Readable['authorizer']

  constructor(asker: UserInfo, { registry, authorizer }: Readable) {
    this.#asker = asker
    this.#registry = registry
    this.#authorizer = authorizer
  }

  /** Empty for a user who may not ask discovery for them. */
  async resources(): Promise<readonly ResourceNames[]> {
    const discovery = {
      ...aboutResource({ user: this.#asker, verb: 'get', group: '', resource: '' }),
      version: '',
      path: '/apis'
    }
    if (!(await this.#authorizer.authorize({ ...discovery, isResourceRequest: false })).allowed) return []
    return [...this.#registry.all()].filter(({ versions }) => versions.size > 0).map(namesOf)
  }

  async object({ group, resource, version }: ResourceNames, namespace: string, name: string): Promise<KubeObject> {
    const question = aboutResource({ user: this.#asker, verb: 'get', group, version, resource, namespace, name })
    const { allowed, reason } = await this.#authorizer.authorize(question)
    if (!allowed) throw refusal(question, reason)
    const of = this.#registry.resource(group, resource)
    const found = of.get(of.namespaced ? namespace : '', name)
    if (!found) throw notFound(of.groupResource, name)
    return of.peek(found)
  }

  async list({ group, resource, version }: ResourceNames, namespace: string): Promise<readonly ReadMetadata[] | undefined> {
    const question = aboutResource({ user: this.#asker, verb: 'list', group, version, resource, namespace })
    if (!(await this.#authorizer.authorize(question)).allowed) return undefined
    const of = this.#registry.resource(group, resource)
    if (of.kind.virtual || of.kind.computed) return []
    const found: ReadMetadata[] = []
    const turn = takingTurns()
    for (const { namespace: place, name, uid, lifecycle } of of.cache.range(namespace === '' ? '' : `${namespace}/`)) {
      const { finalizers = [], owners = [], deleting = false } = lifecycle ?? {}
      found.push({ namespace: place, name, uid, finalizers, owners, deleting })
      const pending = turn()
      if (pending) await pending
    }
    return found
  }
}

export const namesOf = ({ kind, group, resource, namespaced, verbs, versions }: Resource): ResourceNames => ({
  group,
  version: versions.keys().next().value!,
  resource,
  kind: kind.kind,
  namespaced,
  singular: kind.singular ?? kind.kind.toLowerCase(),
  shortNames: kind.shortNames ?? [],
  verbs: [...verbs]
})
