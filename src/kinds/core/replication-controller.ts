import type { ReplicationController } from '../../apimachinery/api/generated/core-v1.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { madeNameIsSubdomain } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns, formatLabels } from '../columns.js'
import { nameWarnings, validateRunsForever } from '../pod-owner.js'
import { validateReplicaCounts } from '../replica-counts.js'
import { templateGatedFields } from './pod/gated-fields.js'
import { defaultPodTemplate, validatePodTemplate } from './pod/template.js'
import { podWarnings } from './pod/warnings.js'

const spec = Path.of('spec')

export const replicationController = defineKind<ReplicationController>({
  group: '',
  kind: 'ReplicationController',
  resource: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  validateName: madeNameIsSubdomain,
  versions: [{ name: 'v1', type: 'core.v1.ReplicationController' }],
  storage: { path: 'controllers' },
  fieldSelectors: { fields: { 'status.replicas': o => String(o.status.replicas) } },
  table: {
    columns: builtinColumns<ReplicationController>('replicationcontrollers', {
      Desired: o => o.spec.replicas ?? 0,
      Current: o => o.status.replicas,
      Ready: o => o.status.readyReplicas ?? 0,
      Containers: o => o.spec.template?.spec.containers?.map(c => c.name).join(','),
      Images: o => o.spec.template?.spec.containers?.map(c => c.image).join(','),
      Selector: o => formatLabels(o.spec.selector)
    })
  },
  generation: true,
  gatedFields: templateGatedFields('spec.template.spec'),
  strategy: {
    default(o) {
      const labels = o.spec.template?.metadata.labels
      if (labels && !Object.keys(o.spec.selector ?? {}).length) o.spec.selector = { ...labels }
      defaultLabels(o)
      o.spec.replicas ??= 1
      if (o.spec.template) defaultPodTemplate(o.spec.template)
    },
    prepareForCreate(o) {
      o.status = { replicas: 0 }
    },
    validate: validateController,
    warnings(o, old) {
      const names = old ? [] : nameWarnings(o.metadata.name ?? '')
      if (!o.spec.template || o.metadata.generation === old?.metadata.generation) return names
      // kube-apiserver swaps old and new here: the warnings of an update are about the old template
      const template = old ? old.spec.template : o.spec.template
      return [...names, ...(template ? podWarnings(template, spec.child('template')) : [])]
    }
  },
  deletion: { defaultPropagation: () => 'Orphan' },
  subresources: {
    status: {
      // the labels default to those of the template
      prepareForUpdate: defaultLabels,
      validateUpdate: ({ status }, _old, errors) => validateReplicaCounts(status, counts, parts, Path.of('status'), errors)
    },
    scale: {
      replicas: o => o.spec.replicas ?? 0,
      setReplicas(o, replicas) {
        o.spec.replicas = replicas
      },
      statusReplicas: o => o.status.replicas,
      selector: o =>
        Object.entries(o.spec.selector ?? {})
          .map(pair => pair.join('='))
          .sort()
          .join(',')
    }
  }
})

function validateController(
  { spec: wanted }: ReplicationController,
  errors: FieldErrors,
  _: unknown,
  old?: ReplicationController
): void {
  const { minReadySeconds = 0, replicas = 0, selector = {}, template } = wanted
  if (minReadySeconds < 0) errors.invalid(spec.child('minReadySeconds'), minReadySeconds, 'must be greater than or equal to 0')
  if (Object.keys(selector).length === 0) errors.required(spec.child('selector'))
  if (replicas < 0) errors.invalid(spec.child('replicas'), replicas, 'must be greater than or equal to 0')
  if (!template) return errors.required(spec.child('template'))
  const path = spec.child('template')
  const labels = template.metadata.labels ?? {}
  if (!Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value)) {
    errors.invalid(
      path.child('metadata', 'labels'),
      given(template.metadata, 'labels'),
      '`selector` does not match template `labels`'
    )
  }
  validatePodTemplate(template, path, errors, old?.spec.template)
  validateRunsForever(template, 'ReplicationController', path, errors)
}

const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const
const counts = ['replicas', ...parts, 'observedGeneration'] as const

function defaultLabels({ metadata, spec }: ReplicationController): void {
  const labels = spec.template?.metadata.labels
  if (labels && !Object.keys(metadata.labels ?? {}).length) metadata.labels = { ...labels }
}
