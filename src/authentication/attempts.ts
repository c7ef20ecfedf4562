/** Counts and times who tries to authenticate, under kube-apiserver's names. */
import { exponentialBuckets, type Metrics } from '../instruments/metrics.js'

/** `failure`: there were no credentials; `error`: they were wrong. */
export type AttemptResult = 'success' | 'failure' | 'error'

const usual = new Set(['admin', 'client', 'kube_proxy', 'kubelet', 'system:serviceaccount:kube-system:default'])

export class AuthenticationAttempts {
  readonly #users
  readonly #attempts
  readonly #seconds

  constructor(metrics: Metrics) {
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
  }

  /** `began`: milliseconds, of performance.now(). */
  succeeded(user: string, began: number): void {
    this.#users.of(usual.has(user) ? user : user.includes('@') ? 'email_id' : 'other').value++
    this.#ended('success', began)
  }

  failed(result: 'failure' | 'error', began: number): void {
    this.#ended(result, began)
  }

  #ended(result: AttemptResult, began: number): void {
    this.#attempts.of(result).value++
    this.#seconds.of(result).observe((performance.now() - began) / 1000)
  }
}
