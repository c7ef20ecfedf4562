import type { Authorizer, Decision, UserRules } from '../../apimachinery/request/authorization.js'
import type { DecisionCounts } from './metrics.js'

const noRules: UserRules = { resourceRules: [], nonResourceRules: [], incomplete: false, problems: [] }

/** Counts the final decisions of an authorizer, and gives it the name that the configuration has for it. */
export function counted(name: string, authorizer: Authorizer, counts: DecisionCounts): Authorizer {
  const count = (decision: Decision | undefined) => {
    if (decision?.allowed) counts.allowed++
    else if (decision?.denied) counts.denied++
    return decision
  }
  return {
    name,
    rulesFor: (user, namespace) => authorizer.rulesFor?.(user, namespace) ?? noRules,
    authorize(attributes, origin) {
      const decision = authorizer.authorize(attributes, origin)
      return decision instanceof Promise ? decision.then(count) : count(decision)
    }
  }
}
