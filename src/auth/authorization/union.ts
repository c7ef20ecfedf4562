/** The authorizers of a server as one: the first that allows or denies decides. */
import type { AuthorizationAttributes, Authorizer, Decision, UnionAuthorizer } from '../../apimachinery/request/authorization.js'
import { aggregateText } from '../../util/go-format.js'

const noOpinion: Decision = { allowed: false, reason: '' }

export function unionAuthorizer(authorizers: readonly Authorizer[]): UnionAuthorizer {
  /**
   * Asks the authorizers one after the other. `before` are the earlier answers that decided nothing, but have a reason or an
   * error.
   */
  const ask = (
    attributes: AuthorizationAttributes,
    origin: Origin | undefined,
    from: number,
    before: readonly Decision[]
  ): Decision | Promise<Decision> => {
    let opinions = before
    for (let i = from; i < authorizers.length; i++) {
      const authorizer = authorizers[i]!
      const decision = authorizer.authorize(attributes, origin)
      if (decision instanceof Promise)
        return decision.then(late =>
          isFinal(late) ? late : ask(attributes, origin, i + 1, withOpinion(opinions, authorizer, late))
        )
      if (isFinal(decision)) return decision
      opinions = withOpinion(opinions, authorizer, decision)
    }
    return opinions.length === 0 ? noOpinion : joined(opinions)
  }
  return {
    authorize: (attributes, origin) => ask(attributes, origin, 0, none),
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

type Origin = Parameters<Authorizer['authorize']>[1]

const none: readonly Decision[] = []

const isFinal = (decision: Decision | undefined): decision is Decision =>
  decision !== undefined && (decision.allowed || decision.denied === true)

/** Adds the opinion of an authorizer. Its reason names the authorizer, because several may have had one. */
function withOpinion(before: readonly Decision[], { name }: Authorizer, decision: Decision | undefined): readonly Decision[] {
  if (decision === undefined || (decision.reason === '' && decision.error === undefined)) return before
  const isNamed = name !== undefined && decision.reason !== ''
  return [...before, isNamed ? { ...decision, reason: `${name}: ${decision.reason}` } : decision]
}

function joined(opinions: readonly Decision[]): Decision {
  const reason = opinions.flatMap(({ reason }) => (reason === '' ? [] : [reason])).join('\n')
  const errors = opinions.flatMap(({ error }) => error ?? [])
  return { allowed: false, reason, ...(errors.length === 0 ? {} : { error: aggregateText(errors) }) }
}
