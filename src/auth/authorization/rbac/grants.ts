/** Explains decisions of RBAC: which bindings and rules allow a request, who else may make it, and which roles would allow it. */
import type { PolicyRule, Subject } from '../../../apimachinery/api/generated/rbac-v1.js'
import type { AuthorizationAttributes } from '../../../apimachinery/request/authorization.js'
import { labelSelectorMatcher } from '../../../apimachinery/selectors/labels.js'
import { takingTurns } from '../../../util/turns.js'
import type { RbacResource, ReadablePolicy, ReadRole } from './readable-policy.js'
import { ruleAllows } from './rules.js'
import type { Binding } from './subjects.js'

interface Named {
  readonly kind: string
  /** Missing outside of namespaces. */
  readonly namespace?: string
  readonly name: string
}

/** How RBAC allows a request: a binding gives a role to a subject, and a rule of the role allows it. */
export interface RuleGrant {
  readonly binding: Named
  readonly subject: Named
  readonly role: Named
  readonly rule: PolicyRule
  /** The ClusterRoles from which an aggregated role has such a rule. */
  readonly aggregatedFrom?: readonly string[]
}

/** A role that would allow a request to those to whom it is bound. */
export interface HoldingRole {
  readonly role: Named
  readonly rule: PolicyRule
  readonly aggregatedFrom?: readonly string[]
}

/** Those to whom RBAC allows a request, each with every way in which it does. */
export interface AllowedSubject {
  readonly subject: Named
  readonly through: readonly Omit<RuleGrant, 'subject'>[]
}

type Question = AuthorizationAttributes

const named = (kind: string, namespace: string | undefined, name: string): Named =>
  namespace ? { kind, namespace, name } : { kind, name }

const bindingName = ({ namespace, name }: Binding) =>
  named(namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding', namespace, name)
const roleName = ({ kind, namespace, name }: ReadRole) => named(kind, namespace, name)
const subjectName = ({ kind, namespace, name }: Subject, binding: Binding) =>
  named(kind, kind === 'ServiceAccount' ? namespace || binding.namespace : undefined, name)

/** Where bindings of a request's user may be: in the whole cluster, and in the request's namespace. */
const places = ({ namespace }: Question): readonly string[] => (namespace === '' ? [''] : ['', namespace])

/** Returns how RBAC allows a request to its user, in the order in which it is decided. */
export async function grantsTo(policy: ReadablePolicy, question: Question): Promise<readonly RuleGrant[]> {
  const sources = new Sources(policy, question)
  const found: RuleGrant[] = []
  const turn = takingTurns()
  for (const place of places(question))
    for (const binding of await policy.bindings(place, question.user)) {
      const held = await sources.of(binding)
      const subject = binding.grants.find(grant => grant.appliesTo(question.user))?.subject
      if (held && subject) found.push({ binding: bindingName(binding), subject: subjectName(subject, binding), ...held })
      const pending = turn()
      if (pending) await pending
    }
  return found
}

/** Returns everybody to whom RBAC allows a request, whoever its user is: sorted by kind and name. */
export async function allowedSubjects(policy: ReadablePolicy, question: Question): Promise<readonly AllowedSubject[]> {
  const sources = new Sources(policy, question)
  const found = new Map<string, { subject: Named; through: Omit<RuleGrant, 'subject'>[] }>()
  const turn = takingTurns()
  for (const place of places(question))
    for (const binding of await policy.bindings(place)) {
      const held = await sources.of(binding)
      const way = held && { binding: bindingName(binding), ...held }
      for (const grant of way ? binding.grants : []) {
        // a subject that cannot be anybody
        if (!grant.member) continue
        const subject = subjectName(grant.subject, binding)
        const key = JSON.stringify([subject.kind, subject.namespace ?? '', subject.name])
        const known = found.get(key)
        if (!known) found.set(key, { subject, through: [way!] })
        else if (known.through.at(-1) !== way) known.through.push(way!)
      }
      const pending = turn()
      if (pending) await pending
    }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, subject]) => subject)
}

