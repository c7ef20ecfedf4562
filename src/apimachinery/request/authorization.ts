/**
 * Authorization: an authorizer allows a request, denies it, or has no opinion. The first that allows or denies decides; when none
 * does, the request is refused.
 */

import type { FieldRequirement } from '../selectors/fields.js'
import type { LabelRequirement } from '../selectors/labels.js'
import type { UserInfo } from './user.js'

/**
 * What an authorizer sees of a request. A request for an object has `verb`, `group`, `version`, `resource` and so on, any other
 * request (`/metrics`) has `verb` and `path`.
 *
 * @example
 * authorize({ user, verb, resource, namespace }: AuthorizationAttributes) {
 *   if (verb === 'get' && resource === 'configmaps' && namespace === user.name) return { allowed: true, reason: '' }
 *   return undefined
 * }
 */
export interface AuthorizationAttributes {
  readonly user: UserInfo
  /**
   * `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for other paths the method in lower
   * case.
   */
  readonly verb: string
  /** False for paths outside of the API, where only `verb` and `path` count. */
  readonly isResourceRequest: boolean
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly path: string
  /** The field selector of a list, watch or deletecollection, as far as it could be parsed. */
  readonly fieldSelector?: readonly FieldRequirement[] | undefined
  /** The label selector of a list, watch or deletecollection, as far as it could be parsed. */
  readonly labelSelector?: readonly LabelRequirement[] | undefined
}

/**
 * The answer of an authorizer.
 *
 * @example
 * const decision: Decision = { allowed: true, reason: 'owner of the namespace' }
 */
export interface Decision {
  readonly allowed: boolean
  /** Refuses the request, whatever later authorizers would say. Without it, a decision that does not allow is no opinion. */
  readonly denied?: boolean | undefined
  /** The reason, for people; often empty. */
  readonly reason: string
  /** What went wrong while the authorizer decided. A request that is not allowed then fails with status 500. */
  readonly error?: string | undefined
}

/**
 * A rule of an authorizer for resources, as SelfSubjectRulesReview and `kubectl auth can-i --list` show it.
 *
 * @example
 * const rule: ResourceRule = { verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['deployments'] }
 */
export interface ResourceRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[] | undefined
  readonly resources?: readonly string[] | undefined
  readonly resourceNames?: readonly string[] | undefined
}

/**
 * A rule of an authorizer for paths outside of the API.
 *
 * @example
 * const rule: NonResourceRule = { verbs: ['get'], nonResourceURLs: ['/metrics'] }
 */
export interface NonResourceRule {
  readonly verbs: readonly string[]
  readonly nonResourceURLs?: readonly string[] | undefined
}

/**
 * What a user may do in a namespace, as far as an authorizer can list it.
 *
 * @example
 * const rules: UserRules = { resourceRules: [rule], nonResourceRules: [], incomplete: false, problems: [] }
 */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[]
  readonly nonResourceRules: readonly NonResourceRule[]
  /** Whether there is more than can be listed. */
  readonly incomplete: boolean
  /** What went wrong on the way, each in a sentence. */
  readonly problems: readonly string[]
}

/**
 * Allows or denies requests. Authorizers of an embedder are asked after those of `authorizationMode`, so they add permissions and
 * take none away; to refuse a request that a role allows, use an AdmissionPlugin.
 *
 * @example
 * const ownNamespace: Authorizer = {
 *   authorize: ({ user, namespace }) =>
 *     namespace !== '' && namespace === user.name ? { allowed: true, reason: 'own namespace' } : undefined
 * }
 * const server = createServer({ authorizers: [ownNamespace] })
 */
export interface Authorizer {
  /** Stands before the reasons of decisions that are no opinion: `node: no relationship found …`. */
  readonly name?: string | undefined
  /**
   * Returns undefined for no opinion. A decision that neither allows nor denies is no opinion, too: other authorizers are asked,
   * and the reasons of all of them explain a refusal. The signal of `origin` aborts when nobody waits for the decision any more.
   */
  authorize(
    attributes: AuthorizationAttributes,
    origin?: { readonly signal?: AbortSignal | undefined }
  ): Decision | undefined | Promise<Decision | undefined>
  /** Lists what a user may do in a namespace. Authorizers whose rules cannot be listed leave it out. */
  rulesFor?(user: UserInfo, namespace: string): UserRules
}

/** The authorizers of a server as one, which always decides. */
export interface UnionAuthorizer {
  authorize(
    attributes: AuthorizationAttributes,
    origin?: { readonly signal?: AbortSignal | undefined }
  ): Decision | Promise<Decision>
  rulesFor(user: UserInfo, namespace: string): Omit<UserRules, 'problems'> & { readonly problem: string | undefined }
}

/** Makes a question about a resource, other than the one that the request itself raises. */
export const aboutResource = (
  question: Pick<AuthorizationAttributes, 'user' | 'verb' | 'group' | 'resource'> & Partial<AuthorizationAttributes>
): AuthorizationAttributes => ({
  isResourceRequest: true,
  version: '*',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
  ...question
})
