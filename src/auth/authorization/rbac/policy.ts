/**
 * The roles and bindings of a server, ready for decisions: bindings are indexed by subject as their events arrive, and the rules
 * of a role are parsed once. The policy follows the watch caches, so that a write takes effect as soon as it is acknowledged.
 */
import type { AggregationRule, PolicyRule, RoleRef } from '../../../apimachinery/api/generated/rbac-v1.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import type { Registry } from '../../../registry/registry.js'
import type { Resource } from '../../../registry/resource.js'
import type { GrantedRoles, GrantedRules } from '../../../registry/strategy-services.js'
import type { CachedObject } from '../../../storage/cached-object.js'
import type { WatchHandle } from '../../../storage/contract.js'
import { type FollowedChange, follow } from '../../../storage/follow.js'
import type { Part } from '../../../util/part.js'
import { rbacGroup } from './group.js'
import { bindingOf, Subjects } from './subjects.js'

interface RoleContent {
  readonly rules: readonly PolicyRule[]
  readonly aggregationRule: AggregationRule | undefined
}

export class RbacPolicy implements Part, GrantedRoles {
  readonly name = 'roles and bindings'
  readonly #registry: Registry
  /**
   * The parsed rules of all roles in use. Resource.peek keeps only some objects: a user with many roles would evict them in turn.
   */
  readonly #contents = new WeakMap<CachedObject, RoleContent>()
  readonly everywhere = new Subjects()
  readonly #inNamespace = new Map<string, Subjects>()
  readonly #handles: WatchHandle[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Follows the watch caches of the bindings, which must be loaded. */
  start(): void {
    for (const plural of ['rolebindings', 'clusterrolebindings']) {
      const bindings = this.#find(plural)
      if (bindings) this.#followBindings(bindings)
    }
  }

  #find(plural: string): Resource | undefined {
    return this.#registry.has(rbacGroup, plural) ? this.#registry.resource(rbacGroup, plural) : undefined
  }

  #followBindings(bindings: Resource): void {
    const add = (object: CachedObject) =>
      this.#subjectsOf(object.namespace).set(bindingOf(object.namespace, bindings.peek(object)))
    const changed = ({ current, previous }: FollowedChange) => {
      if (current) add(current)
      else this.#forget(previous!)
    }
    this.#handles.push(follow(bindings.cache, { changed }))
  }

  #subjectsOf(namespace: string): Subjects {
    if (namespace === '') return this.everywhere
    let subjects = this.#inNamespace.get(namespace)
    if (!subjects) this.#inNamespace.set(namespace, (subjects = new Subjects()))
    return subjects
  }

  #forget({ namespace, name }: CachedObject): void {
    const subjects = this.#subjectsOf(namespace)
    subjects.remove(name)
    if (subjects.isEmpty) this.#inNamespace.delete(namespace)
  }

  /** Returns the subjects of the RoleBindings in a namespace. */
  within(namespace: string): Subjects | undefined {
    return this.#inNamespace.get(namespace)
  }

  /** Returns the rules of the role that a binding in `namespace` refers to, or undefined when the role does not exist. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const resource = this.#find(kind === 'Role' ? 'roles' : 'clusterroles')
    const role = resource?.get(namespace, name)
    return role && this.contentOf(resource!, role).rules
  }

  contentOf(resource: Resource, role: CachedObject): RoleContent {
    let content = this.#contents.get(role)
    if (!content) {
      const { rules, aggregationRule } = resource.peek(role)
      this.#contents.set(role, (content = { rules: rules ?? [], aggregationRule }))
    }
    return content
  }

  /** Returns all rules that a user has in a namespace, those of ClusterRoleBindings first. */
  rulesFor(user: UserInfo, namespace: string): GrantedRules {
    const rules: PolicyRule[] = []
    const unresolved: RoleRef[] = []
    const bindings = [...this.everywhere.bindingsOf(user), ...(this.within(namespace)?.bindingsOf(user) ?? [])]
    for (const { roleRef, namespace } of bindings) {
      const found = this.rulesOf(roleRef, namespace)
      if (found) for (const rule of found) rules.push(rule)
      else unresolved.push(roleRef)
    }
    return { rules, unresolved }
  }

  stop(): void {
    for (const handle of this.#handles.splice(0)) handle.close()
  }
}
