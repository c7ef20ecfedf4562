/** The authorizers of a server as one: the first that allows decides. */
import type { AuthorizationAttributes, Authorizer, Decision, UnionAuthorizer } from '../request/authorization.js'
import { aggregateText } from '../util/go-format.js'

const denied: Decision = { allowed: false, reason: '' }

export function unionAuthorizer(authorizers: readonly Authorizer[]): UnionAuthorizer {
  const ask = (attributes: AuthorizationAttributes, from: number, before: Decision): Decision | Promise<Decision> => {
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
