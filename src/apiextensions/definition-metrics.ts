/** Metrics of custom resources, under kube-apiserver's names: expressions in their schemas, and conversions. */

import type { RuleTimes } from '../apimachinery/structural/rules/rule-validator.js'
import { defaultBuckets, exponentialBuckets, type Metrics } from '../util/instruments/metrics.js'

export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure'

export class DefinitionMetrics {
  /** The times of rules in schemas. */
  readonly rules: RuleTimes
  readonly #conversions
  readonly #calls
  readonly #callSeconds

  constructor(metrics: Metrics) {
    const cel = (name: string, help: string) =>
      metrics.histogram({ name: `apiserver_cel_${name}_duration_seconds`, help, stage: 'BETA', buckets: defaultBuckets }).of()
    this.rules = {
      compilation: cel('compilation', 'How long it took to compile the rules of a schema.'),
      evaluation: cel('evaluation', 'How long it took to evaluate the rules of a value.')
    }
    this.#conversions = metrics.histogram({
      name: 'apiserver_crd_conversion_webhook_duration_seconds',
      help: 'How long conversions of custom resources by webhooks took.',
      stage: 'ALPHA',
      labels: ['crd_name', 'from_version', 'to_version', 'succeeded'],
      buckets: exponentialBuckets(0.001, 2, 15)
    })
    const labels = ['result', 'failure_type']
    this.#calls = metrics.counter({
      name: 'apiserver_conversion_webhook_request_total',
      help: 'Calls to conversion webhooks by what came of them.',
      stage: 'ALPHA',
      labels
    })
    this.#callSeconds = metrics.histogram({
      name: 'apiserver_conversion_webhook_duration_seconds',
      help: 'How long calls to conversion webhooks took.',
      stage: 'ALPHA',
      labels,
      buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60]
    })
  }

  /** `began` is a time of performance.now(), in milliseconds. */
  webhookCalled(
    call: { readonly definition: string; readonly from: string; readonly to: string },
    failure: ConversionFailure | undefined,
    began: number
  ): void {
    const seconds = (performance.now() - began) / 1000
    const labels = failure === undefined ? ['success', ''] : ['failure', failure]
    this.#calls.of(...labels).add()
    this.#callSeconds.of(...labels).observe(seconds)
    this.#conversions.of(call.definition, call.from, call.to, String(failure === undefined)).observe(seconds)
  }
}
