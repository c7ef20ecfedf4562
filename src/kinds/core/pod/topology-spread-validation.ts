import type { TopologySpreadConstraint } from '../../../apimachinery/api/generated/core-v1.js'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateLabelSelector } from '../../../apimachinery/validation/label-selector.js'
import { validateMatchLabelKeys, validateSeparateKeys } from './match-label-keys.js'

const actions = ['DoNotSchedule', 'ScheduleAnyway']
const policies = ['Honor', 'Ignore']

/** `old`: the constraints before an update, which decide by which of two rules keys for labels are validated. */
export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  old: readonly TopologySpreadConstraint[],
  path: Path,
  errors: FieldErrors
): void {
  const validateKeys = keysValidator(old, errors)
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
    validateKeys(constraint, at, errors)
    validateLabelSelector(constraint.labelSelector, at.child('labelSelector'), errors)
  })
}

type KeysValidator = typeof validateMatchLabelKeys

/**
 * The keys of a new Pod stand in the selector, too, where they are merged into it, and may not stand there otherwise. An object that was stored by the other
 * rule stays valid.
 */
function keysValidator(old: readonly TopologySpreadConstraint[], errors: FieldErrors): KeysValidator {
  if (!errors.enabled('MatchLabelKeysInPodTopologySpread')) return validateSeparateKeys
  const merges = errors.enabled('MatchLabelKeysInPodTopologySpreadSelectorMerge')
  const [usual, other] = merges ? [validateMatchLabelKeys, validateSeparateKeys] : [validateSeparateKeys, validateMatchLabelKeys]
  const found = new FieldErrors()
  for (const constraint of old) usual(constraint, Path.of(''), found)
  return found.any ? other : usual
}
