import type { StorageVersionMigration } from '../../api/generated/storagemigration-v1beta1.js'

export type MigrationCondition = 'Running' | 'Succeeded' | 'Failed'

/** The first condition of a type counts. */
export const isConditionTrue = ({ status }: StorageVersionMigration, type: string): boolean =>
  status.conditions?.find(condition => condition.type === type)?.status === 'True'
