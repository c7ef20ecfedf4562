import { jsonValue } from '../../../apimachinery/cel/values/json.js'
import type { Value } from '../../../apimachinery/cel/values/value.js'
import { forbidden, StatusError } from '../../../apimachinery/status/status.js'
import { takingTurns } from '../../../util/turns.js'
import { type AdmissionAttributes, type BuiltinPlugin, shownTo } from '../../admission.js'
import { type AdmissionMetrics, policyErrorOf } from '../../admission-metrics.js'
import { annotate, annotateValidationFailures, type ValidationFailure } from '../../audit-annotations.js'
import { namespaceValue, requestValue } from '../../matching/activation.js'
import { type Authorizers, authorizersFor } from '../../matching/authorizers.js'
import type { ConditionsMet } from '../../matching/match-conditions.js'
import { requestedResource } from '../../matching/rules.js'
import { inVersionOf, type ServedResource } from '../../matching/served-resource.js'
import { nameInErrors } from '../../name-in-errors.js'
import { ConfigurationError, collectParams, paramResource } from '../../policy/params.js'
import type { AdmissionPolicies } from '../../policy/policies.js'
import {
  type BoundValidatingPolicy,
  evaluatePolicy,
  type Refusal,
  type RequestViews,
  type Verdict
} from '../../policy/validating-policy.js'

/**
 * Refuses requests, or warns of them, as the cluster's ValidatingAdmissionPolicies say
 * (https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/).
 */
export const validatingAdmissionPolicy = ({ validating, metrics }: AdmissionPolicies): BuiltinPlugin => ({
  name: 'ValidatingAdmissionPolicy',
  subresources: '*',
  validate(attributes) {
    const policies = validating.concerning(attributes.resource)
    return policies.length === 0 ? undefined : validate(attributes, policies, metrics)
  }
})

async function validate(
  attributes: AdmissionAttributes,
  policies: readonly BoundValidatingPolicy[],
  metrics: AdmissionMetrics
): Promise<void> {
  const found: Findings = { denials: [], audited: [] }
  const authorizers = authorizersFor(attributes)
  const turn = takingTurns()
  for (const policy of policies) await consult(policy, attributes, authorizers, found, metrics, turn)
  annotateValidationFailures(attributes.context.origin.record, found.audited)
  const [denial] = found.denials
  if (denial) throw denied(attributes, denial)
}

/** Formats what a policy decided, for the recorder. */
const answerOf = ({ refusals, failures }: Verdict) =>
  [...refusals, ...failures].map(({ message }) => message).join('; ') || 'nothing to object'

interface Denial extends Refusal {
  readonly policy: string
  /** Undefined when the policy itself cannot be used. */
  readonly binding: string | undefined
}

/** What the policies have found so far. */
interface Findings {
  readonly denials: Denial[]
  /** For the audit event. */
  readonly audited: ValidationFailure[]
}

async function consult(
  policy: BoundValidatingPolicy,
  attributes: AdmissionAttributes,
  authorizers: Authorizers,
  { denials, audited }: Findings,
  metrics: AdmissionMetrics,
  turn: ReturnType<typeof takingTurns>
): Promise<void> {
  const { name, spec, matcher, bindings } = policy
  const { registry } = attributes.context.services
  const misconfigured = (error: unknown, binding?: string) => {
    if (!(error instanceof ConfigurationError || error instanceof StatusError)) throw error
    if (spec.failurePolicy === 'Ignore') return
    const what = binding === undefined ? 'policy' : 'binding'
    denials.push({ policy: name, binding, message: `failed to configure ${what}: ${error.message}` })
  }
  let matched: ServedResource | undefined
  let params: ServedResource | undefined
  try {
    matched = matcher.match(attributes)
    if (!matched) return
    params = spec.paramKind && (await paramResource(spec.paramKind, registry))
  } catch (error) {
    return misconfigured(error)
  }
  let views: RequestViews | undefined
  const { record } = attributes.context.origin
  const steps = record?.steps
  const step = (binding: string) => ({ kind: 'policy', phase: 'validate', name: `${name} (binding ${binding})` }) as const
  const annotations = new Map<string, Set<string>>()
  const conditionsEvaluated = (began: number, met: ConditionsMet) =>
    metrics.conditionsEvaluated({ name, kind: 'policy', type: 'validate' }, attributes.operation, began, met)
  for (const { name: binding, spec: bound, matcher } of bindings) {
    let given: readonly unknown[]
    try {
      if (matcher && !matcher.match(attributes)) continue
      given = collectParams(params, bound.paramRef, attributes.namespace)
    } catch (error) {
      misconfigured(error, binding)
      continue
    }
    if (given.length === 0) continue
    views ??= await viewsOf(attributes, matched, authorizers)
    for (const param of given) {
      const pending = turn()
      if (pending) await pending
      const seen = views
      const params = jsonValue(param) as Value
      const began = performance.now()
      const expressions = steps?.measures ? [] : undefined
      const evaluate = () => evaluatePolicy(policy, seen, params, conditionsEvaluated, expressions)
      const {
        refusals,
        failures,
        annotations: made
      } = await (steps
        ? steps.around(step(binding), shownTo(attributes), evaluate, answerOf, ({ cost }) => ({ cost, expressions }))
        : evaluate())
      const seconds = (performance.now() - began) / 1000
      for (const refusal of refusals) {
        const { validationActions = [] } = bound
        for (const action of validationActions) {
          metrics.validated(name, binding, policyErrorOf(refusal.message), action.toLowerCase(), seconds)
          const { message, index: expressionIndex = 0 } = refusal
          if (action === 'Deny') denials.push({ policy: name, binding, ...refusal })
          else if (action === 'Audit') audited.push({ message, policy: name, binding, expressionIndex, validationActions })
          else if (action === 'Warn')
            attributes.context.warn(
              `Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${binding}': ${message}`
            )
        }
      }
      for (const failure of failures) {
        metrics.validated(name, binding, policyErrorOf(failure.message), 'deny', seconds)
        denials.push({ policy: name, binding, ...failure })
      }
      for (const [key, value] of made) annotations.set(key, (annotations.get(key) ?? new Set()).add(value))
    }
  }
  // several bindings or parameters may give a key several values
  for (const [key, values] of annotations) annotate(record, `${name}/${key}`, [...values].join(', '))
}

async function viewsOf(
  attributes: AdmissionAttributes,
  matched: ServedResource,
  authorizers: Authorizers
): Promise<RequestViews> {
  const { object, oldObject } = await inVersionOf(attributes, matched, 'validate')
  return {
    object: jsonValue(object),
    oldObject: jsonValue(oldObject),
    request: requestValue(attributes, matched),
    conditionRequest: requestValue(attributes, requestedResource(attributes), matched),
    namespaceObject: namespaceValue(attributes),
    authorizers
  }
}

const codes: Record<string, number> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 }

function denied(attributes: AdmissionAttributes, { policy, binding, message, reason = 'Invalid' }: Denial): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding}'`
  const text = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`
  const { status } = forbidden(attributes.resource.groupResource, nameInErrors(attributes), text, [{ message: text }])
  return new StatusError({ ...status, reason, code: codes[reason] ?? 422 })
}
