/** Validates how the Pods of a Job are scheduled together, as far as no declared rule does. */
import type { JobSpec } from '../../apimachinery/api/generated/batch-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'

export function validateScheduling({ scheduling, parallelism = 1 }: JobSpec, at: Path, errors: FieldErrors): void {
  if (!scheduling) return
  const { schedulingPolicy, disruptionMode } = scheduling
  const minCount = schedulingPolicy?.gang?.minCount
  if (minCount !== undefined && minCount > parallelism) {
    const why = `must not be greater than parallelism (${parallelism})`
    errors.invalid(at.child('schedulingPolicy', 'gang', 'minCount'), minCount, why)
  }
  // without a policy, each Pod is scheduled by itself
  const isBasic = !schedulingPolicy || schedulingPolicy.basic !== undefined
  if (isBasic && disruptionMode?.all !== undefined)
    errors.invalid(at.child('disruptionMode'), '', 'the disruptionMode `all` is not supported with the Basic scheduling policy')
}

export function validateSchedulingUpdate({ scheduling }: JobSpec, old: JobSpec, at: Path, errors: FieldErrors): void {
  const [now, before] = [scheduling?.schedulingPolicy, old.scheduling?.schedulingPolicy]
  if (!now || !before || (now.basic === undefined) === (before.basic === undefined)) return
  const why = 'the basic/gang policy variant is immutable after creation; only schedulingPolicy.gang.minCount may be updated'
  errors.invalid(at.child('schedulingPolicy'), null, why)
}
