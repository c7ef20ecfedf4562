/** What each authorizer says about a request, for those who wonder why it was allowed or refused. */
import type { AuthorizationAttributes, Authorizer, Decision } from '../../apimachinery/request/authorization.js'
import type { Policy } from './abac/policy.js'

/** What an authorizer decided by. It is part of the server's configuration, which most users may not see. */
export interface OpinionDetails {
  /** The first policy of the ABAC file that allows the request. */
  readonly policy?: Policy
  /** The match conditions of a webhook, with their values, or the texts of their errors. */
  readonly matchConditions?: readonly { readonly expression: string; readonly value: boolean | string }[]
}

export interface ExplainingAuthorizer extends Authorizer {
  explain(attributes: AuthorizationAttributes): OpinionDetails | undefined
}

export interface AskedAuthorizer {
  /** That of the configuration: `RBAC`; `Privileged` for system:masters, `Program` for those of the embedding program. */
  readonly type: string
  readonly name: string
  readonly authorizer: Authorizer | ExplainingAuthorizer
}

export interface Opinion {
  readonly type: string
  readonly name: string
  readonly opinion: 'allowed' | 'denied' | 'no opinion' | 'not asked'
  readonly reason: string
  readonly error?: string
  readonly details?: OpinionDetails
}

/** Asks in turn, until one decides; the others are told as not asked. */
export async function opinionsOf(
  authorizers: readonly AskedAuthorizer[],
  attributes: AuthorizationAttributes,
  signal?: AbortSignal
): Promise<readonly Opinion[]> {
  const opinions: Opinion[] = []
  let isDecided = false
  for (const { type, name, authorizer } of authorizers) {
    if (isDecided) {
      opinions.push({ type, name, opinion: 'not asked', reason: '' })
      continue
    }
    const decision = await authorizer.authorize(attributes, { signal })
    const details = 'explain' in authorizer ? authorizer.explain(attributes) : undefined
    const opinion = opinionOf(decision)
    isDecided = opinion !== 'no opinion'
    const { reason = '', error } = decision ?? {}
    opinions.push({
      ...{ type, name, opinion, reason },
      ...(error === undefined ? {} : { error }),
      ...(details ? { details } : {})
    })
  }
  return opinions
}

const opinionOf = (decision: Decision | undefined): Opinion['opinion'] =>
  decision?.allowed ? 'allowed' : decision?.denied ? 'denied' : 'no opinion'
