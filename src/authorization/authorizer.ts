/** May they? An authorizer allows, or has no opinion; the first that allows decides, and without one it is no. */
import type { UserInfo } from '../authentication/user.js'

export interface Attributes {
  readonly user: UserInfo
  readonly verb: string
  /** Set for resources; for other paths only `path` counts. */
  readonly isResourceRequest: boolean
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly path: string
}

export interface Decision {
  readonly allowed: boolean
  /** Why, for people; often empty. */
  readonly reason: string
}

export interface ResourceRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
}

export interface NonResourceRule {
  readonly verbs: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

/** What a user may do in a namespace, as far as authorizers can list it. */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[]
  readonly nonResourceRules: readonly NonResourceRule[]
  /** There is more than can be listed. */
  readonly incomplete: boolean
}

export interface Authorizer {
  authorize(attributes: Attributes): Decision | undefined | Promise<Decision | undefined>
  /** Left out by authorizers whose rules cannot be listed. */
  rulesFor?(user: UserInfo, namespace: string): UserRules | undefined
}

/** The authorizers of a server as one, which always has an opinion. */
export interface UnionAuthorizer {
  authorize(attributes: Attributes): Decision | Promise<Decision>
  rulesFor(user: UserInfo, namespace: string): UserRules
}

const denied: Decision = { allowed: false, reason: '' }

export function unionAuthorizer(authorizers: readonly Authorizer[]): UnionAuthorizer {
  const ask = (attributes: Attributes, from: number): Decision | Promise<Decision> => {
    for (let i = from; i < authorizers.length; i++) {
      const decision = authorizers[i]!.authorize(attributes)
      if (decision instanceof Promise) return decision.then(late => late ?? ask(attributes, i + 1))
      if (decision) return decision
    }
    return denied
  }
  return {
    authorize: attributes => ask(attributes, 0),
    rulesFor(user, namespace) {
      const all = authorizers.flatMap(a => a.rulesFor?.(user, namespace) ?? [])
      return {
        resourceRules: all.flatMap(rules => rules.resourceRules),
        nonResourceRules: all.flatMap(rules => rules.nonResourceRules),
        incomplete: all.some(rules => rules.incomplete)
      }
    }
  }
}
