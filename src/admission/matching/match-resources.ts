/** The matchConstraints of a policy and the matchResources of a binding, ready to be asked about requests. */
import type { MatchResources } from '../../api/generated/admissionregistration-v1.js'
import type { LabelMatcher } from '../../selectors/labels.js'
import { StatusError } from '../../status/status.js'
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

  /** The resource that the rules name; undefined when they are not about the request. Throws a StatusError. */
  match(attributes: AdmissionAttributes): ServedResource | undefined {
    const problem = this.#namespaceProblem(attributes)
    if (problem === false || !objectMatches(this.#objects, attributes)) return undefined
    if (this.#excluded.length > 0 && matchRules(this.#excluded, this.#matchPolicy, attributes)) return undefined
    const found = this.rules.length === 0 ? requestedResource(attributes) : matchRules(this.rules, this.#matchPolicy, attributes)
    // a namespace that is not there matters only to what would apply
    if (found && problem) throw problem
    return found
  }

  /** false: the namespace is not selected. undefined: it is. */
  #namespaceProblem(attributes: AdmissionAttributes): StatusError | false | undefined {
    try {
      return namespaceMatches(this.#namespaces, attributes) ? undefined : false
    } catch (error) {
      if (error instanceof StatusError) return error
      throw error
    }
  }
}
