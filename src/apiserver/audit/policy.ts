/** The audit policy: decides which requests cause events, at which stages, and how much of a request these contain. */
import { AuditLevel } from '../../apimachinery/request/record.js'
import type { RequestInfo } from '../../apimachinery/request/request-info.js'
import type { UserInfo } from '../../apimachinery/request/user.js'

export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const
export type Stage = (typeof stages)[number]

/**
 * A policy of audit.k8s.io/v1. The first rule that matches a request decides; a request that none matches leaves no events.
 *
 * @example
 * const policy: Policy = {
 *   omitStages: ['RequestReceived'],
 *   rules: [
 *     { level: 'None', nonResourceURLs: ['/healthz*'] },
 *     { level: 'RequestResponse', resources: [{ group: 'apps', resources: ['deployments'] }] },
 *     { level: 'Metadata' }
 *   ]
 * }
 */
export interface Policy {
  readonly rules?: readonly PolicyRule[] | undefined
  /** Stages for which no events are made. */
  readonly omitStages?: readonly Stage[] | undefined
  /** Whether events leave out the managed fields of objects, unless a rule says otherwise. */
  readonly omitManagedFields?: boolean | undefined
}

/**
 * A rule matches when all of its fields match. Fields that are left out match everything.
 *
 * @example
 * const rule: PolicyRule = { level: 'Metadata', resources: [{ resources: ['secrets', 'serviceaccounts/token'] }] }
 */
export interface PolicyRule {
  readonly level: keyof typeof AuditLevel
  readonly users?: readonly string[] | undefined
  readonly userGroups?: readonly string[] | undefined
  readonly verbs?: readonly string[] | undefined
  readonly resources?: readonly GroupResources[] | undefined
  readonly namespaces?: readonly string[] | undefined
  readonly nonResourceURLs?: readonly string[] | undefined
  readonly omitStages?: readonly Stage[] | undefined
  readonly omitManagedFields?: boolean | undefined
}

/**
 * Resources of one API group; of `*`, of every group.
 *
 * @example
 * const logs: GroupResources = { resources: ['pods/log'] }
 */
export interface GroupResources {
  readonly group?: string | undefined
  // pods, pods/log, pods/* or */scale; all resources of the group when left out
  readonly resources?: readonly string[] | undefined
  readonly resourceNames?: readonly string[] | undefined
}

/** What the policy decides about a request. */
export interface Decision {
  readonly level: AuditLevel
  readonly levelName: keyof typeof AuditLevel
  readonly omits: ReadonlySet<Stage>
  readonly omitsManagedFields: boolean
}

type Attributes = Pick<
  RequestInfo,
  'verb' | 'isResourceRequest' | 'path' | 'group' | 'resource' | 'subresource' | 'namespace' | 'name'
>
type User = UserInfo | undefined

interface Rule {
  readonly matches: (info: Attributes, user: User) => boolean
  readonly decision: Decision
}

const unmatched: Decision = { level: AuditLevel.None, levelName: 'None', omits: new Set(), omitsManagedFields: false }

/** A policy that is ready to be asked. */
export class PolicyEvaluator {
  readonly #rules: readonly Rule[]

  constructor(policy: Policy) {
    this.#rules = (policy.rules ?? []).map(rule => ({
      matches: matcherOf(rule),
      decision: {
        level: AuditLevel[rule.level],
        levelName: rule.level,
        omits: new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])]),
        omitsManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false
      }
    }))
  }

  /** `user` is undefined for a request that is refused before its sender is known. */
  decide(info: Attributes, user: User): Decision {
    for (const rule of this.#rules) if (rule.matches(info, user)) return rule.decision
    return unmatched
  }
}

/** Makes one function of the parts of a rule that are set. */
function matcherOf(rule: PolicyRule): (info: Attributes, user: User) => boolean {
  const { users, userGroups, verbs, namespaces, resources, nonResourceURLs } = rule
  const parts: ((info: Attributes, user: User) => boolean)[] = []
  const some = (texts: readonly string[] | undefined): texts is readonly string[] => texts !== undefined && texts.length > 0
  if (some(users)) {
    const names = new Set(users)
    parts.push((_, user) => user !== undefined && names.has(user.name))
  }
  if (some(userGroups)) {
    const names = new Set(userGroups)
    parts.push((_, user) => user?.groups.some(group => names.has(group)) ?? false)
  }
  if (some(verbs)) {
    const names = new Set(verbs)
    parts.push(({ verb }) => names.has(verb))
  }
  const ofNamespaces = some(namespaces)
  const ofResources = resources !== undefined && resources.length > 0
  if (ofNamespaces || ofResources) parts.push(({ isResourceRequest }) => isResourceRequest)
  if (ofNamespaces) {
    const names = new Set(namespaces)
    parts.push(({ namespace }) => names.has(namespace))
  }
  if (ofResources) {
    const groups = resources.map(groupMatcher)
    parts.push(info => groups.some(matches => matches(info)))
  } else if (!ofNamespaces && some(nonResourceURLs)) {
    parts.push(({ isResourceRequest, path }) => !isResourceRequest && nonResourceURLs.some(spec => pathMatches(path, spec)))
  }
  return (info, user) => {
    for (const matches of parts) if (!matches(info, user)) return false
    return true
  }
}

function groupMatcher({ group = '', resources = [], resourceNames = [] }: GroupResources): (info: Attributes) => boolean {
  const named = new Set(resources)
  const names = new Set(resourceNames)
  return info => {
    if (group !== '*' && group !== info.group) return false
    if (named.size === 0) return true
    if (names.size > 0 && !names.has(info.name)) return false
    const { resource, subresource } = info
    if (named.has('*') || named.has(`${resource}/*`)) return true
    return subresource === '' ? named.has(resource) : named.has(`${resource}/${subresource}`) || named.has(`*/${subresource}`)
  }
}

const pathMatches = (path: string, spec: string) =>
  spec === '*' || spec === path || (spec.endsWith('*') && path.startsWith(spec.replace(/\*+$/, '')))
