import type { ReplicaSet } from '../../apimachinery/api/generated/apps-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { formatLabelSelector } from '../../apimachinery/selectors/labels.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateNonNegatives } from '../../apimachinery/validation/numbers.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { templateGatedFields } from '../core/pod/gated-fields.js'
import { defaultPodTemplate } from '../core/pod/template.js'
import { containerImages, containerNames, ownerScale, ownerWarnings, validateSelectorUnchanged } from '../pod-owner.js'
import { validateReplicaCounts } from '../replica-counts.js'
import { validateReplicaTemplate } from './replica-template.js'

export const replicaSet = defineKind<ReplicaSet>({
  group: 'apps',
  kind: 'ReplicaSet',
  resource: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'apps.v1.ReplicaSet' }],
  table: {
    columns: builtinColumns<ReplicaSet>('apps/replicasets', {
      Name: o => o.metadata.name,
      Desired: o => o.spec.replicas ?? 0,
      Current: o => o.status.replicas,
      Ready: o => o.status.readyReplicas ?? 0,
      Age: age,
      Containers: o => containerNames(o.spec.template),
      Images: o => containerImages(o.spec.template),
      Selector: o => formatLabelSelector(o.spec.selector)
    })
  },
  generation: true,
  gatedFields: [
    ...templateGatedFields('spec.template.spec'),
    { gates: 'DeploymentReplicaSetTerminatingReplicas', fields: ['status.terminatingReplicas'] }
  ],
  empty(o) {
    o.spec = { replicas: 0, ...o.spec }
  },
  strategy: {
    default({ spec }) {
      spec.replicas ??= 1
      defaultPodTemplate(spec.template)
    },
    prepareForCreate(o) {
      o.status = { replicas: 0 }
    },
    validate: validateSpec,
    validateUpdate: validateSelectorUnchanged,
    warnings: ownerWarnings
  },
  subresources: {
    status: {
      validateUpdate: ({ status }, _, errors) => validateReplicaCounts(status, counts, parts, Path.of('status'), errors)
    },
    scale: ownerScale
  }
})

function validateSpec({ spec }: ReplicaSet, errors: FieldErrors, _: unknown, old?: ReplicaSet): void {
  const at = Path.of('spec')
  validateNonNegatives(spec, ['replicas', 'minReadySeconds'], at, errors)
  validateReplicaTemplate(spec, at, errors, old?.spec)
}

const counts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas'
] as const

const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const
