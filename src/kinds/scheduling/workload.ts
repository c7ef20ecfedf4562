import type { Workload } from '../../apimachinery/api/generated/scheduling-v1beta1.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { dropTemplateFields } from './pod-group-template.js'
import { validateTemplates } from './workload-validation.js'

/** The kind Workload: groups of Pods that belong together, as templates of PodGroups (KEP-4671). */
export const workload = defineKind<Workload>({
  group: 'scheduling.k8s.io',
  kind: 'Workload',
  resource: 'workloads',
  namespaced: true,
  featureGate: 'GenericWorkload',
  versions: [
    { name: 'v1beta1', type: 'scheduling.v1beta1.Workload', served: false },
    { name: 'v1alpha3', type: 'scheduling.v1alpha3.Workload', served: false }
  ],
  table: { columns: builtinColumns<Workload>('scheduling.k8s.io/workloads', {}) },
  strategy: {
    allowUnconditionalUpdate: false,
    prepareForCreate({ spec }, { services }) {
      dropTemplateFields(spec, undefined, services.features)
    },
    prepareForUpdate({ spec }, old, { services }) {
      dropTemplateFields(spec, old.spec, services.features)
    },
    validate({ spec }, errors) {
      validateTemplates(spec, errors)
    }
  }
})
