/** What one server lends to strategies, admission plugins, subresources and controllers. */

import type { AdmissionPolicies } from '../admission/policy/policies.js'
import type { AdmissionWebhooks } from '../admission/webhook/admission-webhooks.js'
import type { Authenticator } from '../authentication/union.js'
import type { UnionAuthorizer } from '../authorization/authorizer.js'
import type { RbacPolicy } from '../authorization/rbac/policy.js'
import type { Store } from '../storage/contract.js'
import type { Clock } from '../util/clock.js'
import type { Randomness } from '../util/randomness.js'
import type { ServiceNetwork } from './network/service-network.js'
import type { Registry } from './registry.js'
import type { ServiceAccountTokens } from './tokens/service-account-tokens.js'

export interface Services {
  readonly clock: Clock
  readonly random: Randomness
  readonly store: Store
  readonly registry: Registry
  readonly network: ServiceNetwork
  readonly tokens: ServiceAccountTokens
  readonly authenticator: Pick<Authenticator, 'reviewToken'>
  /** The audiences that the server itself goes by in tokens. */
  readonly apiAudiences: readonly string[]
  readonly authorizer: UnionAuthorizer
  /** The roles and bindings, whether or not the mode RBAC is on: they limit what users grant. */
  readonly rbac: RbacPolicy
  readonly admissionWebhooks: AdmissionWebhooks
  readonly policies: AdmissionPolicies
}
