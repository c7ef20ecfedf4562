/** What authorizers tell of their work, for /metrics. */

/** The final decisions of one authorizer. */
export interface DecisionCounts {
  allowed: number
  denied: number
}

/** What came of one call to a webhook. */
export type CallResult = 'success' | 'error' | 'timeout' | 'canceled'

export interface AuthorizationMetrics {
  /** Returns the counts of an authorizer, which add to them by themselves: no request should pay for a look-up. */
  decisions(type: string, name: string): DecisionCounts
  webhookCalled(name: string, result: CallResult, seconds: number): void
  /** A failed call was no reason to refuse the request. */
  failedOpen(name: string, result: CallResult): void
  /** The match conditions of a webhook were evaluated. */
  conditionsEvaluated(name: string, seconds: number, outcome: 'met' | 'excluded' | 'failed'): void
}
