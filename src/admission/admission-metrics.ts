/** Metrics of admission, under kube-apiserver's names: its two steps, plugins, match conditions and policies. */
import type { Metrics } from '../util/instruments/metrics.js'
import type { Distribution, Quantiles } from '../util/instruments/series.js'

export type StepType = 'admit' | 'validate'

/**
 * The times of one step of an operation, or of one plugin in it: of the requests that it let pass, and of those that it refused.
 */
export interface Times {
  readonly passed: Distribution
  /** The times of refused requests; made with the first refusal. */
  rejected(): Distribution
}

export interface StepTimes extends Times {
  readonly passedSummary: Quantiles
  rejectedSummary(): Quantiles
}

export type PolicyError = 'compile_error' | 'invalid_error' | 'out_of_budget' | 'no_error'

const stepSeconds = [0.005, 0.025, 0.1, 0.5, 1, 2.5]
const policySeconds = [0.000_000_5, 0.001, 0.01, 0.1, 1]

export class AdmissionMetrics {
  readonly #steps
  readonly #summaries
  readonly #plugins
  readonly #conditionSeconds
  readonly #conditionErrors
  readonly #conditionExclusions
  readonly #validating
  readonly #mutating
  readonly #podSecurity
  readonly #podSecurityExemptions
  readonly #podSecurityErrors

  constructor(metrics: Metrics) {
    const prefix = 'apiserver_admission'
    const step = ['type', 'operation', 'rejected']
    this.#steps = metrics.histogram({
      name: `${prefix}_step_admission_duration_seconds`,
      help: 'How long the two steps of admission took.',
      stage: 'STABLE',
      labels: step,
      buckets: stepSeconds
    })
    this.#summaries = metrics.summary({
      name: `${prefix}_step_admission_duration_seconds_summary`,
      help: 'How long the two steps of admission took lately.',
      stage: 'ALPHA',
      labels: step
    })
    this.#plugins = metrics.histogram({
      name: `${prefix}_controller_admission_duration_seconds`,
      help: 'How long admission plugins took for the requests that concern them.',
      stage: 'STABLE',
      labels: ['name', ...step],
      buckets: stepSeconds
    })
    const condition = { stage: 'ALPHA', labels: ['name', 'kind', 'type', 'operation'] } as const
    this.#conditionSeconds = metrics.histogram({
      name: `${prefix}_match_condition_evaluation_seconds`,
      help: 'How long the match conditions of webhooks and policies took.',
      ...condition,
      buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25]
    })
    this.#conditionErrors = metrics.counter({
      name: `${prefix}_match_condition_evaluation_errors_total`,
      help: 'Match conditions of webhooks and policies that failed.',
      ...condition
    })
    this.#conditionExclusions = metrics.counter({
      name: `${prefix}_match_condition_exclusions_total`,
      help: 'Requests that match conditions excluded from a webhook or policy.',
      ...condition
    })
    this.#validating = policyFamilies(metrics, 'validating', 'BETA', ['enforcement_action'])
    this.#mutating = policyFamilies(metrics, 'mutating', 'ALPHA', [])
    const pod = ['request_operation', 'resource', 'subresource']
    this.#podSecurity = metrics.counter({
      name: 'pod_security_evaluations_total',
      help: 'Checks of Pods and templates against the Pod Security Standards.',
      stage: 'ALPHA',
      labels: ['decision', 'policy_level', 'policy_version', 'mode', ...pod]
    })
    this.#podSecurityErrors = metrics.counter({
      name: 'pod_security_errors_total',
      help: 'Checks against the Pod Security Standards that went wrong.',
      stage: 'ALPHA',
      labels: ['fatal', ...pod]
    })
    this.#podSecurityExemptions = metrics.counter({
      name: 'pod_security_exemptions_total',
      help: 'Requests that are exempt from the Pod Security Standards.',
      stage: 'ALPHA',
      labels: pod
    })
    // shown as zero from the start, as by kube-apiserver
    for (const operation of ['create', 'update'])
      for (const kind of ['pod', 'controller']) this.#podSecurityExemptions.of(operation, kind, '')
  }

  step(type: StepType, operation: string): StepTimes {
    const labels = [type, operation]
    return {
      passed: this.#steps.of(...labels, 'false'),
      passedSummary: this.#summaries.of(...labels, 'false'),
      rejected: () => this.#steps.of(...labels, 'true'),
      rejectedSummary: () => this.#summaries.of(...labels, 'true')
    }
  }

  plugin(name: string, type: StepType, operation: string): Times {
    return {
      passed: this.#plugins.of(name, type, operation, 'false'),
      rejected: () => this.#plugins.of(name, type, operation, 'true')
    }
  }

  /** `began` is a time of performance.now(), in milliseconds. */
  conditionsEvaluated(
    { name, kind, type }: { readonly name: string; readonly kind: 'webhook' | 'policy'; readonly type: string },
    operation: string,
    began: number,
    met: boolean | { readonly error: string }
  ): void {
    const labels = [name, kind, type, operation]
    this.#conditionSeconds.of(...labels).observe((performance.now() - began) / 1000)
    if (met === false) this.#conditionExclusions.of(...labels).add()
    else if (met !== true) this.#conditionErrors.of(...labels).add()
  }

  validated(policy: string, binding: string, error: PolicyError, action: string, seconds: number): void {
    this.#validating.checks.of(policy, binding, error, action).add()
    this.#validating.seconds.of(policy, binding, error, action).observe(seconds)
  }

  mutated(policy: string, binding: string, error: PolicyError, seconds: number): void {
    this.#mutating.checks.of(policy, binding, error).add()
    this.#mutating.seconds.of(policy, binding, error).observe(seconds)
  }

  podSecurityEvaluated(
    decision: 'allow' | 'deny',
    level: string,
    version: string,
    mode: 'enforce' | 'audit' | 'warn',
    request: readonly string[]
  ): void {
    this.#podSecurity.of(decision, level, version, mode, ...request).add()
  }

  podSecurityExempted(request: readonly string[]): void {
    this.#podSecurityExemptions.of(...request).add()
  }

  podSecurityFailed(request: readonly string[]): void {
    this.#podSecurityErrors.of('false', ...request).add()
  }
}

function policyFamilies(metrics: Metrics, kind: 'validating' | 'mutating', stage: 'ALPHA' | 'BETA', more: readonly string[]) {
  const prefix = `apiserver_${kind}_admission_policy_check`
  const labels = ['policy', 'policy_binding', 'error_type', ...more]
  return {
    checks: metrics.counter({ name: `${prefix}_total`, help: `What ${kind} admission policies decided.`, stage, labels }),
    seconds: metrics.histogram({
      name: `${prefix}_duration_seconds`,
      help: `How long expressions of ${kind} admission policies took.`,
      stage,
      labels,
      buckets: policySeconds
    })
  }
}

/** The kind of error, for the metrics, that the message of a policy describes. */
export function policyErrorOf(message: string): PolicyError {
  if (message.startsWith('compilation')) return 'compile_error'
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error'
}
