/** Writes the observed generation and the type checking warnings into the status of each ValidatingAdmissionPolicy. */

import type { ValidatingAdmissionPolicy } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import { Controller } from '../controller.js'
import { typeWarnings } from './policy-type-check.js'

export function policyStatusController({ registry, clock, queues, random }: Services, client: Client, log: Logger): Controller {
  const policies = registry.of(refs.validatingAdmissionPolicies)
  return new Controller({
    name: 'policy-status',
    watches: [{ resource: policies, keyOf: name => name }],
    clock,
    queues,
    log,
    async reconcile(name) {
      const cached = policies.get('', name)
      if (!cached) return
      const policy: ValidatingAdmissionPolicy = policies.parse(cached)
      const { generation = 0 } = policy.metadata
      if (generation <= (policy.status.observedGeneration ?? 0)) return
      const expressionWarnings = await typeWarnings(policy, registry, random)
      const typeChecking = expressionWarnings.length > 0 ? { expressionWarnings } : {}
      const status = { observedGeneration: generation, typeChecking }
      await client.apply(policies, '', { metadata: { name }, status }, 'status')
    }
  })
}
