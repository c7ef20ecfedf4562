/** The matchConstraints of a policy and the matchResources of a binding, ready to match requests. */
import type { MatchResources } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { LabelMatcher } from '../../apimachinery/selectors/labels.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { AdmissionAttributes } from '../admission.js'
import { matchRules, type Rules, requestedResource } from './rules.js'
import { compileSelector, namespaceMatches, objectMatches } from './selectors.js'
import type { ServedResource } from './served-resource.js'

const noRules: Rules = []

export class RequestMatcher {
  readonly rules: Rules
  readonly #excluded: Rules
  readonly #matchPolicy: string | undefined
  readonly #namespaces: LabelMatcher | undefined
  readonly #objects: LabelMatcher | undefined

  constructor({ resourceRules, excludeResourceRules, matchPolicy, namespaceSelector, objectSelector }: MatchResources) {
    this.rules = resourceRules ?? noRules
    this.#excluded = excludeResourceRules ?? noRules
    this.#matchPolicy = matchPolicy
    this.#namespaces = compileSelector(namespaceSelector)
    this.#objects = compileSelector(objectSelector)
  }

  /** Returns the resource that the rules name, or undefined when they do not match the request. Throws a StatusError. */
  match(attributes: AdmissionAttributes): ServedResource | undefined {
    const problem = this.#namespaceProblem(attributes)
    if (problem === false || !objectMatches(this.#objects, attributes)) return undefined
    if (this.#excluded.length > 0 && matchRules(this.#excluded, this.#matchPolicy, attributes)) return undefined
    const found = this.rules.length === 0 ? requestedResource(attributes) : matchRules(this.rules, this.#matchPolicy, attributes)
    // a missing namespace is an error only when the rules match
    if (found && problem) throw problem
    return found
  }

  /** Returns undefined when the namespace is selected, false when it is not, and the error when it does not exist. */
  #namespaceProblem(attributes: AdmissionAttributes): StatusError | false | undefined {
    try {
      return namespaceMatches(this.#namespaces, attributes) ? undefined : false
    } catch (error) {
      if (error instanceof StatusError) return error
      throw error
    }
  }
}
