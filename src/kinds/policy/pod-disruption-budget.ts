import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from '../../apimachinery/api/generated/policy-v1.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { Path } from '../../apimachinery/validation/field.js'
import { GoText, goJson } from '../../apimachinery/validation/go-value.js'
import { validateLabelSelector } from '../../apimachinery/validation/label-selector.js'
import { validateAtMost100Percent, validateIntOrPercent, validateNonNegatives } from '../../apimachinery/validation/numbers.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { selectorText } from '../pod-owner.js'

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget']

export const podDisruptionBudget = defineKind<PodDisruptionBudget>({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'policy.v1.PodDisruptionBudget' }],
  table: {
    columns: builtinColumns<PodDisruptionBudget>('policy/poddisruptionbudgets', {
      'Min Available': o => String(o.spec.minAvailable ?? 'N/A'),
      'Max Unavailable': o => String(o.spec.maxUnavailable ?? 'N/A'),
      'Allowed Disruptions': o => o.status.disruptionsAllowed
    })
  },
  generation: true,
  strategy: {
    allowUnconditionalUpdate: false,
    prepareForCreate(o) {
      o.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }
    },
    createChecks: ['validate', 'validateCreate'],
    updateChecks: ['validate'],
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
    }
  },
  subresources: {
    status: {
      updateChecks: ['validateUpdate'],
      validateUpdate({ status }, _, errors) {
        const at = Path.of('status')
        validateConditions(status.conditions ?? [], at.child('conditions'), errors)
        validateNonNegatives(status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'], at, errors)
      }
    }
  }
})

/** Formats the spec as kube-apiserver prints it, with the names of Go's fields. */
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
