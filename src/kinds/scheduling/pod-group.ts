import type { PodGroup, PodGroupStatus } from '../../apimachinery/api/generated/scheduling-v1alpha2.js'
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
  validateUnion,
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
  versions: [{ name: 'v1alpha2', type: 'scheduling.v1alpha2.PodGroup', served: false }],
  table: {
    columns: builtinColumns<PodGroup>('scheduling.k8s.io/podgroups', {
      Policy: o => (o.spec.schedulingPolicy.gang ? 'Gang' : 'Basic'),
      Workload: o => o.spec.podGroupTemplateRef?.workload?.workloadName ?? '<none>',
      Status: o => shownStatus(o.status)
    })
  },
  gatedFields: [
    ...groupGatedFields('spec'),
    { gates: 'DRAWorkloadResourceClaims', fields: ['status.resourceClaimStatuses'], inUse: ['spec.resourceClaims'] }
  ],
  strategy: {
    distinctMetadataErrors: true,
    // kube-apiserver forgets to reset the status for writers of the resource
    resetFields: { '': {}, status: { 'f:metadata': {}, 'f:spec': {} } },
    default: defaultMode,
    prepareForCreate(o) {
      o.status = {}
    },
    // where the gate WorkloadAwarePreemption is off, kube-apiserver drops the default, and sets it again when it reads
    defaultStored: defaultMode,
    isStoredLess: (_, features) => !features.enabled('WorkloadAwarePreemption'),
    validateCreate({ spec }, errors) {
      const { podGroupTemplateRef } = spec
      if (podGroupTemplateRef) {
        const path = at.child('podGroupTemplateRef')
        validateUnion(podGroupTemplateRef, ['workload'], path, errors)
        if (podGroupTemplateRef.workload) {
          const { workloadName, podGroupTemplateName } = podGroupTemplateRef.workload
          const name = path.child('workload', 'workloadName')
          if (workloadName === '') errors.required(name)
          else for (const e of isLongName(workloadName)) errors.invalid(name, workloadName, e)
          validateShortName(podGroupTemplateName, path.child('workload', 'podGroupTemplateName'), errors)
        }
      }
      validateGroupFields(spec, at, errors)
    },
    validateUpdate({ spec }, { spec: old }, errors) {
      validateUnchanged(spec, old, 'podGroupTemplateRef', at, errors)
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
  spec.disruptionMode ??= 'Pod'
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
