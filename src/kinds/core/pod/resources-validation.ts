/** Validates requests and limits of a Pod as a whole. */
import type { PodSpec } from '../../../apimachinery/api/generated/core-v1.js'
import { given } from '../../../apimachinery/schema/given.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { own } from '../../../util/json.js'
import { compareQuantities } from '../../../util/quantity.js'
import { validateResources } from '../container/resources.js'
import { isHugePages, validateResourceName } from '../resource-names.js'
import { containerResources, isPodLevel } from './resources.js'

export function validatePodResources(spec: PodSpec, claims: readonly string[], path: Path, errors: FieldErrors): void {
  const { resources, os } = spec
  if (!resources) return
  if (os?.name === 'windows') return errors.forbidden(path, 'may not be set for a windows pod')
  if (given(resources, 'claims')) errors.forbidden(path.child('claims'), 'claims may not be set for Resources at pod-level')
  validateResources(resources, claims, validateName, path, errors)
  for (const [name, sum] of Object.entries(containerResources(spec, 'requests'))) {
    const mine = own(resources.requests, name)
    if (mine !== undefined && compareQuantities(sum, mine) > 0)
      errors.invalid(
        path.child('requests').key(name),
        mine,
        `must be greater than or equal to aggregate container requests of ${sum}`
      )
  }
  for (const [name, sum] of Object.entries(containerResources(spec, 'limits'))) {
    const mine = own(resources.limits, name)
    if (isHugePages(name) && mine !== undefined && compareQuantities(sum, mine) > 0)
      errors.invalid(
        path.child('limits').key(name),
        mine,
        `must be greater than or equal to aggregate container limits of ${sum}`
      )
  }
  spec.containers?.forEach((container, i) => {
    for (const [name, limit] of Object.entries(container.resources.limits ?? {})) {
      const mine = own(resources.limits, name)
      if (mine !== undefined && compareQuantities(limit, mine) > 0)
        errors.invalid(
          path.child('containers').index(i).key(name).child('limits'),
          limit,
          `must be less than or equal to pod limits of ${mine}`
        )
    }
  })
}

function validateName(name: string, path: Path, errors: FieldErrors): void {
  const before = errors.list.length
  validateResourceName(name, path, errors)
  if (errors.list.length === before && !isPodLevel(name)) errors.notSupported(path, name, ['cpu', 'hugepages-', 'memory'])
}
