import type { PodSpec, Toleration } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { validateLabelKey } from '../../../apimachinery/validation/label-selector.js'
import { isLabelValue } from '../../../apimachinery/validation/names.js'
import { parseIntProblem } from '../../../util/go-strconv.js'

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

const comparisons: readonly unknown[] = ['Lt', 'Gt']
const decimal = /^(0|-?[1-9][0-9]*)$/
const notDecimal = 'must be a valid decimal integer in canonical form'

/** Whether tolerations may compare numbers. An object that already does may continue to. */
export const mayCompare = (old: PodSpec | undefined, errors: FieldErrors): boolean =>
  errors.enabled('TaintTolerationComparisonOperators') ||
  (old?.tolerations ?? []).some(({ operator }) => comparisons.includes(operator))

/** `comparing` allows the operators Lt and Gt. */
export function validateTolerations(
  tolerations: readonly Toleration[],
  path: Path,
  errors: FieldErrors,
  comparing = false
): void {
  tolerations.forEach((toleration, i) => {
    const at = path.index(i)
    const { key, operator, value, effect } = toleration
    if (key) validateLabelKey(key, at.child('key'), errors)
    if (!key && operator !== 'Exists') {
      errors.invalid(
        at.child('operator'),
        namedText(operator ?? ''),
        'operator must be Exists when `key` is empty, which means "match all values and all keys"'
      )
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      errors.invalid(at.child('effect'), namedText(effect ?? ''), "effect must be 'NoExecute' when `tolerationSeconds` is set")
    }
    switch (operator ?? '') {
      case 'Equal':
      case '':
        if (value && isLabelValue(value).length > 0) errors.invalid(at.child('operator'), value, isLabelValue(value).join(';'))
        break
      case 'Exists':
        if (value) errors.invalid(at.child('operator'), value, "value must be empty when `operator` is 'Exists'")
        break
      case 'Lt':
      case 'Gt':
        if (comparing) validateNumber(value ?? '', at.child('value'), errors)
        else errors.notSupported(at.child('operator'), operator, ['Equal', 'Exists', 'Lt', 'Gt'])
        break
      default:
        errors.notSupported(at.child('operator'), operator, ['Equal', 'Exists'])
    }
    if (effect && !taintEffects.includes(effect)) errors.notSupported(at.child('effect'), effect, taintEffects)
  })
}

/** Validates a number. kube-apiserver checks the form and the range one after the other, so a word has two causes. */
function validateNumber(text: string, path: Path, errors: FieldErrors): void {
  if (text === '') errors.invalid(path, text, 'must be non-empty')
  else if (!decimal.test(text)) errors.invalid(path, text, notDecimal)
  const problem = parseIntProblem(text)
  if (problem) errors.invalid(path, text, problem)
}
