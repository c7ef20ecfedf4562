/** The admission policies of a server. */
import type { Registry } from '../../registry/registry.js'
import type { Part } from '../../util/part.js'
import type { AdmissionMetrics } from '../admission-metrics.js'
import { compileMutatingPolicy } from './mutating-policy.js'
import { PolicySet } from './policy-set.js'
import { compileValidatingPolicy } from './validating-policy.js'

export class AdmissionPolicies implements Part {
  readonly name = 'admission policies'
  readonly #registry: Registry
  readonly metrics: AdmissionMetrics
  readonly validating = new PolicySet('validatingadmissionpolicies', compileValidatingPolicy)
  readonly mutating = new PolicySet('mutatingadmissionpolicies', compileMutatingPolicy)

  constructor(registry: Registry, metrics: AdmissionMetrics) {
    this.#registry = registry
    this.metrics = metrics
  }

  /** Follows the watch caches of the policies and bindings, which must be loaded. */
  start(): void {
    this.validating.follow(this.#registry)
    this.mutating.follow(this.#registry)
  }

  stop(): void {
    this.validating.close()
    this.mutating.close()
  }
}
