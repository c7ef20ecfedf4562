/** Compiles one rule of x-kubernetes-validations: its expression and its message expression. */
import type { ValidationRule } from '../../api/generated/apiextensions-v1.js'
import type { EstimateSize } from '../../cel/cost/estimate.js'
import type { Environment } from '../../cel/environment.js'
import { kubernetesEnvironment } from '../../cel/kubernetes-environment.js'
import type { NewExpressions } from '../../cel/new-expressions.js'
import { compile, type Program } from '../../cel/program.js'
import { optionalType, type Type } from '../../cel/types.js'
import type { StructuralSchema } from '../structural.js'
import { type DeclaredType, declaredType, descend } from './declared-type.js'

/** The name of the type of `self` in errors. Kubernetes appends a number, which clients cannot rely on. */
const selfTypeName = 'selfType0'

export interface CompiledRule {
  readonly rule: ValidationRule
  /** Undefined if the rule does not compile, or is blank. */
  readonly program?: Program
  readonly error?: string
  /** The estimated maximum cost for one value. */
  readonly cost: number
  readonly usesOldSelf: boolean
  readonly message?: Program
  readonly messageError?: string
  readonly messageCost: number
}

export class RuleCompiler {
  readonly declared: DeclaredType
  readonly #environment: Environment
  /** The environment in which oldSelf is optional. */
  readonly #optionalEnvironment: Environment
  readonly estimateSize: EstimateSize

  private constructor(declared: DeclaredType) {
    const environment = (oldSelf: Type) =>
      kubernetesEnvironment.extend(
        new Map([
          ['self', declared.type],
          ['oldSelf', oldSelf]
        ])
      )
    this.declared = declared
    this.#environment = environment(declared.type)
    this.#optionalEnvironment = environment(optionalType(declared.type))
    this.estimateSize = path => {
      const found = descend(declared, path.slice(1))
      return found && { min: 0, max: found.maxElements }
    }
  }

  /** Returns undefined for a schema with unknown fields only, which rules cannot access. */
  static of(schema: StructuralSchema, isResourceRoot: boolean): RuleCompiler | undefined {
    const declared = declaredType(schema, isResourceRoot, selfTypeName)
    return declared && new RuleCompiler(declared)
  }

  /** `news` limits the functions of new rules; without it, all are there. */
  compile(rule: ValidationRule, news?: NewExpressions): CompiledRule {
    const none = { rule, cost: 0, usesOldSelf: false, messageCost: 0 }
    if (rule.rule.trim() === '') return none
    const environment = rule.optionalOldSelf ? this.#optionalEnvironment : this.#environment
    const compiled = compile(rule.rule, news?.environment(rule.rule, environment) ?? environment)
    if (!compiled.program) return { ...none, error: `compilation failed: ${compiled.issues}` }
    const { program } = compiled
    if (program.type.kind !== 'bool') return { ...none, error: 'cel expression must evaluate to a bool' }
    const usesOldSelf = program.usesVariable('oldSelf')
    const problem = program.prepare()
    if (problem !== undefined) return { ...none, usesOldSelf, error: `program instantiation failed: ${problem}` }
    const cost = program.estimateCost(this.estimateSize).max
    return { ...none, program, usesOldSelf, cost, ...this.#compileMessage(rule.messageExpression ?? '', environment, news) }
  }

  #compileMessage(expression: string, environment: Environment, news: NewExpressions | undefined): Partial<CompiledRule> {
    if (expression === '') return {}
    const { program, issues } = compile(expression, news?.environment(expression, environment) ?? environment)
    if (!program) return { messageError: `messageExpression compilation failed: ${issues}` }
    if (program.type.kind !== 'string') return { messageError: 'messageExpression must evaluate to a string' }
    const problem = program.prepare()
    if (problem !== undefined) return { messageError: `messageExpression instantiation failed: ${problem}` }
    return { message: program, messageCost: program.estimateCost(this.estimateSize).max }
  }
}
