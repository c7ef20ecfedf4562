/** The expressions of policies and match conditions are compiled when they are written. */
import { admissionEnvironment, variableType } from '../../cel/admission-environment.js'
import { compile, type Program } from '../../cel/program.js'
import { dynType, formatType, type Type } from '../../cel/types.js'
import type { FieldErrors, Path } from '../../validation/field.js'

export interface Expected {
  /** What the expression may evaluate to; anything if not given. */
  readonly results?: readonly string[]
  readonly authorizer?: boolean
}

export const condition: Expected = { results: ['bool'], authorizer: true }
export const messageText: Expected = { results: ['string'] }
export const auditValue: Expected = { results: ['string', 'null_type'], authorizer: true }
const anything: Expected = { authorizer: true }

export class ExpressionValidator {
  readonly #params: boolean
  readonly #variables: Map<string, Type> | undefined

  /** With `variables` the expressions may refer to those that have been declared. */
  constructor({ params = false, variables = false }: { params?: boolean; variables?: boolean } = {}) {
    this.#params = params
    this.#variables = variables ? new Map() : undefined
  }

  validate(expression: string, expected: Expected, path: Path, errors: FieldErrors, shown = expression): Program | undefined {
    const { results, authorizer = false } = expected
    const environment = admissionEnvironment({ params: this.#params, authorizer, variables: this.#variables })
    const { program, issues } = compile(expression, environment)
    if (!program) {
      errors.invalid(path, shown, `compilation failed: ${issues}`)
      return undefined
    }
    if (results && !results.includes(program.type.name)) {
      const wanted = results.length === 1 ? results[0] : `one of [${results.join(' ')}]`
      errors.invalid(path, shown, `must evaluate to ${wanted} but got ${formatType(program.type)}`)
      return undefined
    }
    const problem = program.prepare()
    if (problem !== undefined) {
      errors.internal(path, `program instantiation failed: ${problem}`)
      return undefined
    }
    return program
  }

  /** The expressions after it may refer to the variable, even if something is wrong with it. */
  declare(name: string, expression: string, path: Path, errors: FieldErrors): void {
    const program = this.validate(expression, anything, path, errors)
    this.#variables?.set(name, program ? variableType(program.type) : dynType)
  }
}
