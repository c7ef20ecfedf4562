/** May they? An authorizer allows, or has no opinion; the first that allows decides, and without one it is no. */
import type { UserInfo } from '../request/user.js'
import type { FieldRequirement } from '../selectors/fields.js'
import { aggregateText } from '../util/go-format.js'

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
  /** What a list, watch or deletecollection is narrowed down to, as far as it could be read. */
  readonly fieldSelector?: readonly FieldRequirement[] | undefined
}

export interface Decision {
  readonly allowed: boolean
  /** Why, for people; often empty. */
  readonly reason: string
}

export interface ResourceRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[] | undefined
  readonly resources?: readonly string[] | undefined
  readonly resourceNames?: readonly string[] | undefined
}

export interface NonResourceRule {
  readonly verbs: readonly string[]
  readonly nonResourceURLs?: readonly string[] | undefined
}

/** What a user may do in a namespace, as far as an authorizer can list it. */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[]
  readonly nonResourceRules: readonly NonResourceRule[]
  /** There is more than can be listed. */
  readonly incomplete: boolean
  /** What went wrong on the way, each in a sentence. */
  readonly problems: readonly string[]
}

export interface Authorizer {
  /** A decision that does not allow is no opinion with a reason: others are asked, and what all have said explains a refusal. */
  authorize(attributes: Attributes): Decision | undefined | Promise<Decision | undefined>
  /** Left out by authorizers whose rules cannot be listed. */
  rulesFor?(user: UserInfo, namespace: string): UserRules
}

/** The authorizers of a server as one, which always has an opinion. */
export interface UnionAuthorizer {
  authorize(attributes: Attributes): Decision | Promise<Decision>
  rulesFor(user: UserInfo, namespace: string): Omit<UserRules, 'problems'> & { readonly problem: string | undefined }
}

const denied: Decision = { allowed: false, reason: '' }

export function unionAuthorizer(authorizers: readonly Authorizer[]): UnionAuthorizer {
  const ask = (attributes: Attributes, from: number, before: Decision): Decision | Promise<Decision> => {
    let refusal = before
    for (let i = from; i < authorizers.length; i++) {
      const decision = authorizers[i]!.authorize(attributes)
      if (decision instanceof Promise)
        return decision.then(late => (late?.allowed ? late : ask(attributes, i + 1, joined(refusal, late))))
      if (decision?.allowed) return decision
      refusal = joined(refusal, decision)
    }
    return refusal
  }
  return {
    authorize: attributes => ask(attributes, 0, denied),
    rulesFor(user, namespace) {
      const all = authorizers.flatMap(a => a.rulesFor?.(user, namespace) ?? [])
      const problems = all.flatMap(rules => rules.problems)
      return {
        resourceRules: all.flatMap(rules => rules.resourceRules),
        nonResourceRules: all.flatMap(rules => rules.nonResourceRules),
        incomplete: all.some(rules => rules.incomplete),
        problem: problems.length === 0 ? undefined : aggregateText(problems)
      }
    }
  }
}

function joined(before: Decision, decision: Decision | undefined): Decision {
  if (!decision || decision.reason === '') return before
  return before.reason === '' ? decision : { allowed: false, reason: `${before.reason}\n${decision.reason}` }
}

/** A question beside the one that the request itself is. */
export const aboutResource = (
  question: Pick<Attributes, 'user' | 'verb' | 'group' | 'resource'> & Partial<Attributes>
): Attributes => ({
  isResourceRequest: true,
  version: '*',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
  ...question
})
