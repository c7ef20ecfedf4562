import type { TopologySpreadConstraint } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateLabelSelector } from '../../../apimachinery/validation/label-selector.js'
import { validateMatchLabelKeys } from './match-label-keys.js'

const actions = ['DoNotSchedule', 'ScheduleAnyway']
const policies = ['Honor', 'Ignore']

export function validateTopologySpread(constraints: readonly TopologySpreadConstraint[], path: Path, errors: FieldErrors): void {
  const keyOf = (c: TopologySpreadConstraint) => JSON.stringify([c.topologyKey, c.whenUnsatisfiable])
  const last = new Map(constraints.map((constraint, i) => [keyOf(constraint), i]))
  constraints.forEach((constraint, i) => {
    const at = path.index(i)
    const { maxSkew, topologyKey, whenUnsatisfiable, minDomains } = constraint
    if (maxSkew <= 0) errors.invalid(at.child('maxSkew'), maxSkew, 'must be greater than zero')
    if (topologyKey === '') errors.required(at.child('topologyKey'), 'can not be empty')
    if (!actions.includes(whenUnsatisfiable)) errors.notSupported(at.child('whenUnsatisfiable'), whenUnsatisfiable, actions)
    if (last.get(keyOf(constraint))! > i)
      errors.duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${whenUnsatisfiable}}`)
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
