/** Runs the rules of a schema on objects, in turns with others where there are many (apimachinery/cel/compile-turns.ts). */

import type { Distribution } from '../../../util/instruments/series.js'
import { getKey, isObject, type JsonObject } from '../../../util/json.js'
import { workInTurns } from '../../cel/compile-turns.js'
import { FreeSteps } from '../../cel/values/steps.js'
import { CelError, Optional, type Value } from '../../cel/values/value.js'
import { FieldErrors, Path } from '../../validation/field.js'
import { noValue } from '../../validation/go-value.js'
import type { StructuralSchema } from '../structural.js'
import { type CompiledRule, RuleCompiler } from './compile-rule.js'
import { Correlated, oldItem } from './correlation.js'
import { ruleFieldPath } from './field-path.js'
import { withTypeAndObjectMeta } from './resource-root.js'
import { hasRules } from './validate-rules.js'
import { schemaValue } from './values.js'

/** Cost budget of all rules of one object. */
const runtimeCostBudget = 10_000_000
/** How many steps the rules of one object may take at least beyond what their costs explain. */
const freeSteps = 1_000_000
const maxMessageBytes = 5 * 1024

/**
 * The cost after which a step ends, and the cost that every rule counts for in addition to its own: most steps take less than a
 * millisecond.
 */
const costOfStep = 1000
const costOfRule = 10

/** The steps of a job, after each of which others may have a turn. */
type Steps<T = void> = Generator<void, T>

/** The state of one validation. */
class Run {
  readonly errors = new FieldErrors()
  /** Failures of rules for values that have not changed. */
  readonly warnings: string[] = []
  readonly free = new FreeSteps(freeSteps)
  budget: number
  #sinceStep = 0

  readonly times: RuleTimes | undefined

  constructor(budget: number, times: RuleTimes | undefined) {
    this.times = times
    this.budget = budget
  }

  spend(cost: number): void {
    this.budget -= cost
    this.#sinceStep += cost
  }

  /** Whether the step is over; to be asked after each rule. Asking the clock so often would take longer than most rules. */
  isStepOver(): boolean {
    this.#sinceStep += costOfRule
    if (this.#sinceStep < costOfStep) return false
    this.#sinceStep = 0
    return true
  }
}

/** Thrown to stop after the last rule that the budget allowed. */
class OutOfBudget extends Error {}

/** The old state of a value, for rules and for ratcheting. */
interface Before {
  readonly old: unknown
  readonly correlated: Correlated | undefined
  /** The nearest enclosing value that has an old state, if this value has none. */
  readonly parent: Correlated | undefined
}

/** Records the times of rules, in seconds. */
export interface RuleTimes {
  readonly compilation: Distribution
  readonly evaluation: Distribution
}

/** Returns undefined for a schema without rules, so that it costs nothing. */
export function ruleValidator(schema: StructuralSchema, isResourceRoot = true, times?: RuleTimes): RuleValidator | undefined {
  return hasRules(schema) ? new RuleValidator(schema, isResourceRoot, times) : undefined
}

/** Validates objects by rules, which are compiled for the first object. */
export class RuleValidator {
  readonly #schema: StructuralSchema
  readonly #isResourceRoot: boolean
  readonly #times: RuleTimes | undefined
  #node: Node | undefined

  constructor(schema: StructuralSchema, isResourceRoot: boolean, times?: RuleTimes) {
    this.#schema = schema
    this.#isResourceRoot = isResourceRoot
    this.#times = times
  }

  /** `old` is undefined for new objects. Returns warnings: failures that existed before the update. */
  validate(object: unknown, old: unknown, path: Path | undefined, errors: FieldErrors, budget = runtimeCostBudget): string[] {
    const correlated = old === undefined ? undefined : new Correlated(this.#schema, object, old)
    return this.#run(object, { old, correlated, parent: undefined }, path, errors, budget)
  }

  /** Validates a default, which has to be a value that may stay, and one that may be new. */
  validateDefault(value: unknown, path: Path, errors: FieldErrors): void {
    const before = errors.list.length
    this.#run(value, { old: value, correlated: undefined, parent: undefined }, path, errors, runtimeCostBudget)
    if (errors.list.length === before) this.validate(value, undefined, path, errors)
  }

  #run(object: unknown, before: Before, path: Path | undefined, errors: FieldErrors, budget: number): string[] {
    // the job may continue when this validation has begun again, with another list of errors
    const run = workInTurns(() => this.#steps(object, before, path, budget))
    errors.addAll(run.errors.list)
    return run.warnings
  }

  *#steps(object: unknown, before: Before, path: Path | undefined, budget: number): Steps<Run> {
    this.#node ??= new Node(this.#schema, this.#isResourceRoot)
    const run = new Run(budget, this.#times)
    try {
      yield* this.#node.validate(run, object, before, path)
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
    }
    return run
  }
}

/** A schema that has rules, at its own level or below. */
class Node {
  readonly #schema: StructuralSchema
  readonly #isResourceRoot: boolean
  readonly #properties: ReadonlyMap<string, Node>
  readonly #values: Node | undefined
  readonly #items: Node | undefined
  #rules: readonly RunnableRule[] | undefined

