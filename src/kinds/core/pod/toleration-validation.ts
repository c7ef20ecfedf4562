import type { Toleration } from '../../../api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../validation/field.js'
import { validateLabelKey } from '../../../validation/label-selector.js'
import { isLabelValue } from '../../../validation/names.js'

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

export function validateTolerations(tolerations: readonly Toleration[], path: Path, errors: FieldErrors): void {
  tolerations.forEach((toleration, i) => {
    const at = path.index(i)
    const { key, operator, value, effect } = toleration
    if (key) validateLabelKey(key, at.child('key'), errors)
    if (!key && operator !== 'Exists') {
      errors.invalid(
        at.child('operator'),
        operator ?? '',
        'operator must be Exists when `key` is empty, which means "match all values and all keys"'
      )
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      errors.invalid(at.child('effect'), effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set")
    }
    switch (operator ?? '') {
      case 'Equal':
      case '':
        if (value && isLabelValue(value).length > 0) errors.invalid(at.child('operator'), value, isLabelValue(value).join(';'))
        break
      case 'Exists':
        if (value) errors.invalid(at.child('operator'), value, "value must be empty when `operator` is 'Exists'")
        break
      // these operators exist, but their feature gate is off
      case 'Lt':
      case 'Gt':
        errors.notSupported(at.child('operator'), operator, ['Equal', 'Exists', 'Lt', 'Gt'])
        break
      default:
        errors.notSupported(at.child('operator'), operator, ['Equal', 'Exists'])
    }
    if (effect && !taintEffects.includes(effect)) errors.notSupported(at.child('effect'), effect, taintEffects)
  })
}
