import type { TopologySpreadConstraint } from '../../api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { validateLabelSelector } from '../../validation/label-selector.js'
import { validateMatchLabelKeys } from './match-label-keys.js'

const actions = ['DoNotSchedule', 'ScheduleAnyway']
const policies = ['Honor', 'Ignore']

export function validateTopologySpread(constraints: readonly TopologySpreadConstraint[], path: Path, errors: FieldErrors): void {
  constraints.forEach((constraint, i) => {
    const at = path.index(i)
    const { maxSkew, topologyKey, whenUnsatisfiable, minDomains } = constraint
    if (maxSkew <= 0) errors.invalid(at.child('maxSkew'), maxSkew, 'must be greater than zero')
    if (topologyKey === '') errors.required(at.child('topologyKey'), 'can not be empty')
    if (!actions.includes(whenUnsatisfiable)) errors.notSupported(at.child('whenUnsatisfiable'), whenUnsatisfiable, actions)
    for (const other of constraints.slice(i + 1)) {
      if (other.topologyKey !== topologyKey || other.whenUnsatisfiable !== whenUnsatisfiable) continue
      errors.duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${whenUnsatisfiable}}`)
      break
    }
    if (minDomains !== undefined) {
      if (minDomains <= 0) errors.invalid(at.child('minDomains'), minDomains, 'must be greater than zero')
      if (whenUnsatisfiable !== 'DoNotSchedule') {
        errors.invalid(
          at.child('minDomains'),
          minDomains,
          `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`
        )
      }
    }
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[field]
      if (policy !== undefined && !policies.includes(policy)) errors.notSupported(at.child(field), policy, policies)
    }
    validateMatchLabelKeys(constraint, at, errors)
    validateLabelSelector(constraint.labelSelector, at.child('labelSelector'), errors)
  })
}