  constructor(schema: StructuralSchema, isResourceRoot: boolean) {
    const { properties, additionalProperties, items } = schema
    const nodeOf = (child: StructuralSchema) => (hasRules(child) ? new Node(child, child.embeddedResource) : undefined)
    const nodes = [...(properties ?? [])].map(([name, child]) => [name, nodeOf(child)] as const)
    this.#schema = schema
    this.#isResourceRoot = isResourceRoot
    this.#properties = new Map(nodes.filter((entry): entry is readonly [string, Node] => entry[1] !== undefined))
    this.#values = typeof additionalProperties === 'object' ? nodeOf(additionalProperties) : undefined
    this.#items = items && nodeOf(items)
  }

  *validate(run: Run, value: unknown, before: Before, path: Path | undefined): Steps {
    // rules apply to values; only a rule at an outer level can require a missing one
    if (value === null || value === undefined) return
    if (this.#schema.rules.length > 0) yield* this.#runRules(run, value, before, path)
    if (Array.isArray(value)) yield* this.#validateItems(run, value, before, path)
    else if (isObject(value)) yield* this.#validateFields(run, value, before, path)
  }

  *#validateItems(run: Run, list: readonly unknown[], before: Before, path: Path | undefined): Steps {
    const node = this.#items
    if (!node) return
    for (const [i, item] of list.entries()) {
      const old = oldItem(this.#schema, before.old, item)
      yield* node.validate(
        run,
        item,
        below(before, old, c => c.index(i)),
        path?.index(i) ?? Path.of(`[${i}]`)
      )
    }
  }

  *#validateFields(run: Run, object: JsonObject, before: Before, path: Path | undefined): Steps {
    const visit = (node: Node, name: string, place: Path) => {
      const old = isObject(before.old) ? getKey(before.old, name) : undefined
      return node.validate(run, getKey(object, name), this.#belowField(before, name, old), place)
    }
    if (this.#values)
      for (const name of Object.keys(object)) yield* visit(this.#values, name, path?.key(name) ?? Path.of(`[${name}]`))
    for (const [name, node] of this.#properties) yield* visit(node, name, path?.child(name) ?? Path.of(name))
  }

  /** Both sides were converted to one version, so whether apiVersion and kind of the root changed is unknown. */
  #belowField(before: Before, name: string, old: unknown): Before {
    const isRoot = before.correlated && !before.parent
    if (isRoot && (name === 'apiVersion' || name === 'kind')) return { old, correlated: undefined, parent: undefined }
    return below(before, old, c => c.key(name))
  }

  *#runRules(run: Run, value: unknown, before: Before, path: Path | undefined): Steps {
    this.#rules ??= yield* runnableRules(this.#schema, this.#isResourceRoot, run.times)
    let began = performance.now()
    let taken = 0
    if (run.budget <= 0) this.#giveUp(run, path, outOfBudget)
    const schema = this.#isResourceRoot ? withTypeAndObjectMeta(this.#schema) : this.#schema
    const self = schemaValue(value, schema)
    const hasOld = before.old !== undefined && before.old !== null
    const oldSelf = hasOld && this.#rules.some(r => r.usesOldSelf) ? schemaValue(before.old, schema) : undefined
    try {
      for (const rule of this.#rules) {
        if (rule.error !== undefined) run.errors.invalid(place(path), this.#typeName, `rule compile error: ${rule.error}`)
        else if (rule.program && (hasOld || !rule.usesOldSelf || rule.rule.optionalOldSelf))
          this.#runRule(run, rule, { self, oldSelf }, value, before, path)
        if (!run.isStepOver()) continue
        taken += performance.now() - began
        yield
        began = performance.now()
      }
    } finally {
      run.times?.evaluation.observe((taken + performance.now() - began) / 1000)
    }
  }

  get #typeName(): string {
    return this.#schema.type ?? ''
  }

  #giveUp(run: Run, path: Path | undefined, message: string): never {
    run.errors.invalid(place(path), this.#typeName, message)
    throw new OutOfBudget()
  }

  #runRule(
    run: Run,
    compiled: RunnableRule,
    values: { readonly self: Value; readonly oldSelf: Value | undefined },
    value: unknown,
    before: Before,
    path: Path | undefined
  ): void {
    const { rule } = compiled
    const oldSelf = rule.optionalOldSelf ? (values.oldSelf ? Optional.of(values.oldSelf) : Optional.none) : values.oldSelf
    const activation = (name: string) => (name === 'self' ? values.self : name === 'oldSelf' ? oldSelf : undefined)
    const outcome = compiled.program!.evaluate(activation, undefined, run.free)
    if (outcome.cost > run.budget) this.#giveUp(run, path, outOfBudget)
    run.spend(outcome.cost)
    if (outcome.value instanceof CelError) {
      this.#reportError(run, outcome.value.message, rule.message?.trim() || rule.rule.trim(), outcome.exceeded, path)
      return
    }
    if (outcome.value === true) return
    const errors = new FieldErrors()
    const shown = this.#schema.type === 'object' || this.#schema.type === 'array' ? noValue : value
    const at = compiled.fieldPath === '' ? place(path) : place(path?.child(compiled.fieldPath) ?? Path.of(compiled.fieldPath))
    const costExceeded = this.#report(run, compiled, activation, shown, at, errors)
    const [failure] = errors.list
    if (!compiled.usesOldSelf && (before.correlated ?? before.parent)?.unchanged)
      run.warnings.push(`${failure!.field}: ${failure!.message}`)
    else run.errors.add(failure!)
    if (costExceeded) throw new OutOfBudget()
  }

  #reportError(run: Run, message: string, rule: string, exceeded: boolean, path: Path | undefined): void {
    if (exceeded) {
      const why = 'no further validation rules will be run due to call cost exceeds limit for rule'
      this.#giveUp(run, path, `'${message}': ${why}: ${rule}`)
    }
    const text = message.startsWith('no such overload')
      ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`
      : `${message} evaluating rule: ${rule}`
    run.errors.invalid(place(path), this.#typeName, text)
  }

  /** Adds the failure of a rule. Returns true when its message exceeded a cost limit, so that no further rule is run. */
  #report(
    run: Run,
    { rule, message }: RunnableRule,
    activation: (name: string) => Value | undefined,
    value: unknown,
    at: Path | string,
    errors: FieldErrors
  ): boolean {
    const otherwise = rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`
    const made = message?.evaluate(activation, undefined, run.free)
    if (made && (made.exceeded || made.cost > run.budget)) {
      const expression = JSON.stringify(rule.messageExpression)
      const why =
        made.cost > run.budget
          ? 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run'
          : `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${expression}`
      errors.invalid(at, this.#typeName, why)
      return true
    }
    if (made) run.spend(made.cost)
    const detail = (typeof made?.value === 'string' ? usableMessage(made.value) : undefined) ?? otherwise
    reportAs(rule.reason, errors, at, value, detail)
    return false
  }
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run'

interface RunnableRule extends CompiledRule {
  /** Relative to the rule; empty for the rule's own place. */
  readonly fieldPath: string
}

function* runnableRules(schema: StructuralSchema, isResourceRoot: boolean, times: RuleTimes | undefined): Steps<RunnableRule[]> {
  let began = performance.now()
  let taken = 0
  const compiler = RuleCompiler.of(schema, isResourceRoot)
  const runnable: RunnableRule[] = []
  if (compiler)
    for (const rule of schema.rules) {
      const fieldPath = rule.fieldPath ? ruleFieldPath(rule.fieldPath, schema) : undefined
      runnable.push({ ...compiler.compile(rule), fieldPath: fieldPath ?? '' })
      taken += performance.now() - began
      yield
      began = performance.now()
    }
  times?.compilation.observe((taken + performance.now() - began) / 1000)
  return runnable
}

/** The root of an object has no path. */
const place = (path: Path | undefined): Path | string => path ?? '<nil>'

function below(before: Before, old: unknown, step: (correlated: Correlated) => Correlated | undefined): Before {
  if (!before.correlated) return { ...before, old }
  return { old, correlated: step(before.correlated), parent: before.correlated }
}

function usableMessage(text: string): string | undefined {
  const message = text.trim()
  return message === '' || message.includes('\n') || Buffer.byteLength(message) > maxMessageBytes ? undefined : message
}

function reportAs(reason: string | undefined, errors: FieldErrors, at: Path | string, value: unknown, detail: string): void {
  switch (reason) {
    case 'FieldValueForbidden':
      errors.forbidden(at, detail)
      break
    case 'FieldValueRequired':
      errors.required(at, detail)
      break
    case 'FieldValueDuplicate':
      errors.duplicate(at, value)
      break
    default:
      errors.invalid(at, value, detail)
  }
}
