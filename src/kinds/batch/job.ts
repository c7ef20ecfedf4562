import type { Job, JobSpec } from '../../apimachinery/api/generated/batch-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { formatLabelSelector } from '../../apimachinery/selectors/labels.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateLabelSelector } from '../../apimachinery/validation/label-selector.js'
import { isDns1123Label } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { humanDuration } from '../../util/duration.js'
import { goQuote } from '../../util/go-format.js'
import { builtinColumns } from '../columns.js'
import { templateGatedFields } from '../core/pod/gated-fields.js'
import { defaultPodTemplate } from '../core/pod/template.js'
import { containerImages, containerNames, isValidSelector, nameWarnings, validateSelectorMatches } from '../pod-owner.js'
import { isTrue } from './job-conditions.js'
import { generateSelector, uidLabel, validateGeneratedSelector } from './job-selector.js'
import { isIndexed, jobSpecWarnings, validateJobSpec } from './job-spec.js'
import { validateJobStatusUpdate } from './job-status.js'
import { validateJobSpecUpdate } from './job-update.js'

const path = Path.of('spec')
const noLimit = 2 ** 31 - 1

export const job = defineKind<Job>({
  group: 'batch',
  kind: 'Job',
  resource: 'jobs',
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'batch.v1.Job' }],
  fieldSelectors: {
    fields: { 'status.successful': o => String(o.status.succeeded ?? 0) },
    unknown: field => `field label ${goQuote(field)} not supported for Job`
  },
  table: {
    columns: builtinColumns<Job>('batch/jobs', {
      Name: o => o.metadata.name,
      Status: state,
      Completions: completions,
      Duration: ({ status: { startTime, completionTime } }, context) => {
        if (!startTime) return ''
        return completionTime ? humanDuration(Date.parse(completionTime) - Date.parse(startTime)) : context.since(startTime)
      },
      Age: age,
      Containers: o => containerNames(o.spec.template),
      Images: o => containerImages(o.spec.template),
      Selector: o => formatLabelSelector(o.spec.selector)
    })
  },
  generation: true,
  gatedFields: [
    ...templateGatedFields('spec.template.spec'),
    { gates: 'JobManagedBy', fields: ['spec.managedBy'] },
    { gates: 'WorkloadWithJob', fields: ['spec.scheduling'] }
  ],
  strategy: {
    default(o) {
      defaultSpec(o.spec)
      defaultLabels(o)
    },
    defaultStored: defaultLabels,
    isStoredLess: ({ metadata }) => metadata.labels?.[uidLabel] === metadata.uid,
    prepareForCreate(o) {
      generateSelector(o)
      o.status = {}
    },
    validateCreate(o, errors) {
      validateGeneratedSelector(o, errors)
      validateSpec(o.spec, errors, undefined)
      validatePodHostnames(o, errors)
    },
    validateUpdate(o, old, errors) {
      validateSpec(o.spec, errors, old.spec)
      validateJobSpecUpdate(o, old, path, errors)
      validatePodHostnames(o, errors)
    },
    warnings(o, old) {
      if (old && o.metadata.generation === old.metadata.generation) return []
      return [...(old ? [] : nameWarnings(o.metadata.name ?? '')), ...jobSpecWarnings(o.spec, path)]
    }
  },
  deletion: { defaultPropagation: () => 'Orphan' },
  subresources: { status: { prepareForUpdate: defaultLabels, validateUpdate: validateJobStatusUpdate } }
})

/**
 * Sets the labels. The Job and its template share one object on purpose: in kube-apiserver, labels generated for one appear in
 * the other.
 */
function defaultLabels({ metadata, spec }: Job): void {
  const { labels } = spec.template.metadata
  if (labels && isEmpty(metadata.labels)) metadata.labels = labels
}

const isEmpty = (labels: Record<string, string> | undefined) => Object.keys(labels ?? {}).length === 0

function defaultSpec(spec: JobSpec): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1
  spec.parallelism ??= 1
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : noLimit
  spec.completionMode ??= 'NonIndexed'
  spec.suspend ??= false
  spec.manualSelector ??= false
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'
  for (const rule of spec.podFailurePolicy?.rules ?? [])
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True'
  defaultPodTemplate(spec.template)
}

function validateSpec(spec: JobSpec, errors: FieldErrors, old: JobSpec | undefined): void {
  const { selector, template } = spec
  validateJobSpec(spec, path, errors, old)
  if (!selector) errors.required(path.child('selector'))
  else validateLabelSelector(selector, path.child('selector'), errors)
  if (isValidSelector(selector)) validateSelectorMatches(selector, template, path.child('template'), errors)
}

/** The Pods of an indexed Job are named by the Job and their index. */
function validatePodHostnames({ metadata, spec }: Job, errors: FieldErrors): void {
  const { completions = 0 } = spec
  const { name = '' } = metadata
  const last = `${name}-${completions - 1}`
  if (!isIndexed(spec) || completions <= 0 || isDns1123Label(last).length === 0) return
  const reason = `will not able to create pod with invalid DNS label: ${last}`
  errors.invalid(Path.of('metadata', 'name'), name, reason)
}

function state(o: Job): string {
  if (isTrue(o, 'Complete')) return 'Complete'
  if (isTrue(o, 'Failed')) return 'Failed'
  if (o.metadata.deletionTimestamp) return 'Terminating'
  return (['Suspended', 'FailureTarget', 'SuccessCriteriaMet'] as const).find(type => isTrue(o, type)) ?? 'Running'
}

function completions({ spec, status }: Job): string {
  const succeeded = status.succeeded ?? 0
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`
  const { parallelism = 0 } = spec
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}
