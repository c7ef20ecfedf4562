/** Counts and times the decisions about requests, under kube-apiserver's names. */

import type { Decision } from '../../apimachinery/request/authorization.js'
import { exponentialBuckets, type Metrics } from '../../util/instruments/metrics.js'
import { Distribution } from '../../util/instruments/series.js'
import { TimedResults } from '../../util/instruments/timed-results.js'

type Result = 'allowed' | 'denied' | 'no-opinion' | 'error'

export class AuthorizationAttempts {
  readonly #results: TimedResults<Result>

  constructor(metrics: Metrics, stage = new Distribution([])) {
    const attempts = metrics.counter({
      name: 'authorization_attempts_total',
      help: 'Decisions on requests: allowed, denied, no-opinion where no authorizer said anything, error where one failed.',
      stage: 'ALPHA',
      labels: ['result']
    })
    const seconds = metrics.histogram({
      name: 'authorization_duration_seconds',
      help: 'How long decisions on requests took.',
      stage: 'ALPHA',
      labels: ['result'],
      buckets: exponentialBuckets(0.001, 2, 15)
    })
    this.#results = new TimedResults(attempts, seconds, stage)
  }

  /** `began` is a time of performance.now(), in milliseconds. Returns the present time. */
  decided(decision: Decision, began: number): number {
    return this.#results.ended(resultOf(decision), began)
  }
}

function resultOf({ allowed, denied, error }: Decision): Result {
  if (allowed) return 'allowed'
  if (error !== undefined) return 'error'
  return denied ? 'denied' : 'no-opinion'
}
