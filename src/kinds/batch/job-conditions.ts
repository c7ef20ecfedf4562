import type { Job } from '../../apimachinery/api/generated/batch-v1.js'

export type JobConditionType = 'Complete' | 'Failed' | 'FailureTarget' | 'SuccessCriteriaMet' | 'Suspended'

const has = ({ status }: Job, type: JobConditionType, value: string) =>
  (status.conditions ?? []).some(c => c.type === type && c.status === value)

export const isTrue = (job: Job, type: JobConditionType): boolean => has(job, type, 'True')

export const isFalse = (job: Job, type: JobConditionType): boolean => has(job, type, 'False')

export const isFinished = (job: Job): boolean => isTrue(job, 'Complete') || isTrue(job, 'Failed')
