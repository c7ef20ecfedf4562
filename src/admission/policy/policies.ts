/** The admission policies of a server. */
import type { Registry } from '../../registry/registry.js'
import { compileMutatingPolicy } from './mutating-policy.js'
import { PolicySet } from './policy-set.js'
import { compileValidatingPolicy } from './validating-policy.js'

export class AdmissionPolicies {
  readonly validating = new PolicySet('validatingadmissionpolicies', compileValidatingPolicy)
  readonly mutating = new PolicySet('mutatingadmissionpolicies', compileMutatingPolicy)

  /** The caches of the registry's resources have to be loaded. */
  follow(registry: Registry): void {
    this.validating.follow(registry)
    this.mutating.follow(registry)
  }

  close(): void {
    this.validating.close()
    this.mutating.close()
  }
}
