import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule
} from '../../apimachinery/api/generated/batch-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { GoText } from '../../apimachinery/validation/go-value.js'
import { validateLabelKey } from '../../apimachinery/validation/label-selector.js'

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const operators = ['In', 'NotIn']
const statuses = ['False', 'True', 'Unknown']
const maxRules = 20
const maxPatterns = 20
const maxValues = 255

const validValues = (values: readonly string[]) => `valid values: [${values.map(v => JSON.stringify(v)).join(' ')}]`

/** Adds an error about an object as a whole, which prints no value. */
const invalidAsWhole = (path: Path, why: string, errors: FieldErrors) => errors.invalid(path, new GoText(why))

export function validatePodFailurePolicy(spec: JobSpec, path: Path, errors: FieldErrors): void {
  const rules = spec.podFailurePolicy?.rules ?? []
  const at = path.child('rules')
  if (rules.length > maxRules) errors.tooMany(at, rules.length, maxRules)
  rules.forEach((rule, i) => void validateRule(spec, rule, at.index(i), errors))
}

function validateRule(spec: JobSpec, rule: PodFailurePolicyRule, path: Path, errors: FieldErrors): void {
  const { action, onExitCodes, onPodConditions } = rule
  const at = path.child('action')
  if (!action) errors.required(at, validValues(actions))
  else if (!actions.includes(action)) errors.notSupported(at, action, actions)
  else if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined)
    errors.invalid(at, action, 'requires the backoffLimitPerIndex to be set')
  if (onExitCodes) validateExitCodes(spec, onExitCodes, path.child('onExitCodes'), errors)
  if (onPodConditions?.length) validatePodConditions(onPodConditions, path.child('onPodConditions'), errors)
  if (onExitCodes && onPodConditions?.length)
    invalidAsWhole(path, 'specifying both OnExitCodes and OnPodConditions is not supported', errors)
  if (!onExitCodes && !onPodConditions?.length)
    invalidAsWhole(path, 'specifying one of OnExitCodes and OnPodConditions is required', errors)
}

function validateExitCodes(
  { template }: JobSpec,
  codes: PodFailurePolicyOnExitCodesRequirement,
  path: Path,
  errors: FieldErrors
): void {
  const { operator, containerName } = codes
  if (!operator) errors.required(path.child('operator'), validValues(operators))
  else if (!operators.includes(operator)) errors.notSupported(path.child('operator'), operator, operators)
  const containers = [...(template.spec.containers ?? []), ...(template.spec.initContainers ?? [])]
  if (containerName !== undefined && !containers.some(c => c.name === containerName)) {
    errors.invalid(
      path.child('containerName'),
      containerName,
      'must be one of the container or initContainer names in the pod template'
    )
  }
  const values = codes.values ?? []
  const at = path.child('values')
  if (values.length === 0) errors.invalid(at, codes.values, 'at least one value is required')
  if (values.length > maxValues) errors.tooMany(at, values.length, maxValues)
  const seen = new Set<number>()
  values.forEach((value, i) => {
    if (operator === 'In' && value === 0) errors.invalid(at.index(i), 0, 'must not be 0 for the In operator')
    if (seen.has(value)) errors.duplicate(at.index(i), value)
    seen.add(value)
  })
  if (values.some((value, i) => i > 0 && values[i - 1]! > value)) errors.invalid(at, values, 'must be ordered')
}

function validatePodConditions(
  patterns: NonNullable<PodFailurePolicyRule['onPodConditions']>,
  path: Path,
  errors: FieldErrors
): void {
  if (patterns.length > maxPatterns) errors.tooMany(path, patterns.length, maxPatterns)
  patterns.forEach(({ type, status }, i) => {
    const at = path.index(i)
    validateLabelKey(type, at.child('type'), errors)
    if (!status) errors.required(at.child('status'), validValues(statuses))
    else if (!statuses.includes(status)) errors.notSupported(at.child('status'), status, statuses)
  })
}
