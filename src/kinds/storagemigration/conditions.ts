import type { StorageVersionMigration } from '../../apimachinery/api/generated/storagemigration-v1.js'

export type MigrationCondition = 'Running' | 'Succeeded' | 'Failed'

/** Whether a condition is true. Of several ones of a type, the first counts. */
export const isConditionTrue = ({ status }: StorageVersionMigration, type: string): boolean =>
  status.conditions?.find(condition => condition.type === type)?.status === 'True'
