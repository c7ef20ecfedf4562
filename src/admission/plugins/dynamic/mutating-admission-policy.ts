import * as refs from '../../../apimachinery/api/resources.js'
import { jsonValue } from '../../../apimachinery/cel/values/json.js'
import { forbidden, notFound, StatusError } from '../../../apimachinery/status/status.js'
import { goQuote } from '../../../util/go-format.js'
import { cloneJson, equalJson } from '../../../util/json.js'
import { type AdmissionAttributes, type BuiltinPlugin, shownTo } from '../../admission.js'
import type { AdmissionMetrics } from '../../admission-metrics.js'
import { authorizersFor } from '../../matching/authorizers.js'
import type { ServedResource } from '../../matching/served-resource.js'
import { nameInErrors } from '../../name-in-errors.js'
import { type Invocation, mutate, type Outcome } from '../../policy/mutate.js'
import { MutatedObject } from '../../policy/mutated-object.js'
import type { BoundMutatingPolicy } from '../../policy/mutating-policy.js'
import { ConfigurationError, collectParams, paramResource } from '../../policy/params.js'
import type { AdmissionPolicies } from '../../policy/policies.js'
import { Reinvocation } from '../../reinvocation.js'

const name = 'MutatingAdmissionPolicy'

/**
 * Changes objects as the cluster's MutatingAdmissionPolicies say
 * (https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/).
 */
export const mutatingAdmissionPolicy = ({ mutating, metrics }: AdmissionPolicies): BuiltinPlugin => ({
  name,
  operations: ['CREATE', 'UPDATE'],
  subresources: '*',
  admit(attributes) {
    const policies = mutating.concerning(attributes.resource)
    if (policies.length === 0 || !attributes.context.services.features.enabled('MutatingAdmissionPolicy')) return undefined
    return admit(attributes, policies, metrics)
  }
})

interface Failure {
  readonly policy: BoundMutatingPolicy
  readonly binding?: string | undefined
  readonly message: string
  readonly reason?: string
}

async function admit(
  attributes: AdmissionAttributes,
  policies: readonly BoundMutatingPolicy[],
  metrics: AdmissionMetrics
): Promise<void> {
  const failures: Failure[] = []
  const invocations: Invocation[] = []
  for (const policy of policies)
    for (const invocation of await invocationsOf(policy, attributes, failures)) invocations.push(invocation)
  if (invocations.length > 0) await invokeAll(attributes, invocations, failures, metrics)
  const refusing = failures.filter(({ policy }) => policy.spec.failurePolicy !== 'Ignore')
  if (refusing.length > 0) throw refused(attributes, refusing)
}

async function invocationsOf(
  policy: BoundMutatingPolicy,
  attributes: AdmissionAttributes,
  failures: Failure[]
): Promise<Invocation[]> {
  const misconfigured = (error: unknown, binding?: string) => {
    if (!(error instanceof ConfigurationError || error instanceof StatusError)) throw error
    const what = binding === undefined ? 'policy' : 'binding'
    failures.push({ policy, binding, message: `failed to configure ${what}: ${error.message}` })
  }
  const { paramKind } = policy.spec
  let matched: ServedResource | undefined
  let of: ServedResource | undefined
  try {
    matched = policy.matcher.match(attributes)
    if (!matched) return []
    of = paramKind && (await paramResource(paramKind, attributes.context.services.registry))
  } catch (error) {
    misconfigured(error)
    return []
  }
  const found: Invocation[] = []
  for (const { name: binding, spec, matcher } of policy.bindings) {
    try {
      if (matcher && !matcher.match(attributes)) continue
      for (const param of collectParams(of, spec.paramRef, attributes.namespace)) {
        const { namespace = '', name = '' } =
          (param as { metadata?: { namespace?: string; name?: string } } | null)?.metadata ?? {}
        const key = JSON.stringify([policy.name, binding, namespace, name])
        found.push({ policy, binding, key, matched, params: jsonValue(param) })
      }
    } catch (error) {
      misconfigured(error, binding)
    }
  }
  return found
}

async function invokeAll(
  attributes: AdmissionAttributes,
  invocations: readonly Invocation[],
  failures: Failure[],
  metrics: AdmissionMetrics
): Promise<void> {
  const reinvocation = (attributes.reinvocation ??= new Reinvocation())
  const rounds = reinvocation.roundsOf(name)
  if (reinvocation.isReinvoke && !equalJson(rounds.output, attributes.object)) rounds.changed()
  checkNamespace(attributes)
  const authorizers = authorizersFor(attributes)
  const { steps } = attributes.context.origin.record ?? {}
  let mutated = false
  const mutatedObject = new MutatedObject(attributes)
  try {
    for (const invocation of invocations) {
      const { policy, binding, key } = invocation
      const skips = reinvocation.isReinvoke && !rounds.toAskAgain.has(key)
      const expressions = steps?.measures ? [] : undefined
      const work = () => mutate(attributes, mutatedObject, invocation, authorizers, skips, metrics, expressions)
      const step = { kind: 'policy', phase: 'admit', name: `${policy.name} (binding ${binding})` } as const
      const outcome = await (steps
        ? steps.around(
            step,
            shownTo(attributes),
            work,
            result => answerOf(result, skips),
            ({ cost }) => ({ cost, expressions })
          )
        : work())
      for (const message of outcome.problems) failures.push({ policy, binding, message, reason: 'Invalid' })
      if (!outcome.asked) continue
      if (outcome.changed) {
        rounds.changed()
        reinvocation.shouldReinvoke = true
      }
      mutated ||= outcome.mutated
      if (policy.spec.reinvocationPolicy === 'IfNeeded') rounds.asked.add(key)
    }
    await mutatedObject.settle()
    // after any mutation, policies that ask for reinvocation run again, the last one included, and so do other plugins
    if (mutated) {
      rounds.changed()
      reinvocation.shouldReinvoke = true
    }
  } finally {
    rounds.output = cloneJson(attributes.object)
  }
}

/** What the recorder shows of a policy. */
function answerOf({ problems, asked, mutated }: Outcome, skips: boolean): string | undefined {
  if (problems.length > 0) return `failed: ${problems.join('; ')}`
  if (!asked) return skips ? 'not asked again' : 'its conditions do not hold'
  return mutated ? 'mutated' : 'nothing to mutate'
}

function checkNamespace({ namespace, resource, context }: AdmissionAttributes): void {
  if (namespace === '' || (resource.group === '' && resource.resource === 'namespaces')) return
  const namespaces = context.services.registry.of(refs.namespaces)
  if (!namespaces.get('', namespace)) throw notFound(namespaces.groupResource, namespace)
}

/** The message is the first failure; the causes are all of them. */
function refused(attributes: AdmissionAttributes, failures: readonly Failure[]): StatusError {
  const texts = failures.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy ${goQuote(policy.name)} denied request: ${message}`
      : `policy '${policy.name}' with binding '${binding}' denied request: ${message}`
  )
  const causes = texts.map(message => ({ message }))
  const { status } = forbidden(attributes.resource.groupResource, nameInErrors(attributes), '', causes)
  return new StatusError({ ...status, message: texts[0]!, reason: failures[0]!.reason ?? 'Forbidden' })
}
