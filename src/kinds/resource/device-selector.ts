/** Validates selectors of devices, which are expressions over `device`. */
import type { DeviceSelector } from '../../apimachinery/api/generated/resource-v1.js'
import { attributeType, deviceEnvironment, deviceSizes } from '../../apimachinery/cel/device-environment.js'
import { compile } from '../../apimachinery/cel/program.js'
import { fullTypeName, type Type } from '../../apimachinery/cel/types.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateList } from './lists.js'

const maxSelectors = 32
const maxExpressionBytes = 10 * 1024
export const maxCost = 1_000_000

export function validateSelectors(selectors: readonly DeviceSelector[] | undefined, path: Path, errors: FieldErrors): void {
  validateList(selectors, maxSelectors, path, errors, ({ cel }, at) => {
    if (cel) validateExpression(cel.expression, at.child('cel', 'expression'), errors, whySelectsNothing)
    else errors.required(at.child('cel'))
  })
}

/** The result may be an attribute that is a bool. */
const whySelectsNothing = (type: Type): string | undefined =>
  type.name === 'bool' || type.name === attributeType.name
    ? undefined
    : `must evaluate to bool or the unknown type, not ${fullTypeName(type)}`

/** Validates an expression over a device. Returns its greatest cost; `whyNot` returns what is wrong with the type of its result. */
export function validateExpression(
  expression: string,
  path: Path,
  errors: FieldErrors,
  whyNot: (type: Type) => string | undefined
): number {
  if (Buffer.byteLength(expression) > maxExpressionBytes) {
    errors.tooLong(path, maxExpressionBytes)
    return 0
  }
  const { program, issues } = compile(expression, deviceEnvironment.asOf(errors.minCompatibility))
  if (!program) {
    errors.invalid(path, expression, `compilation failed: ${issues}`)
    return 0
  }
  const wrong = whyNot(program.type)
  if (wrong !== undefined) {
    errors.invalid(path, expression, wrong)
    return 0
  }
  const problem = program.prepare()
  if (problem !== undefined) {
    errors.internal(path, `program instantiation failed: ${problem}`)
    return 0
  }
  const cost = program.estimateCost(deviceSizes).max
  if (cost > maxCost) errors.forbidden(path, 'too complex, exceeds cost limit')
  return cost
}
