/** Validates the expressions of policies and match conditions by compiling them. */
import { admissionEnvironment, variableType } from '../../apimachinery/cel/admission-environment.js'
import { appliedType, jsonPatchType } from '../../apimachinery/cel/library/json-patch.js'
import type { NewExpressions } from '../../apimachinery/cel/new-expressions.js'
import { compile, type Program } from '../../apimachinery/cel/program.js'
import {
  boolType,
  dynType,
  fullTypeName,
  listType,
  nullType,
  sameType,
  stringType,
  type Type
} from '../../apimachinery/cel/types.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'

export interface Expected {
  /** The types that the expression may evaluate to. Default: any. */
  readonly results?: readonly Type[]
  readonly authorizer?: boolean
  /** Whether the expression may construct objects and patches. */
  readonly patches?: boolean
}

export const condition: Expected = { results: [boolType], authorizer: true }
export const messageText: Expected = { results: [stringType] }
export const auditValue: Expected = { results: [stringType, nullType], authorizer: true }
export const jsonPatch: Expected = { results: [listType(jsonPatchType)], authorizer: true, patches: true }
export const applyConfiguration: Expected = { results: [appliedType], authorizer: true, patches: true }
const anything: Expected = { authorizer: true }

export class ExpressionValidator {
  readonly #news: NewExpressions
  readonly #params: boolean
  readonly #variables: Map<string, Type> | undefined

  /** With `variables`, expressions may refer to the variables declared so far. */
  constructor(news: NewExpressions, { params = false, variables = false }: { params?: boolean; variables?: boolean } = {}) {
    this.#news = news
    this.#params = params
    this.#variables = variables ? new Map() : undefined
  }

  validate(expression: string, expected: Expected, path: Path, errors: FieldErrors, shown = expression): Program | undefined {
    const { results, ...visible } = expected
    const environment = admissionEnvironment({ ...visible, params: this.#params, variables: this.#variables })
    const { program, issues } = compile(expression, this.#news.environment(expression, environment))
    if (!program) {
      errors.invalid(path, shown, `compilation failed: ${issues}`)
      return undefined
    }
    if (results && !results.some(type => sameType(type, program.type))) {
      const names = results.map(fullTypeName)
      const wanted = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`
      errors.invalid(path, shown, `must evaluate to ${wanted} but got ${fullTypeName(program.type)}`)
      return undefined
    }
    const problem = program.prepare()
    if (problem !== undefined) {
      errors.internal(path, `program instantiation failed: ${problem}`)
      return undefined
    }
    return program
  }

  /** Declares a variable for the expressions that follow, even when its own expression is invalid. */
  declare(name: string, expression: string, path: Path, errors: FieldErrors): void {
    const program = this.validate(expression, anything, path, errors)
    this.#variables?.set(name, program ? variableType(program.type) : dynType)
  }
}
