/** Counts and times the decisions on requests, under kube-apiserver's names. */
import { exponentialBuckets, type Metrics } from '../instruments/metrics.js'
import { type Count, Distribution } from '../instruments/series.js'
import type { Decision } from '../request/authorization.js'

type Result = 'allowed' | 'denied' | 'no-opinion' | 'error'

export class AuthorizationAttempts {
  readonly #attempts
  readonly #seconds
  readonly #results = new Map<Result, { readonly attempts: Count; readonly seconds: Distribution }>()
  /** Times of the whole stage. */
  readonly #stage: Distribution

  constructor(metrics: Metrics, stage = new Distribution([])) {
    this.#stage = stage
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

  /** `began` in milliseconds, of performance.now(). Returns the present time. */
  decided(decision: Decision, began: number): number {
    const result = resultOf(decision)
    let found = this.#results.get(result)
    if (!found) this.#results.set(result, (found = { attempts: this.#attempts.of(result), seconds: this.#seconds.of(result) }))
    const now = performance.now()
    const seconds = (now - began) / 1000
    found.attempts.value++
    found.seconds.observe(seconds)
    this.#stage.observe(seconds)
    return now
  }
}

function resultOf({ allowed, denied, error }: Decision): Result {
  if (allowed) return 'allowed'
  if (error !== undefined) return 'error'
  return denied ? 'denied' : 'no-opinion'
}
