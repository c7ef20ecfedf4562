/** Metrics of impersonation, under kube-apiserver's names. */

import type { Decision } from '../../../apimachinery/request/authorization.js'
import { exponentialBuckets, type Metrics } from '../../../util/instruments/metrics.js'

const labels = ['mode', 'decision']
const buckets = exponentialBuckets(0.001, 2, 15)

export class ImpersonationMetrics {
  readonly #attempts
  readonly #questions

  constructor(metrics: Metrics) {
    const prefix = 'apiserver_impersonation'
    const family = (name: string, what: string) => ({
      total: metrics.counter({ name: `${prefix}_${name}_total`, help: `${what}.`, stage: 'ALPHA', labels }),
      seconds: metrics.histogram({
        name: `${prefix}_${name}_duration_seconds`,
        help: `${what}: how long they took.`,
        stage: 'ALPHA',
        labels,
        buckets
      })
    })
    this.#attempts = family('attempts', 'Attempts to act as another user, by the sort of permission')
    this.#questions = family('authorization_attempts', 'Questions to authorizers whether a user may act as another')
  }

  /** `mode` is the constraint of the permission that was used: `legacy` for the classic verb, "" when nothing was allowed. */
  attempted(mode: string, isAllowed: boolean, began: number): void {
    const values = [mode, isAllowed ? 'allowed' : 'denied']
    this.#attempts.total.of(...values).add()
    this.#attempts.seconds.of(...values).observe((performance.now() - began) / 1000)
  }

  asked(mode: string, { allowed, denied }: Decision, began: number): void {
    const values = [mode, allowed ? 'allowed' : denied ? 'denied' : 'no-opinion']
    this.#questions.total.of(...values).add()
    this.#questions.seconds.of(...values).observe((performance.now() - began) / 1000)
  }
}
