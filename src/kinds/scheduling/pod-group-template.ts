/** What PodGroups and CompositePodGroups have in common with the templates of a Workload: fields that exist only where gates are on. */
import type { CompositePodGroupTemplate, WorkloadSpec } from '../../apimachinery/api/generated/scheduling-v1beta1.js'
import type { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { dropGatedFields, type GatedFields } from '../../registry/gated-fields.js'

const preemption = 'PodGroupPreemptionPolicy'

/** The fields of a CompositePodGroup, whose paths begin with `at`. */
export const compositeGatedFields = (at = ''): readonly GatedFields[] => [
  { gates: preemption, fields: [`${at}preemptionPolicy`] }
]

/** The fields of a PodGroup. */
export const groupGatedFields = (at = ''): readonly GatedFields[] => [
  { gates: 'TopologyAwareWorkloadScheduling', fields: [`${at}schedulingConstraints`] },
  { gates: 'DRAWorkloadResourceClaims', fields: [`${at}resourceClaims`] },
  ...compositeGatedFields(at)
]

const ofGroups = { gatedFields: groupGatedFields() }
const ofComposites = {
  gatedFields: [...compositeGatedFields(), { gates: 'CompositePodGroup', fields: ['compositePodGroupTemplates'] }]
} as const
const ofWorkloads = { gatedFields: [ofComposites.gatedFields[1]!] }

type Templates = Pick<CompositePodGroupTemplate, 'podGroupTemplates' | 'compositePodGroupTemplates'>

/** Drops the fields of gates that are off from the templates of a Workload. A template keeps those that the old one had. */
export function dropTemplateFields(spec: WorkloadSpec, old: WorkloadSpec | undefined, features: FeatureGates): void {
  dropGatedFields(ofWorkloads, features, spec, old)
  dropBelow(spec as Templates, old as Templates | undefined, features)
}

function dropBelow(templates: Templates, old: Templates | undefined, features: FeatureGates): void {
  const before = new Map(old?.compositePodGroupTemplates?.map(template => [template.name, template]))
  for (const template of templates.compositePodGroupTemplates ?? []) {
    const same = before.get(template.name)
    dropGatedFields(ofComposites, features, template, same)
    dropBelow(template, same, features)
  }
  // kube-apiserver finds the old one by its place
  for (const [i, template] of (templates.podGroupTemplates ?? []).entries()) {
    dropGatedFields(ofGroups, features, template, old?.podGroupTemplates?.[i])
    const shown: { schedulingConstraints?: unknown } = template
    // a missing one is written as null
    shown.schedulingConstraints ??= null
  }
}
