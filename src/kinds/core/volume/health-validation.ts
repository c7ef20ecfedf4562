/** Validates what is reported about the health of volumes; that reasons and states are there, their types declare. */
import type { PodVolumeHealth, Volume, VolumeHealthCondition } from '../../../apimachinery/api/generated/core-v1.js'
import { validateConditionReason } from '../../../apimachinery/validation/conditions.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'

/** Validates the health of a Pod's volumes. */
export function validatePodVolumeHealth(
  list: readonly PodVolumeHealth[],
  volumes: readonly Volume[],
  at: Path,
  errors: FieldErrors
): void {
  const known = new Set(volumes.map(({ name }) => name))
  list.forEach(({ name, healthConditions }, i) => {
    if (name && !known.has(name)) errors.notFound(at.index(i).child('name'), name)
    validateHealthConditions(healthConditions, at.index(i).child('healthConditions'), errors)
  })
}

export function validateHealthConditions(conditions: readonly VolumeHealthCondition[] = [], at: Path, errors: FieldErrors): void {
  conditions.forEach(({ reason }, i) => {
    if (reason) validateConditionReason(reason, Number.POSITIVE_INFINITY, at.index(i).child('reason'), errors)
  })
}
