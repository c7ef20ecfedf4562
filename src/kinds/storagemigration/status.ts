import type { StorageVersionMigration } from '../../apimachinery/api/generated/storagemigration-v1.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isConditionTrue } from './conditions.js'

const path = Path.of('status')

/** Validates the status: a migration keeps the resourceVersion at which it began, and its outcome. */
export function validateMigrationStatus(o: StorageVersionMigration, old: StorageVersionMigration, errors: FieldErrors): void {
  const { conditions = [], resourceVersion = '' } = o.status
  const version = path.child('resourceVersion')
  if (resourceVersion !== '' && !/^[1-9][0-9]*$/.test(resourceVersion))
    errors.invalid(version, resourceVersion, `resource version is not well formed: ${resourceVersion}`)
  validateConditions(conditions, path.child('conditions'), errors)
  if (old.status.resourceVersion && old.status.resourceVersion !== resourceVersion)
    errors.invalid(version, resourceVersion, 'field is immutable')
  const wrong = (problem: string) => errors.invalid(path.child('conditions'), o.status.conditions ?? null, problem)
  const succeeded = isConditionTrue(o, 'Succeeded')
  const failed = isConditionTrue(o, 'Failed')
  if (succeeded && failed) wrong('Both success and failed conditions cannot be true at the same time')
  if (isConditionTrue(old, 'Succeeded') && !succeeded) wrong('Success condition cannot be set to false once it is true')
  if (isConditionTrue(old, 'Failed') && !failed) wrong('Failed condition cannot be set to false once it is true')
}
