/** Conditions of a Job. */
import type { JobCondition, JobStatus } from '../../../apimachinery/api/generated/batch-v1.js'
import { timestamp } from '../../../util/time.js'

export function condition(type: string, status: string, reason: string, message: string, now: number): JobCondition {
  const time = timestamp(now)
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message }
}

export const conditionOf = ({ conditions }: JobStatus, type: string): JobCondition | undefined =>
  conditions?.find(one => one.type === type)

export const isTrue = (status: JobStatus, type: string): boolean => conditionOf(status, type)?.status === 'True'

export const isFinished = ({ status }: { status: JobStatus }): boolean => isTrue(status, 'Complete') || isTrue(status, 'Failed')

/** Sets the condition in its place. One that is not there needs no False. Returns whether something changed. */
export function setCondition(status: JobStatus, next: JobCondition): boolean {
  const present = conditionOf(status, next.type)
  if (!present && next.status === 'False') return false
  if (present?.status === next.status && present.reason === next.reason && present.message === next.message) return false
  const others = status.conditions ?? []
  status.conditions = present ? others.map(one => (one === present ? next : one)) : [...others, next]
  return true
}
