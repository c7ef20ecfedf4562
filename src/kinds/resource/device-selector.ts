/** Validates selectors of devices, which are expressions over `device`. */
import type { DeviceSelector } from '../../apimachinery/api/generated/resource-v1.js'
import { attributeType, deviceEnvironment, deviceSizes } from '../../apimachinery/cel/device-environment.js'
import { compile } from '../../apimachinery/cel/program.js'
import { fullTypeName } from '../../apimachinery/cel/types.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateList } from './lists.js'

const maxSelectors = 32
const maxExpressionBytes = 10 * 1024
const maxCost = 1_000_000

export function validateSelectors(selectors: readonly DeviceSelector[] | undefined, path: Path, errors: FieldErrors): void {
  validateList(selectors, maxSelectors, path, errors, ({ cel }, at) => {
    if (cel) validateExpression(cel.expression, at.child('cel', 'expression'), errors)
    else errors.required(at.child('cel'))
  })
}

function validateExpression(expression: string, path: Path, errors: FieldErrors): void {
  if (Buffer.byteLength(expression) > maxExpressionBytes) {
    errors.tooLong(path, maxExpressionBytes)
    return
  }
  const { program, issues } = compile(expression, deviceEnvironment)
  if (!program) {
    errors.invalid(path, expression, `compilation failed: ${issues}`)
    return
  }
  const { type } = program
  // the result may be an attribute that is a bool
  if (type.name !== 'bool' && type.name !== attributeType.name) {
    errors.invalid(path, expression, `must evaluate to bool or the unknown type, not ${fullTypeName(type)}`)
    return
  }
  const problem = program.prepare()
  if (problem !== undefined) errors.internal(path, `program instantiation failed: ${problem}`)
  else if (program.estimateCost(deviceSizes).max > maxCost) errors.forbidden(path, 'too complex, exceeds cost limit')
}
