/** What the responders of an Eviction report: when they began, when they were seen last, and when they are through. */
import type { ResponderStatus } from '../../apimachinery/api/generated/lifecycle-v1alpha1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { equalJson } from '../../util/json.js'

/** How far a reported time may be from the present one, in milliseconds. */
export const allowedSkew = 30_000
const tenYears = 10 * 365 * 24 * 3_600_000

/** `states` are those of the responders by name; a responder reports only while it is active. */
export function validateReports(
  reports: readonly ResponderStatus[],
  old: readonly ResponderStatus[],
  states: ReadonlyMap<string, string>,
  at: Path,
  now: number,
  errors: FieldErrors
): void {
  const before = new Map(old.map(report => [report.name, report]))
  reports.forEach((report, i) => {
    const same = before.get(report.name)
    const isActive = states.get(report.name) === 'Active'
    if (same && !isActive && !equalJson(report, same))
      errors.invalid(at.index(i), internalText('lifecycle.v1alpha1.ResponderStatus', report), 'field is immutable')
    else validateReport(report, same, isActive, at.index(i), now, errors)
  })
}

function validateReport(
  { startTime, heartbeatTime, expectedCompletionTime, completionTime }: ResponderStatus,
  old: Partial<ResponderStatus> = {},
  isActive: boolean,
  at: Path,
  now: number,
  errors: FieldErrors
): void {
  const isPresent = (time: string) => Math.abs(Date.parse(time) - now) < allowedSkew
  const present = 'must be set to the present time'
  /** Reports a time without a start, or what `others` finds. */
  const validate = (field: keyof ResponderStatus, time: string, others: () => string | undefined) => {
    const why = startTime ? others() : `cannot be set before ${at.child('startTime')} is set`
    if (why !== undefined) errors.invalid(at.child(field), time, why)
  }
  const beforeStart = (time: string) =>
    Date.parse(time) < Date.parse(startTime!) ? `must occur after ${at.child('startTime')}` : undefined

  // declared rules keep the times of the start and the end
  if (!old.startTime || old.startTime === startTime) {
    if (!startTime && isActive) errors.required(at.child('startTime'), 'is required for an active responder')
    else if (startTime && startTime !== old.startTime && !isPresent(startTime))
      errors.invalid(at.child('startTime'), startTime, present)
  }
  if (old.heartbeatTime && !heartbeatTime) errors.required(at.child('heartbeatTime'), 'is required once set')
  if (heartbeatTime && heartbeatTime !== old.heartbeatTime)
    validate('heartbeatTime', heartbeatTime, () => {
      if (old.heartbeatTime && Date.parse(heartbeatTime) < Date.parse(old.heartbeatTime)) return 'cannot be decreased'
      return beforeStart(heartbeatTime) ?? (isPresent(heartbeatTime) ? undefined : present)
    })
  if (expectedCompletionTime && expectedCompletionTime !== old.expectedCompletionTime)
    validate('expectedCompletionTime', expectedCompletionTime, () => {
      const early = beforeStart(expectedCompletionTime)
      if (early !== undefined) return early
      const left = Date.parse(expectedCompletionTime) - now
      if (left < -allowedSkew) return 'cannot be set to the past time'
      return left > tenYears ? 'must complete within 10 years' : undefined
    })
  if (completionTime && (!old.completionTime || old.completionTime === completionTime))
    validate('completionTime', completionTime, () => {
      const isNew = completionTime !== old.completionTime
      return beforeStart(completionTime) ?? (isNew && !isPresent(completionTime) ? present : undefined)
    })
}
