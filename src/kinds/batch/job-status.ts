/** Validates a Job's status. Most rules apply only when the fields that they concern have changed. */
import type { Job, UncountedTerminatedPods } from '../../apimachinery/api/generated/batch-v1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { GoText, namedText } from '../../apimachinery/validation/go-value.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { validateNonNegatives } from '../../apimachinery/validation/numbers.js'
import { equalJson } from '../../util/json.js'
import { firstCommonIndex, IndexRangesError, parseIndexRanges, readableRanges } from './index-ranges.js'
import { isFalse, isFinished, isTrue, type JobConditionType } from './job-conditions.js'
import { isIndexed } from './job-spec.js'

const path = Path.of('status')
const conditions = path.child('conditions')

/** The changes between two states of a Job. */
class Changes {
  readonly #job: Job
  readonly #old: Job
  constructor(job: Job, old: Job) {
    this.#job = job
    this.#old = old
  }

  field(...names: readonly (keyof Job['status'])[]): boolean {
    return names.some(name => !equalJson(this.#job.status[name] ?? null, this.#old.status[name] ?? null))
  }

  condition(...types: readonly JobConditionType[]): boolean {
    return types.some(type => isTrue(this.#job, type) !== isTrue(this.#old, type))
  }

  get finished(): boolean {
    return isFinished(this.#job) !== isFinished(this.#old)
  }
}

export function validateJobStatusUpdate(job: Job, old: Job, errors: FieldErrors): void {
  const changed = new Changes(job, old)
  validateNonNegatives(job.status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], path, errors)
  if (job.status.uncountedTerminatedPods) validateUncounted(job.status.uncountedTerminatedPods, errors)
  validateOutcome(job, changed, errors)
  validateIndexes(job, changed, errors)
  validateRunning(job, changed, errors)
  validateSuccessCriteria(job, errors)
  validateTransition(job, old, errors)
}

function validateUncounted(pods: UncountedTerminatedPods, errors: FieldErrors): void {
  const seen = new Set<string>()
  for (const list of ['succeeded', 'failed'] as const) {
    pods[list]?.forEach((uid, i) => {
      const at = path.child('uncountedTerminatedPods', list).index(i)
      if (uid === '') errors.invalid(at, uid, 'must not be empty')
      else if (seen.has(uid)) errors.duplicate(at, namedText(uid))
      seen.add(uid)
    })
  }
}

const wrong = (why: string, errors: FieldErrors) => errors.invalid(conditions, new GoText(why))

/** Validates Complete and Failed, with their times and other conditions. */
function validateOutcome(job: Job, changed: Changes, errors: FieldErrors): void {
  const { status } = job
  const [complete, failed] = [isTrue(job, 'Complete'), isTrue(job, 'Failed')]
  if (changed.condition('Complete', 'Failed') && complete && failed)
    wrong('cannot set Complete=True and Failed=true conditions', errors)
  if (changed.condition('Complete', 'FailureTarget') && complete && isTrue(job, 'FailureTarget'))
    wrong('cannot set Complete=True and FailureTarget=true conditions', errors)
  if (changed.condition('Complete') || changed.field('completionTime')) {
    const at = path.child('completionTime')
    if (status.completionTime && !complete)
      errors.invalid(at, status.completionTime, 'cannot set completionTime when there is no Complete=True condition')
    if (!status.completionTime && complete) errors.required(at, 'completionTime is required for Complete jobs')
  }
  const { startTime, completionTime } = status
  if (
    changed.field('startTime', 'completionTime') &&
    startTime &&
    completionTime &&
    Date.parse(completionTime) < Date.parse(startTime)
  ) {
    errors.invalid(path.child('completionTime'), completionTime, 'must be equal to or after `startTime`')
  }
  if ((changed.condition('Failed') || changed.field('failedIndexes')) && failed && !isTrue(job, 'FailureTarget')) {
    wrong('cannot set Failed=True condition without the FailureTarget=true condition', errors)
  }
  if (changed.condition('Complete', 'SuccessCriteriaMet') && complete && !isTrue(job, 'SuccessCriteriaMet')) {
    wrong('cannot set Complete=True condition without the SuccessCriteriaMet=true condition', errors)
  }
  if (!isFinished(job)) return
  if ((changed.finished || changed.field('active')) && (status.active ?? 0) > 0)
    errors.invalid(path.child('active'), status.active, 'active>0 is invalid for finished job')
  const neverRan = job.spec.suspend && job.spec.completions === 0
  if ((changed.finished || changed.field('startTime')) && !neverRan && !startTime)
    errors.required(path.child('startTime'), 'startTime is required for finished job')
  const { succeeded = [], failed: failedPods = [] } = status.uncountedTerminatedPods ?? {}
  if ((changed.finished || changed.field('uncountedTerminatedPods')) && succeeded.length + failedPods.length > 0) {
    const text = internalText('batch.v1.UncountedTerminatedPods', status.uncountedTerminatedPods)
    errors.invalid(path.child('uncountedTerminatedPods'), text, 'must be empty for finished job')
  }
}

function validateIndexes(job: Job, changed: Changes, errors: FieldErrors): void {
  const { spec, status } = job
  const [completedChanged, failedChanged] = [changed.field('completedIndexes'), changed.field('failedIndexes')]
  const { completions } = spec
  const { completedIndexes = '', failedIndexes } = status
  if (completedChanged && completions !== undefined) validateFormat('completedIndexes', completedIndexes, completions, errors)
  if (failedChanged && completions !== undefined && spec.backoffLimitPerIndex !== undefined && failedIndexes !== undefined)
    validateFormat('failedIndexes', failedIndexes, completions, errors)
  if (completedChanged && completedIndexes !== '' && !isIndexed(spec)) {
    errors.invalid(
      path.child('completedIndexes'),
      completedIndexes,
      'cannot set non-empty completedIndexes when non-indexed completion mode'
    )
  }
  if (failedChanged && failedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    errors.invalid(
      path.child('failedIndexes'),
      failedIndexes,
      'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
    )
  }
  if ((!completedChanged && !failedChanged) || completions === undefined || failedIndexes === undefined) return
  const both = firstCommonIndex(readableRanges(completedIndexes, completions), readableRanges(failedIndexes, completions))
  if (both !== undefined)
    errors.invalid(path.child('failedIndexes'), failedIndexes, `failedIndexes and completedIndexes overlap at index: ${both}`)
}

function validateFormat(
  field: 'completedIndexes' | 'failedIndexes',
  text: string,
  completions: number,
  errors: FieldErrors
): void {
  try {
    parseIndexRanges(text, completions)
  } catch (error) {
    if (!(error instanceof IndexRangesError)) throw error
    // a pointer in Go
    const shown = field === 'failedIndexes' ? namedText(text) : text
    errors.invalid(path.child(field), shown, `error parsing ${field}: ${error.message}`)
  }
}

function validateRunning(job: Job, changed: Changes, errors: FieldErrors): void {
  const { terminating, ready, active = 0 } = job.status
  if ((changed.finished || changed.field('terminating')) && isFinished(job) && (terminating ?? 0) > 0) {
    errors.invalid(path.child('terminating'), terminating, 'terminating>0 is invalid for finished job')
  }
  if (changed.field('ready', 'active') && ready !== undefined && ready > active)
    errors.invalid(path.child('ready'), ready, 'cannot set more ready pods than active')
}

function validateSuccessCriteria(job: Job, errors: FieldErrors): void {
  if (isTrue(job, 'SuccessCriteriaMet')) {
    if (isTrue(job, 'Failed')) wrong('cannot set SuccessCriteriaMet=True and Failed=true conditions', errors)
    if (isTrue(job, 'FailureTarget')) wrong('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions', errors)
  } else if (job.spec.successPolicy && isTrue(job, 'Complete'))
    wrong('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True', errors)
}

/** Refuses changes of fields that are final once they are set. */
function validateTransition(job: Job, old: Job, errors: FieldErrors): void {
  const { spec, status } = job
  for (const type of ['Failed', 'Complete', 'FailureTarget'] as const) {
    if (isTrue(old, type) && !isTrue(job, type)) wrong(`cannot disable the terminal ${type}=True condition`, errors)
  }
  if ((status.failed ?? 0) < (old.status.failed ?? 0))
    errors.invalid(path.child('failed'), status.failed ?? 0, 'cannot decrease the failed counter')
  // an indexed Job with fewer completions than before forgets successes beyond its new end
  const canShrink = isIndexed(spec) && spec.completions === spec.parallelism
  if (!canShrink && (status.succeeded ?? 0) < (old.status.succeeded ?? 0)) {
    errors.invalid(path.child('succeeded'), status.succeeded ?? 0, 'cannot decrease the succeeded counter')
  }
  const { completionTime, startTime } = status
  if (completionTime && old.status.completionTime && completionTime !== old.status.completionTime) {
    errors.invalid(path.child('completionTime'), completionTime, 'field is immutable')
  }
  // the controller reports that a Job resumes when its spec has said so already
  const resumes = isTrue(old, 'Suspended') && isFalse(job, 'Suspended')
  if (old.status.startTime && startTime !== old.status.startTime && !spec.suspend && !resumes) {
    errors.invalid(path.child('startTime'), startTime, 'field is immutable for unsuspended job once set')
  }
  if (isTrue(old, 'SuccessCriteriaMet') && !isTrue(job, 'SuccessCriteriaMet'))
    wrong('cannot disable the SuccessCriteriaMet=True condition', errors)
  if (isTrue(old, 'Complete') && !isTrue(old, 'SuccessCriteriaMet') && isTrue(job, 'SuccessCriteriaMet')) {
    wrong('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions', errors)
  }
}
