/** Says of each ValidatingAdmissionPolicy that its present form was looked at, and what of its expressions does not fit their types. */
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '../api/generated/admissionregistration-v1.js'
import type { Services } from '../registry/services.js'
import type { Logger } from '../util/logger.js'
import { Controller } from './controller.js'
import type { Writer } from './writer.js'

/** Until expressions can be checked against types there is nothing to warn of. */
const checkNothing = (): ExpressionWarning[] => []

export function policyStatusController(
  { registry, clock }: Services,
  writer: Writer,
  log: Logger,
  check: (policy: ValidatingAdmissionPolicy) => ExpressionWarning[] = checkNothing
): Controller {
  const policies = registry.resource('admissionregistration.k8s.io', 'validatingadmissionpolicies')
  return new Controller({
    name: 'policy-status',
    watches: [{ resource: policies, keyOf: name => name }],
    clock,
    log,
    async reconcile(name) {
      const cached = policies.get('', name)
      if (!cached) return
      const policy: ValidatingAdmissionPolicy = policies.parse(cached)
      const { generation = 0 } = policy.metadata
      if (generation <= (policy.status.observedGeneration ?? 0)) return
      const warnings = check(policy)
      const typeChecking = warnings.length > 0 ? { expressionWarnings: warnings } : {}
      await writer.apply(policies, '', { metadata: { name }, status: { observedGeneration: generation, typeChecking } }, 'status')
    }
  })
}
