import type { PodGroup, PodGroupStatus } from '../../apimachinery/api/generated/scheduling-v1beta1.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { defaultGroup } from './composite-pod-group.js'
import { groupGatedFields } from './pod-group-template.js'

/** The kind PodGroup: Pods that are scheduled together, made from a template of a Workload (KEP-4671). */
export const podGroup = defineKind<PodGroup>({
  group: 'scheduling.k8s.io',
  kind: 'PodGroup',
  resource: 'podgroups',
  namespaced: true,
  featureGate: 'GenericWorkload',
  versions: [
    { name: 'v1beta1', type: 'scheduling.v1beta1.PodGroup', served: false },
    { name: 'v1alpha3', type: 'scheduling.v1alpha3.PodGroup', served: false }
  ],
  table: {
    columns: builtinColumns<PodGroup>('scheduling.k8s.io/podgroups', {
      Policy: o => (o.spec.schedulingPolicy.gang ? 'Gang' : 'Basic'),
      Workload: o => o.spec.workloadRef?.workloadName ?? '<none>',
      Status: o => shownStatus(o.status)
    })
  },
  gatedFields: [
    ...groupGatedFields('spec.'),
    { gates: 'CompositePodGroup', fields: ['spec.parentCompositePodGroupName'] },
    { gates: 'DRAWorkloadResourceClaims', fields: ['status.resourceClaimStatuses'], inUse: ['spec.resourceClaims'] }
  ],
  strategy: {
    allowUnconditionalUpdate: false,
    default: defaultGroup,
    prepareForCreate(o) {
      o.status = {}
    },
    validateCreate({ spec }, errors) {
      if (spec.parentCompositePodGroupName !== undefined && !spec.workloadRef)
        errors.required(Path.of('spec', 'workloadRef'), 'must be set when parentCompositePodGroupName is set')
    }
  },
  subresources: {
    status: {
      metadata: 'reset',
      columns: false,
      validateUpdate(o, _old, errors) {
        validateConditions(o.status.conditions ?? [], Path.of('status', 'conditions'), errors)
        validateClaimStatuses(o, errors)
      }
    }
  }
})

function shownStatus({ conditions = [] }: PodGroupStatus): string {
  const disruption = conditions.findLast(({ type }) => type === 'DisruptionTarget')
  if (disruption) return disruption.reason
  const scheduled = conditions.findLast(({ type }) => type === 'PodGroupInitiallyScheduled')
  if (!scheduled) return 'Pending'
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable'
}

function validateClaimStatuses({ spec, status }: PodGroup, errors: FieldErrors): void {
  const path = Path.of('status', 'resourceClaimStatuses')
  const claims = new Set(spec.resourceClaims?.map(({ name }) => name))
  status.resourceClaimStatuses?.forEach(({ name }, i) => {
    if (!claims.has(name))
      errors.invalid(path.index(i).child('name'), name, 'must match the name of an entry in `spec.resourceClaims`')
  })
}
