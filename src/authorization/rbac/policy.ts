/**
 * The roles and bindings of a server, ready to be asked: bindings indexed by their subjects as events tell of them, the rules of a
 * role parsed once. It shows what the watch caches show, so a write counts as soon as it is acknowledged.
 */
import type { AggregationRule, PolicyRule, RoleRef } from '../../api/generated/rbac-v1.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { GrantedRoles, GrantedRules } from '../../registry/services.js'
import type { UserInfo } from '../../request/user.js'
import type { CachedObject } from '../../storage/cached-object.js'
import type { WatchHandle } from '../../storage/contract.js'
import { type FollowedChange, follow } from '../../storage/follow.js'
import type { Part } from '../../util/part.js'
import { rbacGroup } from './group.js'
import { bindingOf, Subjects } from './subjects.js'

interface RoleContent {
  readonly rules: readonly PolicyRule[]
  readonly aggregationRule: AggregationRule | undefined
}

export class RbacPolicy implements Part, GrantedRoles {
  readonly name = 'roles and bindings'
  readonly #registry: Registry
  /** Unlike Resource.peek it never runs full: whoever asks for many objects in turn asks for all of their roles. */
  readonly #contents = new WeakMap<CachedObject, RoleContent>()
  readonly everywhere = new Subjects()
  readonly #inNamespace = new Map<string, Subjects>()
  readonly #handles: WatchHandle[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** The caches of the registry's resources have to be loaded. */
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
      this.#subjectsOf(object.namespace).set(bindingOf(object.namespace, bindings.parse(object)))
    const changed = ({ current, previous }: FollowedChange) => {
      if (current) add(current)
      else if (previous) this.#forget(previous)
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

  /** What RoleBindings grant in a namespace. */
  within(namespace: string): Subjects | undefined {
    return this.#inNamespace.get(namespace)
  }

  /** The rules of the role that a binding in `namespace` refers to; undefined when it is not there. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const resource = this.#find(kind === 'Role' ? 'roles' : 'clusterroles')
    const role = resource?.get(namespace, name)
    return role && this.contentOf(resource!, role).rules
  }

  contentOf(resource: Resource, role: CachedObject): RoleContent {
    let content = this.#contents.get(role)
    if (!content) {
      const { rules, aggregationRule } = resource.parse(role)
      this.#contents.set(role, (content = { rules: rules ?? [], aggregationRule }))
    }
    return content
  }

  /** Everything that a user may do in a namespace, that of ClusterRoleBindings first. */
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
