import type { CronJob, CronJobSpec, JobSpec, JobTemplateSpec } from '../../apimachinery/api/generated/batch-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { formatLabelSelector } from '../../apimachinery/selectors/labels.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { validateNonNegatives } from '../../apimachinery/validation/numbers.js'
import { changesFirst } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { templateGatedFields } from '../core/pod/gated-fields.js'
import { defaultPodTemplate } from '../core/pod/template.js'
import { containerImages, containerNames, nameWarnings, selectorText } from '../pod-owner.js'
import { scheduleError } from './cron-schedule.js'
import { jobSpecWarnings, validateJobSpec } from './job-spec.js'
import { timeZoneProblem } from './time-zones.js'

const path = Path.of('spec')
const concurrencyPolicies = ['Allow', 'Forbid', 'Replace']
/** The longest name: a Job's name may have 63 characters, of which the controller appends 11. */
const maxName = 52

export const cronJob = defineKind<CronJob>({
  group: 'batch',
  kind: 'CronJob',
  resource: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'batch.v1.CronJob' }],
  table: {
    columns: builtinColumns<CronJob>('batch/cronjobs', {
      Name: o => o.metadata.name,
      Schedule: o => o.spec.schedule,
      Timezone: o => o.spec.timeZone ?? '<none>',
      Suspend: o => (o.spec.suspend === undefined ? '<unset>' : o.spec.suspend ? 'True' : 'False'),
      Active: o => o.status.active?.length ?? 0,
      'Last Schedule': (o, context) => (o.status.lastScheduleTime ? context.since(o.status.lastScheduleTime) : '<none>'),
      Age: age,
      Containers: o => containerNames(o.spec.jobTemplate.spec.template),
      Images: o => containerImages(o.spec.jobTemplate.spec.template),
      Selector: o => formatLabelSelector(o.spec.jobTemplate.spec.selector)
    })
  },
  generation: true,
  gatedFields: [
    ...templateGatedFields('spec.jobTemplate.spec.template.spec'),
    { gates: 'WorkloadWithJob', fields: ['spec.jobTemplate.spec.scheduling'] }
  ],
  strategy: {
    default({ spec }) {
      spec.concurrencyPolicy ??= 'Allow'
      spec.suspend ??= false
      spec.successfulJobsHistoryLimit ??= 3
      spec.failedJobsHistoryLimit ??= 1
      for (const rule of spec.jobTemplate.spec.podFailurePolicy?.rules ?? [])
        for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True'
      defaultPodTemplate(spec.jobTemplate.spec.template)
    },
    prepareForCreate(o) {
      o.status = {}
    },
    updateChecks: changesFirst,
    validate: ({ spec }, errors, _, old) => validateSpec(spec, errors, old?.spec),
    validateCreate(o, errors) {
      if (mentionsZone(o.spec))
        errors.invalid(
          path.child('schedule'),
          o.spec.schedule,
          'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
        )
      const { name = '' } = o.metadata
      if (name.length > maxName) errors.invalid('metadata.name', name, `must be no more than ${maxName} characters`)
    },
    validateUpdate({ spec }, { spec: old }, errors) {
      if (mentionsZone(spec) && !mentionsZone(old))
        errors.invalid(path.child('schedule'), spec.schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')
      if (mentionsZone(spec) && mentionsZone(old) && spec.timeZone !== undefined)
        errors.invalid(path.child('schedule'), spec.schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')
    },
    warnings(o, old) {
      const changed = o.metadata.generation !== old?.metadata.generation
      const warnings = [
        ...(old ? [] : nameWarnings(o.metadata.name ?? '')),
        ...(changed ? jobSpecWarnings(o.spec.jobTemplate.spec, path.child('jobTemplate', 'spec')) : [])
      ]
      const zone =
        'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details'
      return old && mentionsZone(o.spec) ? [...warnings, zone] : warnings
    }
  },
  subresources: { status: { updateChecks: ['validateUpdate'] } }
})

const mentionsZone = ({ schedule }: CronJobSpec) => schedule.includes('TZ')

function validateSpec(spec: CronJobSpec, errors: FieldErrors, old: CronJobSpec | undefined): void {
  const { schedule, concurrencyPolicy } = spec
  const at = path.child('schedule')
  const wrong = schedule === '' ? undefined : scheduleError(schedule)
  if (schedule === '') errors.required(at)
  else if (wrong !== undefined) errors.invalid(at, schedule, wrong)
  validateNonNegatives(spec, ['startingDeadlineSeconds'], path, errors)
  validateTimeZone(spec.timeZone, path.child('timeZone'), errors)
  if (!concurrencyPolicy) errors.required(path.child('concurrencyPolicy'))
  else if (!concurrencyPolicies.includes(concurrencyPolicy))
    errors.notSupported(path.child('concurrencyPolicy'), concurrencyPolicy, concurrencyPolicies)
  validateJobTemplate(spec.jobTemplate, path.child('jobTemplate', 'spec'), errors, old?.jobTemplate.spec)
  validateNonNegatives(spec, ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], path, errors)
}

function validateTimeZone(zone: string | undefined, path: Path, errors: FieldErrors): void {
  if (zone === undefined) return
  if (zone === '') {
    errors.invalid(path, namedText(zone), 'timeZone must be nil or non-empty string')
    return
  }
  if (zone.toLowerCase() === 'local')
    errors.invalid(path, namedText(zone), 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones')
  // each part is looked at before the whole name
  const problem = zone.split('/').every(isZonePart) ? timeZoneProblem(zone) : `unknown time zone ${zone}`
  if (problem) errors.invalid(path, namedText(zone), problem)
}

const isZonePart = (part: string) => /^[A-Za-z0-9_.+][-A-Za-z0-9_.+]{0,13}$/.test(part) && part !== '.' && part !== '..'

/** Validates the template of Jobs. Jobs made from it always get a selector of their own. */
function validateJobTemplate({ spec }: JobTemplateSpec, path: Path, errors: FieldErrors, old: JobSpec | undefined): void {
  validateJobSpec(spec, path, errors, old)
  if (spec.selector) errors.invalid(path.child('selector'), selectorText(spec.selector), '`selector` will be auto-generated')
  if (spec.manualSelector) errors.notSupported(path.child('manualSelector'), true, ['nil', 'false'])
}
