/** Metrics of authorizers and their webhooks, under kube-apiserver's names. */

import { defaultBuckets, type Metrics } from '../../util/instruments/metrics.js'
import type { AuthorizationMetrics, CallResult, DecisionCounts } from './metrics.js'

const type = 'Webhook'

export class PrometheusAuthorizationMetrics implements AuthorizationMetrics {
  /** By type and name. They stay when the authorizer is gone: counters do not go back. */
  readonly #decisions = new Map<string, { readonly type: string; readonly name: string; readonly counts: DecisionCounts }>()
  readonly #webhooks: ReturnType<typeof forWebhooks>

  constructor(metrics: Metrics) {
    this.#addDecisions(metrics)
    this.#webhooks = forWebhooks(metrics)
  }

  decisions(type: string, name: string): DecisionCounts {
    const key = `${type} ${name}`
    let found = this.#decisions.get(key)
    if (!found) this.#decisions.set(key, (found = { type, name, counts: { allowed: 0, denied: 0 } }))
    return found.counts
  }

  webhookCalled(name: string, result: CallResult, seconds: number): void {
    this.#webhooks.evaluations.of(name, result).add()
    this.#webhooks.durations.of(name, result).observe(seconds)
  }

  failedOpen(name: string, result: CallResult): void {
    this.#webhooks.failOpen.of(name, result).add()
  }

  conditionsEvaluated(name: string, seconds: number, outcome: 'met' | 'excluded' | 'failed'): void {
    this.#webhooks.conditionSeconds.of(type, name).observe(seconds)
    if (outcome === 'excluded') this.#webhooks.exclusions.of(type, name).add()
    if (outcome === 'failed') this.#webhooks.conditionErrors.of(type, name).add()
  }

  #addDecisions(metrics: Metrics): void {
    const decisions = metrics.counter({
      name: 'apiserver_authorization_decisions_total',
      help: 'Final decisions by the authorizer that made them.',
      stage: 'ALPHA',
      labels: ['type', 'name', 'decision'],
      collect: () => {
        for (const { type, name, counts } of this.#decisions.values())
          for (const decision of ['allowed', 'denied'] as const)
            if (counts[decision] > 0) decisions.of(type, name, decision).set(counts[decision])
      }
    })
  }
}

function forWebhooks(metrics: Metrics) {
  const called = ['name', 'result']
  const authorizer = ['type', 'name']
  const prefix = 'apiserver_authorization'
  return {
    evaluations: metrics.counter({
      name: `${prefix}_webhook_evaluations_total`,
      help: 'Calls to authorization webhooks by what came of them.',
      stage: 'ALPHA',
      labels: called
    }),
    durations: metrics.histogram({
      name: `${prefix}_webhook_duration_seconds`,
      help: 'How long calls to authorization webhooks took.',
      stage: 'ALPHA',
      labels: called,
      buckets: defaultBuckets
    }),
    failOpen: metrics.counter({
      name: `${prefix}_webhook_evaluations_fail_open_total`,
      help: 'Failed calls to authorization webhooks that left the decision to other authorizers.',
      stage: 'ALPHA',
      labels: called
    }),
    conditionErrors: metrics.counter({
      name: `${prefix}_match_condition_evaluation_errors_total`,
      help: 'Evaluations of match conditions that failed.',
      stage: 'ALPHA',
      labels: authorizer
    }),
    exclusions: metrics.counter({
      name: `${prefix}_match_condition_exclusions_total`,
      help: 'Requests for which match conditions excluded an authorization webhook.',
      stage: 'ALPHA',
      labels: authorizer
    }),
    conditionSeconds: metrics.histogram({
      name: `${prefix}_match_condition_evaluation_seconds`,
      help: 'How long the match conditions of authorization webhooks took.',
      stage: 'ALPHA',
      labels: authorizer,
      buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25]
    })
  }
}
