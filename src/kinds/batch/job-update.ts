/** Validates changes of a Job's spec. */
import type { Job, JobSpec } from '../../apimachinery/api/generated/batch-v1.js'
import type { PodSpec, PodTemplateSpec } from '../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { GoText, goJson, namedText } from '../../apimachinery/validation/go-value.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { exactJson, parseExact } from '../../util/exact-json.js'
import { equalJson } from '../../util/json.js'
import { validateImmutable } from '../immutable.js'
import { inGoOrder } from '../metadata-order.js'
import { selectorText } from '../pod-owner.js'
import { isTrue } from './job-conditions.js'
import { validateSchedulingUpdate } from './job-scheduling.js'
import { isIndexed } from './job-spec.js'

export function validateJobSpecUpdate(job: Job, old: Job, path: Path, errors: FieldErrors): void {
  const { spec } = job
  const before = old.spec
  validateCompletionsUpdate(spec, before, path.child('completions'), errors)
  validateImmutable(path.child('selector'), spec.selector, before.selector, errors, () => selectorText(spec.selector))
  validateTemplateUpdate(spec, old, path.child('template'), errors)
  for (const field of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const) {
    const text = { podFailurePolicy: 'batch.v1.PodFailurePolicy', successPolicy: 'batch.v1.SuccessPolicy' }[field as string]
    const value = spec[field]
    const shown = () => (text ? internalText(text, value) : typeof value === 'string' ? namedText(value) : value)
    validateImmutable(path.child(field), value, before[field], errors, shown)
  }
  validateSchedulingUpdate(spec, before, path.child('scheduling'), errors)
}

/** Allows the completions of an indexed Job to change only together with its parallelism. */
function validateCompletionsUpdate(spec: JobSpec, old: JobSpec, path: Path, errors: FieldErrors): void {
  if (!isIndexed(spec)) {
    validateImmutable(path, spec.completions, old.completions, errors)
    return
  }
  if (spec.completions === undefined || spec.completions === old.completions || spec.completions === spec.parallelism) return
  errors.invalid(path, spec.completions, 'can only be modified in tandem with spec.parallelism')
}

/**
 * Allows scheduling directives and resources of the template to change while a Job is suspended and has no running Pods. Without their
 * gates, directives may change only before the Job has ever started, and resources never.
 */
function validateTemplateUpdate(spec: JobSpec, old: Job, path: Path, errors: FieldErrors): void {
  const before = old.spec.template
  const { template } = spec
  const isNew = old.status.startTime === undefined
  const atRest = old.spec.suspend === true && (isNew || isTrue(old, 'Suspended')) && (old.status.active ?? 0) === 0
  const mayMove = errors.enabled('MutableSchedulingDirectivesForSuspendedJobs') ? atRest : old.spec.suspend === true && isNew
  if (atRest && errors.enabled('MutablePodResourcesForSuspendedJobs')) {
    const fixed = ({ spec }: PodTemplateSpec) => exact(withoutResources(mayMove ? withoutDirectives(spec) : spec))
    validateImmutable(path.child('spec'), fixed(template), fixed(before), errors, () =>
      internalText('core.v1.PodSpec', template.spec)
    )
    return
  }
  const fixed = (whole: PodTemplateSpec) => (mayMove ? exact({ spec: withoutDirectives(whole.spec) }) : whole)
  validateImmutable(path, fixed(template), fixed(before), errors, () => templateText(template))
}

const exact = (value: unknown): unknown => parseExact(exactJson(value))

function withoutDirectives({ nodeSelector: _, tolerations: __, schedulingGates: ___, affinity, ...spec }: PodSpec): PodSpec {
  const { nodeAffinity: _n, ...otherAffinity } = affinity ?? {}
  return { ...spec, affinity: otherAffinity }
}

function withoutResources({ containers, initContainers, ...spec }: PodSpec): unknown {
  const stripped = (list: PodSpec['containers'] | undefined) => list?.map(({ resources: _, ...container }) => container)
  return { ...spec, containers: stripped(containers), initContainers: stripped(initContainers) }
}

function templateText({ metadata, spec }: PodTemplateSpec): GoText {
  const head = goJson(inGoOrder(metadata))
  return new GoText(
    `${head.slice(0, -1)}${equalJson(metadata, {}) ? '' : ','}"Spec":${internalText('core.v1.PodSpec', spec).text}}`
  )
}
