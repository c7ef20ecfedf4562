/** Indexes bindings by subject, so that the bindings of a user are found without looking at others. */
import type { RoleRef, Subject } from '../../../apimachinery/api/generated/rbac-v1.js'
import type { Decision } from '../../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import { goQuote } from '../../../util/go-format.js'

/** A RoleBinding, or a ClusterRoleBinding with the namespace "". */
export interface Binding {
  readonly namespace: string
  readonly name: string
  readonly roleRef: RoleRef
  /** The grants of the binding's subjects, in their order. */
  readonly grants: readonly Grant[]
}

/** What a binding grants to one of its subjects. */
export class Grant {
  readonly binding: Binding
  readonly subject: Subject
  #decision: Decision | undefined

  constructor(binding: Binding, subject: Subject) {
    this.binding = binding
    this.subject = subject
  }

  /** The user or group that the subject names; undefined for a subject that cannot name anybody. */
  get member(): { readonly of: 'users' | 'groups'; readonly name: string } | undefined {
    const { kind, name } = this.subject
    if (kind === 'User') return { of: 'users', name }
    if (kind === 'Group') return { of: 'groups', name }
    const namespace = this.#namespace
    if (kind !== 'ServiceAccount' || namespace === '') return undefined
    return { of: 'users', name: `system:serviceaccount:${namespace}:${name}` }
  }

  /** The namespace of a service account; that of the binding when the subject names none. */
  get #namespace(): string {
    return this.subject.namespace || this.binding.namespace
  }

  appliesTo(user: UserInfo): boolean {
    const { member } = this
    if (!member) return false
    return member.of === 'users' ? member.name === user.name : user.groups.includes(member.name)
  }

  get decision(): Decision {
    return (this.#decision ??= { allowed: true, reason: `RBAC: allowed by ${this.#description}` })
  }

  get #description(): string {
    const { namespace, name, roleRef } = this.binding
    const { kind, name: subject } = this.subject
    const [bindingKind, bindingName] = namespace === '' ? ['ClusterRoleBinding', name] : ['RoleBinding', `${name}/${namespace}`]
    const subjectName = kind === 'ServiceAccount' ? `${subject}/${this.#namespace}` : subject
    return `${bindingKind} ${goQuote(bindingName)} of ${roleRef.kind} ${goQuote(roleRef.name)} to ${kind} ${goQuote(subjectName)}`
  }
}

export function bindingOf(
  namespace: string,
  { metadata, roleRef, subjects }: { metadata: { name?: string | undefined }; roleRef: RoleRef; subjects?: Subject[] | undefined }
): Binding {
  const grants: Grant[] = []
  const binding: Binding = { namespace, name: metadata.name!, roleRef, grants }
  for (const subject of subjects ?? []) grants.push(new Grant(binding, subject))
  return binding
}

/** The bindings of one namespace, or those of the whole cluster. */
export class Subjects {
  readonly #bindings = new Map<string, Binding>()
  /**
   * Grants by the name of the user or group, then by the name of the binding. If a binding names a subject twice, the first one
   * counts.
   */
  readonly #grants = { users: new Map<string, Map<string, Grant>>(), groups: new Map<string, Map<string, Grant>>() }

  get isEmpty(): boolean {
    return this.#bindings.size === 0
  }

  get bindings(): Iterable<Binding> {
    return this.#bindings.values()
  }

  ofUser(name: string): ReadonlyMap<string, Grant> | undefined {
    return this.#grants.users.get(name)
  }

  ofGroup(name: string): ReadonlyMap<string, Grant> | undefined {
    return this.#grants.groups.get(name)
  }

  /** Returns the bindings that apply to a user, sorted by name. */
  bindingsOf({ name, groups }: UserInfo): Binding[] {
    const found = new Map<string, Binding>()
    for (const grants of [this.ofUser(name), ...groups.map(group => this.ofGroup(group))])
      for (const [name, { binding }] of grants ?? []) found.set(name, binding)
    return [...found.keys()].sort().map(name => found.get(name)!)
  }

  set(binding: Binding): void {
    this.remove(binding.name)
    this.#bindings.set(binding.name, binding)
    for (const grant of binding.grants) {
      const { member } = grant
      if (!member) continue
      const byName = this.#grants[member.of]
      const grants = byName.get(member.name)
      if (!grants) byName.set(member.name, new Map([[binding.name, grant]]))
      else if (!grants.has(binding.name)) grants.set(binding.name, grant)
    }
  }

  remove(name: string): void {
    const binding = this.#bindings.get(name)
    if (!binding) return
    this.#bindings.delete(name)
    for (const { member } of binding.grants) {
      if (!member) continue
      const grants = this.#grants[member.of].get(member.name)
      if (grants?.delete(name) && grants.size === 0) this.#grants[member.of].delete(member.name)
    }
  }
}
