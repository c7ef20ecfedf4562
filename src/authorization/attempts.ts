/** Counts and times the decisions on requests, under kube-apiserver's names. */
import { exponentialBuckets, type Metrics } from '../instruments/metrics.js'
import type { Decision } from '../request/authorization.js'

export class AuthorizationAttempts {
  readonly #attempts
  readonly #seconds

  constructor(metrics: Metrics) {
    this.#attempts = metrics.counter({
      name: 'authorization_attempts_total',
      help: 'Decisions on requests: allowed, denied, no-opinion where no authorizer said anything, error where one failed.',
      stage: 'ALPHA',
      labels: ['result']
    })
    this.#seconds = metrics.histogram({
      name: 'authorization_duration_seconds',
      help: 'How long decisions on requests took.',
      stage: 'ALPHA',
      labels: ['result'],
      buckets: exponentialBuckets(0.001, 2, 15)
    })
  }

  /** `began`: milliseconds, of performance.now(). */
  decided(decision: Decision, began: number): void {
    const result = resultOf(decision)
    this.#attempts.of(result).value++
    this.#seconds.of(result).observe((performance.now() - began) / 1000)
  }
}

function resultOf({ allowed, denied, error }: Decision): string {
  if (allowed) return 'allowed'
  if (error !== undefined) return 'error'
  return denied ? 'denied' : 'no-opinion'
}
