/**
 * The services of one server for the strategies of kinds. The interfaces have only what strategies need of authentication and
 * authorization.
 */
import type { PolicyRule, RoleRef } from '../apimachinery/api/generated/rbac-v1.js'
import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import type { UnionAuthorizer } from '../apimachinery/request/authorization.js'
import type { UserInfo } from '../apimachinery/request/user.js'
import type { Store } from '../storage/contract.js'
import type { Clock } from '../util/clock.js'
import type { Randomness } from '../util/randomness.js'
import type { Lookup } from './lookup.js'
import type { ServiceNetwork } from './network/service-network.js'
import type { ServiceAccountTokens } from './tokens/service-account-tokens.js'

export interface TokenReviewer {
  /** Returns the user of a bearer token, or the authenticators' reasons for refusing it. */
  reviewToken(
    token: string,
    audiences: readonly string[]
  ): Promise<
    { readonly user: UserInfo; readonly audiences?: readonly string[] | undefined } | { readonly problems: readonly string[] }
  >
}

/** All rules that apply to a user, and the references to roles that do not exist. */
export interface GrantedRules {
  readonly rules: readonly PolicyRule[]
  readonly unresolved: readonly RoleRef[]
}

/** The roles and bindings, whether or not the mode RBAC is on: they limit what users grant. */
export interface GrantedRoles {
  rulesFor(user: UserInfo, namespace: string): GrantedRules
  /** Returns the rules of the role that a binding in `namespace` refers to, or undefined when the role does not exist. */
  rulesOf(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined
}

export interface StrategyServices {
  readonly features: FeatureGates
  /** Whether containers may be privileged. */
  readonly allowPrivileged: boolean
  /** Whether deletions tell the garbage collector what to do with dependents. */
  readonly collectsGarbage: boolean
  readonly clock: Clock
  readonly random: Randomness
  readonly store: Store
  readonly registry: Lookup
  readonly network: ServiceNetwork
  readonly tokens: ServiceAccountTokens
  readonly authenticator: TokenReviewer
  /** The audiences by which tokens name the server itself. */
  readonly apiAudiences: readonly string[]
  readonly authorizer: UnionAuthorizer
  readonly rbac: GrantedRoles
}
