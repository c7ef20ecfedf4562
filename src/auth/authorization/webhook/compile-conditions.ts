import { compile } from '../../../apimachinery/cel/program.js'
import { reviewEnvironment } from '../../../apimachinery/cel/review-environment.js'
import { fullTypeName } from '../../../apimachinery/cel/types.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import type { CompiledCondition } from './match-conditions.js'

const maxConditions = 64

/** Compiles match conditions, and reports those that are not valid. */
export function compileConditions(
  conditions: readonly { readonly expression: string }[],
  at: Path,
  errors: FieldErrors
): readonly CompiledCondition[] {
  if (conditions.length > maxConditions) {
    errors.tooMany(at, conditions.length, maxConditions)
    return []
  }
  const seen = new Set<string>()
  return conditions.flatMap(({ expression }, i) => {
    const field = at.index(i).child('expression')
    if (expression.trim() === '') errors.required(field)
    else if (seen.has(expression)) errors.duplicate(field, expression)
    else {
      seen.add(expression)
      return compileCondition(expression, field, errors)
    }
    return []
  })
}

function compileCondition(expression: string, field: Path, errors: FieldErrors): CompiledCondition[] {
  const { program, issues } = compile(expression, reviewEnvironment)
  if (!program) {
    errors.invalid(field, expression, `compilation failed: ${issues}`)
    return []
  }
  if (program.type.kind !== 'bool') {
    errors.invalid(field, expression, `must evaluate to bool but got ${fullTypeName(program.type)}`)
    return []
  }
  const problem = program.prepare()
  if (problem !== undefined) {
    errors.internal(field, `program instantiation failed: ${problem}`)
    return []
  }
  return [{ expression, program }]
}
