import type { CompositePodGroup } from '../../apimachinery/api/generated/scheduling-v1alpha3.js'
import type { PodGroup } from '../../apimachinery/api/generated/scheduling-v1beta1.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { Path } from '../../apimachinery/validation/field.js'
import { defineKind } from '../../registry/kind.js'
import type { DefaultContext } from '../../registry/strategy.js'
import { builtinColumns } from '../columns.js'
import { compositeGatedFields } from './pod-group-template.js'

/** The kind CompositePodGroup: PodGroups that are scheduled together, made from a template of a Workload. */
export const compositePodGroup = defineKind<CompositePodGroup>({
  group: 'scheduling.k8s.io',
  kind: 'CompositePodGroup',
  resource: 'compositepodgroups',
  namespaced: true,
  featureGate: 'CompositePodGroup',
  versions: [{ name: 'v1alpha3', type: 'scheduling.v1alpha3.CompositePodGroup', served: false }],
  table: {
    columns: builtinColumns<CompositePodGroup>('scheduling.k8s.io/compositepodgroups', {
      Policy: o => (o.spec.schedulingPolicy.gang ? 'Gang' : 'Basic'),
      Workload: o => o.spec.workloadRef?.workloadName ?? '<none>'
    })
  },
  gatedFields: compositeGatedFields('spec.'),
  strategy: {
    allowUnconditionalUpdate: false,
    default: defaultGroup,
    prepareForCreate(o) {
      o.status = {}
    }
  },
  subresources: {
    status: {
      metadata: 'reset',
      columns: false,
      validateUpdate({ status }, _old, errors) {
        validateConditions(status.conditions ?? [], Path.of('status', 'conditions'), errors)
      }
    }
  }
})

/** Sets the preemption policy only where its gate is on. */
export function defaultGroup({ spec }: PodGroup | CompositePodGroup, { services }: DefaultContext): void {
  spec.disruptionMode ??= { single: {} }
  if (services?.features.enabled('PodGroupPreemptionPolicy')) spec.preemptionPolicy ??= 'PreemptLowerPriority'
}
