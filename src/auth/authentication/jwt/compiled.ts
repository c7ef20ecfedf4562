/** Compiles the expressions of a configuration. */
import { claimsEnvironment, userEnvironment } from '../../../apimachinery/cel/authentication-environment.js'
import type { Environment } from '../../../apimachinery/cel/environment.js'
import { compile, type Program } from '../../../apimachinery/cel/program.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import type { JwtConfig } from './configuration.js'

export interface Expression {
  readonly source: string
  readonly program: Program
  /** The message of a rule that refuses; empty for mappings. */
  readonly message: string
}

export interface ExtraExpression extends Expression {
  readonly key: string
}

/** A configuration with its expressions. An expression is undefined where a claim is mapped directly, or nothing is. */
export interface CompiledJwt {
  readonly config: JwtConfig
  readonly claimRules: readonly Expression[]
  readonly username: Expression | undefined
  readonly groups: Expression | undefined
  readonly uid: Expression | undefined
  readonly extra: readonly ExtraExpression[]
  readonly userRules: readonly Expression[]
}

/** Compiles expressions, and adds what is wrong with them to the errors. */
export class ExpressionCompiler {
  readonly #errors: FieldErrors

  constructor(errors: FieldErrors) {
    this.#errors = errors
  }

  /** Compiles the expression of a mapping. Its result may have any type: claims do, so only evaluation shows it. */
  mapping(source: string, path: Path): Expression | undefined {
    return this.#compile({ source, message: '' }, claimsEnvironment, false, path)
  }

  claimRule(source: string, message: string, path: Path): Expression | undefined {
    return this.#compile({ source, message }, claimsEnvironment, true, path)
  }

  userRule(source: string, message: string, path: Path): Expression | undefined {
    return this.#compile({ source, message }, userEnvironment, true, path)
  }

  #compile(
    expression: Omit<Expression, 'program'>,
    environment: Environment,
    isRule: boolean,
    path: Path
  ): Expression | undefined {
    const { source } = expression
    const { program, issues } = compile(source, environment)
    if (!program) {
      this.#errors.invalid(path, source, `compilation failed: ${issues}`)
      return undefined
    }
    // results of type dyn or any do not count as bool
    if (isRule && program.type.kind !== 'bool') {
      this.#errors.invalid(path, source, 'must evaluate to bool')
      return undefined
    }
    const problem = program.prepare()
    if (problem === undefined) return { ...expression, program }
    this.#errors.internal(path, `program instantiation failed: ${problem}`)
    return undefined
  }
}
