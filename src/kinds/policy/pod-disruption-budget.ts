import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from '../../api/generated/policy-v1.js'
import { defineKind } from '../../registry/kind.js'
import { validateConditions } from '../../validation/conditions.js'
import { Path } from '../../validation/field.js'
import { GoText, goJson } from '../../validation/go-value.js'
import { validateLabelSelector } from '../../validation/label-selector.js'
import { validateAtMost100Percent, validateIntOrPercent, validateNonNegatives } from '../../validation/numbers.js'
import { commonColumn } from '../columns.js'
import { selectorText } from '../pod-owner.js'

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget']

export const podDisruptionBudget = defineKind<PodDisruptionBudget>({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'policy.v1.PodDisruptionBudget' }],
  columns: [
    commonColumn('Name'),
    {
      name: 'Min Available',
      type: 'string',
      description:
        'An eviction is allowed if at least "minAvailable" pods selected by "selector" will still be available after the eviction, i.e. even in the absence of the evicted pod.  So for example you can prevent all voluntary evictions by specifying "100%".',
      value: o => String(o.spec.minAvailable ?? 'N/A')
    },
    {
      name: 'Max Unavailable',
      type: 'string',
      description:
        'An eviction is allowed if at most "maxUnavailable" pods selected by "selector" are unavailable after the eviction, i.e. even in absence of the evicted pod. For example, one can prevent all voluntary evictions by specifying 0. This is a mutually exclusive setting with "minAvailable".',
      value: o => String(o.spec.maxUnavailable ?? 'N/A')
    },
    {
      name: 'Allowed Disruptions',
      type: 'integer',
      description: 'Calculated number of pods that may be disrupted at this time.',
      value: o => o.status.disruptionsAllowed
    },
    commonColumn('Age')
  ],
  generation: true,
  allowUnconditionalUpdate: false,
  onlyGenericMetadata: true,
  prepareForCreate(o) {
    o.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }
  },
  validate({ spec }, errors) {
    const at = Path.of('spec')
    const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: policy } = spec
    if (minAvailable !== undefined && maxUnavailable !== undefined)
      errors.invalid(at, specText(spec), 'minAvailable and maxUnavailable cannot be both set')
    for (const field of ['minAvailable', 'maxUnavailable'] as const) {
      validateIntOrPercent(spec[field], at.child(field), errors)
      validateAtMost100Percent(spec[field], at.child(field), errors)
    }
    validateLabelSelector(spec.selector, at.child('selector'), errors)
    if (policy !== undefined && !evictionPolicies.includes(policy))
      errors.notSupported(at.child('unhealthyPodEvictionPolicy'), policy, evictionPolicies)
  },
  status: {
    onlyGenericMetadata: true,
    validateUpdate({ status }, _, errors) {
      const at = Path.of('status')
      validateConditions(status.conditions ?? [], at.child('conditions'), errors)
      validateNonNegatives(status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'], at, errors)
    }
  }
})

/** As kube-apiserver prints it, with the names of Go's fields. */
function specText({ minAvailable, selector, maxUnavailable, unhealthyPodEvictionPolicy }: PodDisruptionBudgetSpec): GoText {
  return new GoText(
    goJson({
      MinAvailable: minAvailable,
      Selector: selectorText(selector) ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null
    })
  )
}
