import type { Job } from '../../api/generated/batch-v1.js'

export type JobConditionType = 'Complete' | 'Failed' | 'FailureTarget' | 'SuccessCriteriaMet' | 'Suspended'

export const isTrue = ({ status }: Job, type: JobConditionType): boolean =>
  status.conditions?.find(c => c.type === type)?.status === 'True'

export const isFinished = (job: Job): boolean => isTrue(job, 'Complete') || isTrue(job, 'Failed')
