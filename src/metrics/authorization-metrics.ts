/** Metrics of authorizers and their webhooks, under kube-apiserver's names. Those of webhooks are made with the first call. */
import type * as Prometheus from 'prom-client'
import type { AuthorizationMetrics, CallResult, DecisionCounts } from '../authorization/metrics.js'
import type { LazyMetrics } from './lazy-metrics.js'

const type = 'Webhook'

export class PrometheusAuthorizationMetrics implements AuthorizationMetrics {
  readonly #all: LazyMetrics
  /** By type and name. They stay when the authorizer is gone: counters do not go back. */
  readonly #decisions = new Map<string, { readonly type: string; readonly name: string; readonly counts: DecisionCounts }>()
  #webhooks: ReturnType<typeof makeForWebhooks> | undefined

  constructor(all: LazyMetrics) {
    this.#all = all
    all.add((library, registry) => this.#addDecisions(library, registry))
  }

  decisions(type: string, name: string): DecisionCounts {
    const key = `${type} ${name}`
    let found = this.#decisions.get(key)
    if (!found) this.#decisions.set(key, (found = { type, name, counts: { allowed: 0, denied: 0 } }))
    return found.counts
  }

  webhookCalled(name: string, result: CallResult, seconds: number): void {
    this.#made.evaluations.inc({ name, result })
    this.#made.durations.observe({ name, result }, seconds)
  }

  failedOpen(name: string, result: CallResult): void {
    this.#made.failOpen.inc({ name, result })
  }

  conditionsEvaluated(name: string, seconds: number, outcome: 'met' | 'excluded' | 'failed'): void {
    this.#made.conditionSeconds.observe({ type, name }, seconds)
    if (outcome === 'excluded') this.#made.exclusions.inc({ type, name })
    if (outcome === 'failed') this.#made.conditionErrors.inc({ type, name })
  }

  get #made() {
    this.#webhooks ??= this.#all.make(makeForWebhooks)
    return this.#webhooks
  }

  #addDecisions({ Counter }: typeof Prometheus, registry: Prometheus.Registry): void {
    const all = this.#decisions
    new Counter({
      name: 'apiserver_authorization_decisions_total',
      help: 'Final decisions by the authorizer that made them.',
      labelNames: ['type', 'name', 'decision'],
      registers: [registry],
      collect() {
        this.reset()
        for (const { type, name, counts } of all.values())
          for (const decision of ['allowed', 'denied'] as const)
            if (counts[decision] > 0) this.inc({ type, name, decision }, counts[decision])
      }
    })
  }
}

function makeForWebhooks({ Counter, Histogram }: typeof Prometheus, registry: Prometheus.Registry) {
  const registers = [registry]
  const called = ['name', 'result']
  const authorizer = ['type', 'name']
  return {
    evaluations: new Counter({
      name: 'apiserver_authorization_webhook_evaluations_total',
      help: 'Calls to authorization webhooks by what came of them.',
      labelNames: called,
      registers
    }),
    durations: new Histogram({
      name: 'apiserver_authorization_webhook_duration_seconds',
      help: 'How long calls to authorization webhooks took.',
      labelNames: called,
      registers
    }),
    failOpen: new Counter({
      name: 'apiserver_authorization_webhook_evaluations_fail_open_total',
      help: 'Failed calls to authorization webhooks that left the decision to other authorizers.',
      labelNames: called,
      registers
    }),
    conditionErrors: new Counter({
      name: 'apiserver_authorization_match_condition_evaluation_errors_total',
      help: 'Evaluations of match conditions that failed.',
      labelNames: authorizer,
      registers
    }),
    exclusions: new Counter({
      name: 'apiserver_authorization_match_condition_exclusions_total',
      help: 'Requests for which match conditions excluded an authorization webhook.',
      labelNames: authorizer,
      registers
    }),
    conditionSeconds: new Histogram({
      name: 'apiserver_authorization_match_condition_evaluation_seconds',
      help: 'How long the match conditions of authorization webhooks took.',
      labelNames: authorizer,
      buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
      registers
    })
  }
}
