/** Counts and times who tries to authenticate, under kube-apiserver's names. */
import { exponentialBuckets, type Metrics } from '../instruments/metrics.js'
import { type Count, Distribution } from '../instruments/series.js'

/** `failure`: there were no credentials; `error`: they were wrong. */
export type AttemptResult = 'success' | 'failure' | 'error'

const usual: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default'
])

interface Result {
  readonly attempts: Count
  readonly seconds: Distribution
}

export class AuthenticationAttempts {
  readonly #users
  readonly #attempts
  readonly #seconds
  readonly #results = new Map<AttemptResult, Result>()
  readonly #others: () => Count
  /** Times of the whole stage. */
  readonly #stage: Distribution

  constructor(metrics: Metrics, stage = new Distribution([])) {
    this.#stage = stage
    this.#users = metrics.counter({
      name: 'authenticated_user_requests',
      help: 'Authenticated requests by the sort of their user.',
      stage: 'ALPHA',
      labels: ['username']
    })
    this.#attempts = metrics.counter({
      name: 'authentication_attempts',
      help: 'Attempts to authenticate by their result.',
      stage: 'ALPHA',
      labels: ['result']
    })
    this.#seconds = metrics.histogram({
      name: 'authentication_duration_seconds',
      help: 'How long it took to authenticate, by the result.',
      stage: 'ALPHA',
      labels: ['result'],
      buckets: exponentialBuckets(0.001, 2, 15)
    })
    let others: Count | undefined
    this.#others = () => (others ??= this.#users.of('other'))
  }

  /** `began` in milliseconds, of performance.now(). Returns the present time. */
  succeeded(user: string, began: number): number {
    const count = usual.has(user) ? this.#users.of(user) : user.includes('@') ? this.#users.of('email_id') : this.#others()
    count.value++
    return this.#ended('success', began)
  }

  failed(result: 'failure' | 'error', began: number): number {
    return this.#ended(result, began)
  }

  #ended(result: AttemptResult, began: number): number {
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
