/** Metrics of calls to admission webhooks, under kube-apiserver's names. They are made with the first call. */
import type * as Prometheus from 'prom-client'
import type { LazyMetrics } from './lazy-metrics.js'

export type WebhookType = 'admit' | 'validating'

export interface WebhookCall {
  readonly name: string
  readonly type: WebhookType
  readonly operation: string
}

export type RejectionCause = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error'

const called = ['name', 'type', 'operation'] as const
const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25]
/** The largest code with a series of its own: webhooks choose codes, so the number of series needs a bound. */
const largestCode = 600

export class WebhookMetrics {
  readonly #all: LazyMetrics
  #metrics: ReturnType<typeof make> | undefined

  constructor(all: LazyMetrics) {
    this.#all = all
  }

  get #made() {
    this.#metrics ??= this.#all.make(make)
    return this.#metrics
  }

  observe(call: WebhookCall, seconds: number, code: number, isRejected: boolean): void {
    const rejected = String(isRejected)
    this.#made.requests.inc({ ...call, code: Math.min(code, largestCode), rejected })
    this.#made.durations.observe({ ...call, rejected }, seconds)
  }

  observeRejection(call: WebhookCall, cause: RejectionCause, code: number): void {
    this.#made.rejections.inc({ ...call, error_type: cause, rejection_code: Math.min(code, largestCode) })
  }

  observeFailOpen({ name, type }: WebhookCall): void {
    this.#made.failOpen.inc({ name, type })
  }
}

function make({ Counter, Histogram }: typeof Prometheus, registry: Prometheus.Registry) {
  const registers = [registry]
  return {
    durations: new Histogram({
      name: 'apiserver_admission_webhook_admission_duration_seconds',
      help: 'How long admission webhooks took.',
      labelNames: [...called, 'rejected'],
      buckets,
      registers
    }),
    requests: new Counter({
      name: 'apiserver_admission_webhook_request_total',
      help: 'Calls to admission webhooks by what came of them.',
      labelNames: [...called, 'code', 'rejected'],
      registers
    }),
    rejections: new Counter({
      name: 'apiserver_admission_webhook_rejection_count',
      help: 'Requests that were refused because of an admission webhook, by cause.',
      labelNames: [...called, 'error_type', 'rejection_code'],
      registers
    }),
    failOpen: new Counter({
      name: 'apiserver_admission_webhook_fail_open_count',
      help: 'Calls to admission webhooks that failed and were ignored.',
      labelNames: ['name', 'type'],
      registers
    })
  }
}
