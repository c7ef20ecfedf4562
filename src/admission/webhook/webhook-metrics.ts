/** Metrics of calls to admission webhooks, under kube-apiserver's names. */
import type { Metrics } from '../../util/instruments/metrics.js'

export type WebhookType = 'admit' | 'validating'

export interface WebhookCall {
  readonly name: string
  readonly type: WebhookType
  readonly operation: string
}

export type RejectionCause = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error'

const called = ['name', 'type', 'operation'] as const

/** The largest code with a series of its own: webhooks choose codes, so the number of series needs a bound. */
const largestCode = 600
const codeText = (code: number) => String(Math.min(code, largestCode))

export class WebhookMetrics {
  readonly #durations
  readonly #requests
  readonly #rejections
  readonly #failOpen

  constructor(metrics: Metrics) {
    this.#durations = metrics.histogram({
      name: 'apiserver_admission_webhook_admission_duration_seconds',
      help: 'How long admission webhooks took.',
      stage: 'STABLE',
      labels: [...called, 'rejected'],
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25]
    })
    this.#requests = metrics.counter({
      name: 'apiserver_admission_webhook_request_total',
      help: 'Calls to admission webhooks by what came of them.',
      stage: 'ALPHA',
      labels: [...called, 'code', 'rejected']
    })
    this.#rejections = metrics.counter({
      name: 'apiserver_admission_webhook_rejection_count',
      help: 'Requests that were refused because of an admission webhook, by cause.',
      stage: 'ALPHA',
      labels: [...called, 'error_type', 'rejection_code']
    })
    this.#failOpen = metrics.counter({
      name: 'apiserver_admission_webhook_fail_open_count',
      help: 'Calls to admission webhooks that failed and were ignored.',
      stage: 'ALPHA',
      labels: ['name', 'type']
    })
  }

  observe({ name, type, operation }: WebhookCall, seconds: number, code: number, isRejected: boolean): void {
    const rejected = String(isRejected)
    this.#requests.of(name, type, operation, codeText(code), rejected).add()
    this.#durations.of(name, type, operation, rejected).observe(seconds)
  }

  observeRejection({ name, type, operation }: WebhookCall, cause: RejectionCause, code: number): void {
    this.#rejections.of(name, type, operation, cause, codeText(code)).add()
  }

  observeFailOpen({ name, type }: WebhookCall): void {
    this.#failOpen.of(name, type).add()
  }
}
