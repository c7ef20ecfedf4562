/** Roles and bindings as far as one user may read them: what explanations show is made of these alone. */
import type { AggregationRule, PolicyRule, RoleRef } from '../../../apimachinery/api/generated/rbac-v1.js'
import { aboutResource, type UnionAuthorizer } from '../../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import type { Registry } from '../../../registry/registry.js'
import { takingTurns } from '../../../util/turns.js'
import { rbacGroup } from './group.js'
import type { RbacPolicy } from './policy.js'
import type { Binding } from './subjects.js'

/** A Role, or a ClusterRole with the namespace "". */
export interface ReadRole {
  readonly kind: 'Role' | 'ClusterRole'
  readonly namespace: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly rules: readonly PolicyRule[]
  readonly aggregationRule: AggregationRule | undefined
}

export type RbacResource = 'roles' | 'rolebindings' | 'clusterroles' | 'clusterrolebindings'

/** Reads roles and bindings as the user who asks for an explanation. The namespace "" stands for ClusterRoles and ClusterRoleBindings. */
export interface ReadablePolicy {
  /** The bindings, or only those that name the user or one of the user's groups. Without what may not be read. */
  bindings(namespace: string, of?: UserInfo): Promise<readonly Binding[]>
  roles(namespace: string): Promise<readonly ReadRole[]>
  /** Undefined for a role that does not exist or may not be read. */
  role(ref: RoleRef, namespace: string): Promise<ReadRole | undefined>
  /** Whether all objects of a resource may be read; otherwise something may be missing in what the other functions return. */
  mayList(resource: RbacResource, namespace: string): Promise<boolean>
}

/** How often the authorizers are asked about single objects for one explanation: a webhook may be among them. */
const maxAnswers = 200

/** The policy of a server as `asker` may read it. */
export class PermittedPolicy implements ReadablePolicy {
  readonly #policy: RbacPolicy
  readonly #registry: Registry
  readonly #authorizer: Pick<UnionAuthorizer, 'authorize'>
  readonly #asker: UserInfo
  readonly #answers = new Map<string, Promise<boolean>>()

  constructor(
    asker: UserInfo,
    { rbac, registry, authorizer }: { rbac: RbacPolicy; registry: Registry; authorizer: Pick<UnionAuthorizer, 'authorize'> }
  ) {
    this.#asker = asker
    this.#policy = rbac
    this.#registry = registry
    this.#authorizer = authorizer
  }

  #may(verb: 'get' | 'list', resource: RbacResource, namespace: string, name: string): Promise<boolean> {
    const key = JSON.stringify([verb, resource, namespace, name])
    let answer = this.#answers.get(key)
    if (!answer) {
      if (this.#answers.size >= maxAnswers) return Promise.resolve(false)
      const question = aboutResource({ user: this.#asker, verb, group: rbacGroup, resource, namespace, name })
      answer = Promise.resolve(this.#authorizer.authorize(question)).then(({ allowed }) => allowed)
      this.#answers.set(key, answer)
    }
    return answer
  }

  mayList(resource: RbacResource, namespace: string): Promise<boolean> {
    return this.#may('list', resource, namespace, '')
  }

  async #mayRead(resource: RbacResource, namespace: string, name: string): Promise<boolean> {
    return (await this.mayList(resource, namespace)) || this.#may('get', resource, namespace, name)
  }

  async bindings(namespace: string, of?: UserInfo): Promise<readonly Binding[]> {
    const subjects = namespace === '' ? this.#policy.everywhere : this.#policy.within(namespace)
    const resource = namespace === '' ? 'clusterrolebindings' : 'rolebindings'
    if (!subjects) return []
    return this.#readable(resource, namespace, of ? subjects.bindingsOf(of) : subjects.bindings)
  }

  async roles(namespace: string): Promise<readonly ReadRole[]> {
    const resource = namespace === '' ? 'clusterroles' : 'roles'
    if (!this.#registry.has(rbacGroup, resource)) return []
    const { cache } = this.#registry.resource(rbacGroup, resource)
    const found = await this.#readable(resource, namespace, cache.range(namespace === '' ? '' : `${namespace}/`))
    const turn = takingTurns()
    const roles: ReadRole[] = []
    for (const { name } of found) {
      const role = this.#role(namespace === '' ? 'ClusterRole' : 'Role', namespace, name)
      if (role) roles.push(role)
      const pending = turn()
      if (pending) await pending
    }
    return roles
  }

  async #readable<T extends { readonly name: string }>(
    resource: RbacResource,
    namespace: string,
    all: Iterable<T>
  ): Promise<T[]> {
    if (await this.mayList(resource, namespace)) return [...all]
    const found: T[] = []
    const turn = takingTurns()
    for (const one of all) {
      if (await this.#may('get', resource, namespace, one.name)) found.push(one)
      const pending = turn()
      if (pending) await pending
    }
    return found
  }

  async role({ kind, name }: RoleRef, namespace: string): Promise<ReadRole | undefined> {
    const isRole = kind === 'Role'
    const of = isRole ? namespace : ''
    if (!(await this.#mayRead(isRole ? 'roles' : 'clusterroles', of, name))) return undefined
    return this.#role(isRole ? 'Role' : 'ClusterRole', of, name)
  }

  #role(kind: ReadRole['kind'], namespace: string, name: string): ReadRole | undefined {
    const plural = kind === 'Role' ? 'roles' : 'clusterroles'
    if (!this.#registry.has(rbacGroup, plural)) return undefined
    const resource = this.#registry.resource(rbacGroup, plural)
    const found = resource.get(namespace, name)
    return found && { kind, namespace, name, labels: found.labels, ...this.#policy.contentOf(resource, found) }
  }
}
