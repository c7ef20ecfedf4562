import type { PodGroup, PodGroupStatus } from '../../apimachinery/api/generated/scheduling-v1beta1.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isLongName } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { isFieldChanged, validateUnchanged } from '../immutable.js'
import {
  groupGatedFields,
  validateClaimCount,
  validateGroupFields,
  validateGroupUnchanged,
  validateShortName,
  validateUniqueNames
} from './pod-group-template.js'

const at = Path.of('spec')

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
    ...groupGatedFields('spec'),
    { gates: 'DRAWorkloadResourceClaims', fields: ['status.resourceClaimStatuses'], inUse: ['spec.resourceClaims'] }
  ],
  strategy: {
    // kube-apiserver forgets to reset the status for writers of the resource
    resetFields: { '': {}, status: { 'f:metadata': {}, 'f:spec': {} } },
    default: defaultMode,
    prepareForCreate(o) {
      o.status = {}
    },
    validateCreate({ spec }, errors) {
      const { workloadRef } = spec
      if (workloadRef) {
        const path = at.child('workloadRef')
        const { workloadName, templateName } = workloadRef
        if (workloadName === '') errors.required(path.child('workloadName'))
        else for (const e of isLongName(workloadName)) errors.invalid(path.child('workloadName'), workloadName, e)
        validateShortName(templateName, path.child('templateName'), errors)
      }
      validateGroupFields(spec, at, errors)
    },
    validateUpdate({ spec }, { spec: old }, errors) {
      validateUnchanged(spec, old, 'workloadRef', at, errors)
      validateGroupUnchanged(spec, old, at, errors)
    }
  },
  subresources: {
    status: {
      metadata: 'reset',
      columns: false,
      validateUpdate(o, old, errors) {
        validateConditions(o.status.conditions ?? [], Path.of('status', 'conditions'), errors)
        validateClaimStatuses(o, old, errors)
      }
    }
  }
})

function defaultMode({ spec }: PodGroup): void {
  spec.disruptionMode ??= { single: {} }
}

function shownStatus({ conditions = [] }: PodGroupStatus): string {
  const disruption = conditions.findLast(({ type }) => type === 'DisruptionTarget')
  if (disruption) return disruption.reason
  const scheduled = conditions.findLast(({ type }) => type === 'PodGroupScheduled')
  if (!scheduled) return 'Pending'
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable'
}

function validateClaimStatuses({ spec, status }: PodGroup, old: PodGroup, errors: FieldErrors): void {
  const path = Path.of('status', 'resourceClaimStatuses')
  const statuses = status.resourceClaimStatuses ?? []
  const claims = new Set(spec.resourceClaims?.map(({ name }) => name))
  statuses.forEach(({ name }, i) => {
    if (!claims.has(name))
      errors.invalid(path.index(i).child('name'), name, 'must match the name of an entry in `spec.resourceClaims`')
  })
  if (!isFieldChanged(status, old.status, 'resourceClaimStatuses') || !validateClaimCount(statuses, path, errors)) return
  validateUniqueNames(statuses, path, errors)
  const before = old.status.resourceClaimStatuses ?? []
  statuses.forEach(({ name, resourceClaimName }, i) => {
    if (resourceClaimName === undefined) return
    if (before.find(other => other.name === name)?.resourceClaimName === resourceClaimName) return
    for (const e of isLongName(resourceClaimName)) errors.invalid(path.index(i).child('resourceClaimName'), resourceClaimName, e)
  })
}
