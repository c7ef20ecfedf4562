/** May they? An authorizer allows, or has no opinion; the first that allows decides, and without one it is no. */

import type { FieldRequirement } from '../selectors/fields.js'
import type { UserInfo } from './user.js'

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
