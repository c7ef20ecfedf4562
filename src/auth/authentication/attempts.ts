/** Counts and times attempts to authenticate, under kube-apiserver's names. */
import { exponentialBuckets, type Metrics } from '../../util/instruments/metrics.js'
import { type Count, Distribution } from '../../util/instruments/series.js'
import { TimedResults } from '../../util/instruments/timed-results.js'

/** `failure`: the request had no credentials; `error`: they were wrong. */
export type AttemptResult = 'success' | 'failure' | 'error'

const usual: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default'
])

export class AuthenticationAttempts {
  readonly #users
  readonly #others: () => Count
  readonly #results: TimedResults<AttemptResult>

  constructor(metrics: Metrics, stage = new Distribution([])) {
    this.#users = metrics.counter({
      name: 'authenticated_user_requests',
      help: 'Authenticated requests by the sort of their user.',
      stage: 'ALPHA',
      labels: ['username']
    })
    const attempts = metrics.counter({
      name: 'authentication_attempts',
      help: 'Attempts to authenticate by their result.',
      stage: 'ALPHA',
      labels: ['result']
    })
    const seconds = metrics.histogram({
      name: 'authentication_duration_seconds',
      help: 'How long it took to authenticate, by the result.',
      stage: 'ALPHA',
      labels: ['result'],
      buckets: exponentialBuckets(0.001, 2, 15)
    })
    this.#results = new TimedResults(attempts, seconds, stage)
    let others: Count | undefined
    this.#others = () => (others ??= this.#users.of('other'))
  }

  /** `began` is a time of performance.now(), in milliseconds. Returns the present time. */
  succeeded(user: string, began: number): number {
    const count = usual.has(user) ? this.#users.of(user) : user.includes('@') ? this.#users.of('email_id') : this.#others()
    count.value++
    return this.#results.ended('success', began)
  }

  failed(result: 'failure' | 'error', began: number): number {
    return this.#results.ended(result, began)
  }
}
