/** What authorizers report about their work for /metrics. */

/** Counts the final decisions of one authorizer. */
export interface DecisionCounts {
  allowed: number
  denied: number
}

/** The outcome of one call to a webhook. */
export type CallResult = 'success' | 'error' | 'timeout' | 'canceled'

export interface AuthorizationMetrics {
  /** Returns the counts of an authorizer, which then adds to them directly: no request should pay for a look-up. */
  decisions(type: string, name: string): DecisionCounts
  webhookCalled(name: string, result: CallResult, seconds: number): void
  /** A call has failed, but the request was not refused for that. */
  failedOpen(name: string, result: CallResult): void
  /** The match conditions of a webhook have been evaluated. */
  conditionsEvaluated(name: string, seconds: number, outcome: 'met' | 'excluded' | 'failed'): void
}
