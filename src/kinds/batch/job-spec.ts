/** Validates the spec of a Job, or of the template in a CronJob. */
import type { JobSpec, SuccessPolicyRule } from '../../apimachinery/api/generated/batch-v1.js'
import { validateDomainPrefixedPath } from '../../apimachinery/validation/domain-path.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { validateNonNegative, validateNonNegatives } from '../../apimachinery/validation/numbers.js'
import { validatePodTemplate } from '../core/pod/template.js'
import { podWarnings } from '../core/pod/warnings.js'
import { countIndexes, IndexRangesError, parseIndexRanges } from './index-ranges.js'
import { validateScheduling } from './job-scheduling.js'
import { validatePodFailurePolicy } from './pod-failure-policy.js'

const completionModes = ['NonIndexed', 'Indexed']
const replacementPolicies = ['Failed', 'TerminatingOrFailed']
const maxManagedBy = 63
const maxIndexed = 100_000
/** The limits for Jobs with more than `manyCompletions` that limit failures per index. */
const manyCompletions = 100_000
const maxWithManyCompletions = 10_000
const maxSuccessRules = 20
const maxIndexesText = 64 * 1024

export const isIndexed = (spec: JobSpec) => spec.completionMode === 'Indexed'

export function validateJobSpec(spec: JobSpec, path: Path, errors: FieldErrors, old: JobSpec | undefined): void {
  validateNonNegatives(
    spec,
    [
      'parallelism',
      'completions',
      'activeDeadlineSeconds',
      'backoffLimit',
      'ttlSecondsAfterFinished',
      'backoffLimitPerIndex',
      'maxFailedIndexes'
    ],
    path,
    errors
  )
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined)
    errors.required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified')
  if (spec.managedBy !== undefined) {
    validateDomainPrefixedPath(spec.managedBy, path.child('managedBy'), errors)
    if (Buffer.byteLength(spec.managedBy) > maxManagedBy) errors.tooLong(path.child('managedBy'), maxManagedBy)
  }
  validateCompletionMode(spec, path, errors)
  if (spec.podFailurePolicy) validatePodFailurePolicy(spec, path.child('podFailurePolicy'), errors)
  if (spec.successPolicy) validateSuccessPolicy(spec, path.child('successPolicy'), errors)
  const replacement = spec.podReplacementPolicy
  const policies = spec.podFailurePolicy ? ['Failed'] : replacementPolicies
  if (replacement !== undefined && !policies.includes(replacement))
    errors.notSupported(path.child('podReplacementPolicy'), replacement, policies)
  validateScheduling(spec, path.child('scheduling'), errors)
  validatePodTemplate(spec.template, path.child('template'), errors, old?.template)
  validateRestartPolicy(spec, path.child('template', 'spec', 'restartPolicy'), errors)
}

function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, path: Path, errors: FieldErrors): void {
  const { restartPolicy } = template.spec
  if (!restartPolicy || restartPolicy === 'Always') errors.required(path, 'valid values: "OnFailure", "Never"')
  else if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never')
    errors.notSupported(path, restartPolicy, ['OnFailure', 'Never'])
  else if (podFailurePolicy && restartPolicy !== 'Never')
    errors.invalid(path, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified')
}

function validateCompletionMode(spec: JobSpec, path: Path, errors: FieldErrors): void {
  const { completionMode, completions, parallelism = 0, backoffLimitPerIndex, maxFailedIndexes } = spec
  if (completionMode !== undefined && !completionModes.includes(completionMode))
    errors.notSupported(path.child('completionMode'), completionMode, completionModes)
  if (completionMode === undefined || completionMode === 'NonIndexed') {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
      if (spec[field] !== undefined) errors.invalid(path.child(field), spec[field], 'requires indexed completion mode')
    }
  }
  if (completionMode !== 'Indexed') return
  if (completions === undefined) errors.required(path.child('completions'), 'when completion mode is Indexed')
  const atMost = (field: 'parallelism' | 'maxFailedIndexes', limit: number, when = '') => {
    const value = spec[field]
    if (value !== undefined && value > limit)
      errors.invalid(path.child(field), value, `must be less than or equal to ${limit}${when}`)
  }
  atMost('parallelism', maxIndexed, ' when completion mode is Indexed')
  if (completions === undefined) return
  if (maxFailedIndexes !== undefined && maxFailedIndexes > completions)
    errors.invalid(path.child('maxFailedIndexes'), maxFailedIndexes, 'must be less than or equal to completions')
  atMost('maxFailedIndexes', maxIndexed)
  if (completions <= manyCompletions || backoffLimitPerIndex === undefined) return
  const when = ` when completions are above ${manyCompletions} and used with backoff limit per index`
  if (maxFailedIndexes === undefined)
    errors.required(path.child('maxFailedIndexes'), `must be specified when completions is above ${manyCompletions}`)
  if (parallelism > maxWithManyCompletions) atMost('parallelism', maxWithManyCompletions, when)
  atMost('maxFailedIndexes', maxWithManyCompletions, when)
}

function validateSuccessPolicy(spec: JobSpec, path: Path, errors: FieldErrors): void {
  if (!isIndexed(spec)) {
    errors.invalid(path, internalText('batch.v1.SuccessPolicy', spec.successPolicy), 'requires indexed completion mode')
    return
  }
  const rules = spec.successPolicy?.rules ?? []
  const at = path.child('rules')
  if (rules.length === 0) errors.required(at, 'at least one rules must be specified when the successPolicy is specified')
  if (rules.length > maxSuccessRules) errors.tooMany(at, rules.length, maxSuccessRules)
  rules.forEach((rule, i) => void validateSuccessRule(rule, spec.completions ?? 0, at.index(i), errors))
}

function validateSuccessRule(
  { succeededCount, succeededIndexes }: SuccessPolicyRule,
  completions: number,
  path: Path,
  errors: FieldErrors
): void {
  if (succeededCount === undefined && succeededIndexes === undefined)
    errors.required(path, 'at least one of succeededCount or succeededIndexes must be specified')
  let indexes = 0
  if (succeededIndexes !== undefined) {
    const at = path.child('succeededIndexes')
    if (succeededIndexes.length > maxIndexesText) errors.tooLong(at, maxIndexesText)
    try {
      indexes = countIndexes(parseIndexRanges(succeededIndexes, completions))
    } catch (error) {
      if (!(error instanceof IndexRangesError)) throw error
      errors.invalid(at, succeededIndexes, `error parsing succeededIndexes: ${error.message}`)
    }
  }
  if (succeededCount === undefined) return
  const at = path.child('succeededCount')
  validateNonNegative(succeededCount, at, errors)
  if (succeededCount > completions)
    errors.invalid(at, succeededCount, `must be less than or equal to ${completions} (the number of specified completions)`)
  if (succeededIndexes !== undefined && succeededCount > indexes) {
    errors.invalid(
      at,
      succeededCount,
      `must be less than or equal to ${indexes} (the number of indexes in the specified succeededIndexes field)`
    )
  }
}

const untracked =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail'

export function jobSpecWarnings(spec: JobSpec, path: Path): string[] {
  const large = isIndexed(spec) && (spec.completions ?? 0) > manyCompletions && (spec.parallelism ?? 0) > maxWithManyCompletions
  return [...(large ? [`${path}: ${untracked}`] : []), ...podWarnings(spec.template, path.child('template'))]
}