/**
 * Returns the roles that a binding for the request's place could refer to and that allow it: those of the server's own parts come last, and before
 * them those with wildcards.
 */
export async function rolesAllowing(policy: ReadablePolicy, question: Question): Promise<readonly HoldingRole[]> {
  const sources = new Sources(policy, question)
  const found: (HoldingRole & { readonly breadth: number })[] = []
  const turn = takingTurns()
  for (const place of places(question).toReversed())
    for (const role of await policy.roles(place)) {
      const held = await sources.ofRole(role)
      if (held) found.push({ ...held, breadth: breadthOf(role, held.rule) })
      const pending = turn()
      if (pending) await pending
    }
  return found.sort((a, b) => a.breadth - b.breadth).map(({ breadth: _, ...held }) => held)
}

/** The resources of which the asking user cannot read everything, so that the explanation of a request may lack something. */
export async function unreadable(policy: ReadablePolicy, { namespace }: Question): Promise<readonly string[]> {
  const needed: readonly (readonly [RbacResource, string])[] = [
    ['clusterroles', ''],
    ['clusterrolebindings', ''],
    ...(namespace === ''
      ? []
      : ([
          ['roles', namespace],
          ['rolebindings', namespace]
        ] as const))
  ]
  const answers = await Promise.all(needed.map(([resource, place]) => policy.mayList(resource, place)))
  return needed.flatMap(([resource, place], i) => (answers[i] ? [] : [place === '' ? resource : `${resource} in ${place}`]))
}

/** Roles of controllers and kubelets are for nobody else. */
const breadthOf = ({ name, rules }: ReadRole, rule: PolicyRule): number =>
  (name.startsWith('system:') ? 100_000 : 0) + stars(rule) * 10_000 + Math.min(rules.length, 9999)

const stars = ({ verbs, apiGroups, resources, nonResourceURLs }: PolicyRule): number =>
  [verbs, apiGroups, resources, nonResourceURLs].filter(values => values?.some(value => value.includes('*'))).length

/** Finds the rule of each role that allows the request; a role with many bindings is read once. */
class Sources {
  readonly #policy: ReadablePolicy
  readonly #question: Question
  readonly #found = new Map<string, Promise<HoldingRole | undefined>>()
  #clusterRoles: Promise<readonly ReadRole[]> | undefined

  constructor(policy: ReadablePolicy, question: Question) {
    this.#policy = policy
    this.#question = question
  }

  of({ roleRef, namespace }: Binding): Promise<HoldingRole | undefined> {
    const key = roleRef.kind === 'Role' ? `${namespace}/${roleRef.name}` : roleRef.name
    let held = this.#found.get(key)
    if (!held) {
      held = this.#policy.role(roleRef, namespace).then(role => role && this.ofRole(role))
      this.#found.set(key, held)
    }
    return held
  }

  async ofRole(role: ReadRole): Promise<HoldingRole | undefined> {
    const rule = role.rules.find(rule => ruleAllows(rule, this.#question))
    if (!rule) return undefined
    const from = role.aggregationRule ? await this.#aggregated(role) : undefined
    return { role: roleName(role), rule, ...(from && from.length > 0 ? { aggregatedFrom: from } : {}) }
  }

  async #aggregated({ name, aggregationRule }: ReadRole): Promise<string[]> {
    this.#clusterRoles ??= this.#policy.roles('')
    const matchers = (aggregationRule?.clusterRoleSelectors ?? []).map(labelSelectorMatcher)
    const roles = (await this.#clusterRoles).filter(
      role =>
        role.name !== name &&
        matchers.some(matches => matches(role.labels)) &&
        role.rules.some(r => ruleAllows(r, this.#question))
    )
    return roles.map(role => role.name)
  }
}
