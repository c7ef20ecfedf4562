/**
 * Compiles a checked expression to closures. As cel-go does, it folds literals of constants and conversions of constants in
 * advance: these cost nothing at run time, and a failure makes the whole expression fail before it runs.
 */
import {
  type Call,
  type Comprehension,
  type Expr,
  type MapLiteral,
  type MessageLiteral,
  type Select,
  withoutDot
} from '../ast.js'
import { listCost, mapCost, messageCost } from '../cost/rates.js'
import type { Environment } from '../environment.js'
import { compileRegex } from '../library/regular-expression.js'
import { accumulator as macroAccumulator } from '../parser/macros.js'
import { ArrayList, CelError, EntryMap, isError, mapKey, Optional, TypeValue, type Value } from '../values/value.js'
import { Attribute, lazyLocal, local, type Qualifier, variable } from './attribute.js'
import { call } from './call.js'
import { DeclaredObject } from './declared-object.js'
import { fold } from './fold.js'
import { type Evaluate, Frame } from './frame.js'
import { conditionalResolve, equals, logical, notEquals, notStrictlyFalse, optionalOr } from './operators.js'

/** A constant part of the expression fails. */
export class ProgramError extends Error {}

interface Plan {
  readonly evaluate: Evaluate
  readonly constant?: Value
  readonly attribute?: Attribute
}

/** Is told what one evaluation of a node has cost, its parts included. A chain of fields is one node. */
export type NoteCost = (expr: Expr, cost: number) => void

export function plan(expr: Expr, environment: Environment, note?: NoteCost): Evaluate {
  return new Planner(environment, note).plan(expr).evaluate
}

const noted =
  (expr: Expr, evaluate: Evaluate, note: NoteCost): Evaluate =>
  frame => {
    const before = frame.cost
    try {
      return evaluate(frame)
    } finally {
      note(expr, frame.cost - before)
    }
  }

/** Conversions that are folded in advance when their argument is constant. */
const conversions = new Set(['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint'])
/** Functions that take a regular expression as their first argument. */
const regexFunctions = new Set(['matches', 'find', 'findAll'])

const constant = (value: Value): Plan => ({ evaluate: () => value, constant: value })
const ofAttribute = (attribute: Attribute): Plan => ({ evaluate: attribute.evaluate(), attribute })

class Planner {
  readonly #environment: Environment
  readonly #note: NoteCost | undefined
  /** The variables of the enclosing comprehensions. */
  readonly #scopes: { readonly name: string; readonly attribute: Attribute }[] = []
  /** Number of slots so far: every comprehension has its own slots in the frame. */
  #slots = 0

  constructor(environment: Environment, note: NoteCost | undefined) {
    this.#environment = environment
    this.#note = note
  }

  plan(expr: Expr): Plan {
    const planned = this.#plan(expr)
    return this.#note ? { ...planned, evaluate: noted(expr, planned.evaluate, this.#note) } : planned
  }

  #plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'literal':
        return constant(expr.value)
      case 'ident':
        return this.#named(expr.name)
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr.elements, expr.optional)
      case 'map':
        return this.#map(expr)
      case 'message':
        return this.#message(expr)
      case 'comprehension':
        return { evaluate: this.#comprehension(expr) }
    }
  }

  /** A name with a dot before it is none of the variables of comprehensions. */
  #named(given: string): Plan {
    const scope = this.#scopes.findLast(s => s.name === given)
    if (scope) return ofAttribute(scope.attribute)
    const name = withoutDot(given)
    const type = this.#environment.variable(name) ? undefined : this.#environment.namedType(name)
    if (type && name !== given) throw new ProgramError(`reference to undefined type: ${given}`)
    return type ? constant(new TypeValue(type)) : ofAttribute(variable(name))
  }

  #select(expr: Select): Plan {
    if (expr.qualified !== undefined) return this.#named(expr.qualified)
    return this.#qualified(expr.operand, { key: () => expr.field, optional: false, test: expr.test })
  }

  #qualified(operand: Expr, qualifier: Qualifier): Plan {
    const planned = this.plan(operand)
    return ofAttribute((planned.attribute ?? new Attribute(planned.evaluate, 1)).with(qualifier))
  }

  #index(expr: Call, optional: boolean): Plan {
    const index = this.plan(expr.args[1]!)
    const key = index.attribute ? index.attribute.resolve() : index.evaluate
    return this.#qualified(expr.args[0]!, { key, optional, test: false })
  }

  #call(expr: Call): Plan {
    switch (expr.function) {
      case '_?._':
      case '_[?_]':
        return this.#index(expr, true)
      case '_[_]':
        return this.#index(expr, false)
      case '_?_:_':
        return this.#conditional(expr)
    }
    const operands = expr.target ? [expr.target, ...expr.args] : expr.args
    const plans = operands.map(operand => this.plan(operand))
    const args = plans.map(p => p.evaluate)
    switch (expr.function) {
      case '_&&_':
        return { evaluate: logical(args, false) }
      case '_||_':
        return { evaluate: logical(args, true) }
      case '_==_':
        return { evaluate: equals(args) }
      case '_!=_':
        return { evaluate: notEquals(args) }
      case '@not_strictly_false':
        return { evaluate: notStrictlyFalse(args[0]!) }
    }
    return this.#declared(expr, plans)
  }

  #declared(expr: Call, plans: readonly Plan[]): Plan {
    const { overloads } = this.#environment.function(expr.function)!
    const candidates = overloads.filter(o => expr.overloads!.includes(o.id))
    const args = plans.map(p => p.evaluate)
    const id = candidates.length === 1 ? candidates[0]!.id : ''
    const isOptionalChoice = id.startsWith('optional_or') || id === ''
    if (isOptionalChoice && (expr.function === 'or' || expr.function === 'orValue'))
      return { evaluate: optionalOr(args, expr.function) }
    const last = plans.at(-1)?.constant
    if (id === 'in_list' && last !== undefined && isSetOfScalars(last)) return inConstants(args[0]!, last)
    if (regexFunctions.has(expr.function) && typeof plans[1]?.constant === 'string') precompile(plans[1].constant)
    const evaluate = call(expr.function, candidates, args)
    if (conversions.has(expr.function) && plans.length === 1 && last !== undefined) return constant(runConstant(evaluate))
    return { evaluate }
  }

  /** Charges only the selections in the branches, not the chains themselves. */
  #conditional(expr: Call): Plan {
    const [condition, yes, no] = expr.args.map(arg => this.plan(arg)) as [Plan, Plan, Plan]
    const branch = (p: Plan) => p.attribute?.resolve() ?? p.evaluate
    return ofAttribute(new Attribute(conditionalResolve(condition.evaluate, branch(yes), branch(no)), 0))
  }

  #list(elements: readonly Expr[], optional: ReadonlySet<number>): Plan {
    const plans = elements.map(element => this.plan(element))
    if (plans.every(p => p.constant !== undefined)) {
      const values = new ArrayList(plans.map(p => p.constant!))
      if (optional.size === 0) return constant(values)
    }
    const items = plans.map(p => p.evaluate)
    return {
      evaluate: frame => {
        const values: Value[] = []
        let failed: CelError | undefined
        for (let i = 0; i < items.length; i++) {
          const value = items[i]!(frame)
          if (isError(value)) {
            failed = value
            break
          }
          if (!optional.has(i)) values.push(value)
          else if (!(value instanceof Optional)) {
            failed = new CelError(`cannot initialize optional list element from non-optional value ${String(value)}`)
            break
          } else if (value.value !== undefined) values.push(value.value)
        }
        frame.charge(listCost)
        return failed ?? new ArrayList(values)
      }
    }
  }

  #map(expr: MapLiteral): Plan {
    const entries = expr.entries.map(e => ({ key: this.plan(e.key), value: this.plan(e.value), optional: e.optional }))
    const evaluate: Evaluate = frame => {
      const map = new Map<string, readonly [Value, Value]>()
      let failed: CelError | undefined
      for (const entry of entries) {
        const key = entry.key.evaluate(frame)
        const value = isError(key) ? key : entry.value.evaluate(frame)
        const kept = entry.optional ? optionalEntry(key, value) : value
        const text = mapKey(key)
        if (kept === undefined) continue
        if (isError(kept) || text === undefined) {
          failed = isError(kept) ? kept : new CelError('unsupported key type')
          break
        }
        map.set(text, [key, kept])
      }
      frame.charge(mapCost)
      return failed ?? new EntryMap(map)
    }
    const isConstant = entries.every(e => e.key.constant !== undefined && e.value.constant !== undefined && !e.optional)
    return isConstant ? constant(runConstant(evaluate)) : { evaluate }
  }

  #message(expr: MessageLiteral): Plan {
    const type = this.#environment.namedType(expr.typeName)!
    const fields = expr.fields.map(f => ({ name: f.name, optional: f.optional, evaluate: this.plan(f.value).evaluate }))
    return {
      evaluate: frame => {
        const values = new Map<string, Value>()
        for (const field of fields) {
          const value = field.evaluate(frame)
          const kept = field.optional ? optionalEntry(field.name, value) : value
          if (kept !== undefined && isError(kept)) return kept
          if (kept !== undefined) values.set(field.name, kept)
        }
        frame.charge(messageCost)
        return new DeclaredObject(type, values)
      }
    }
  }

  #comprehension(expr: Comprehension): Evaluate {
    const range = this.plan(expr.range).evaluate
    const initial = this.plan(expr.initial).evaluate
    const slot = this.#slots
    this.#slots += 3
    if (isBinding(expr)) return this.#bind(expr, initial, slot)
    const scoped = <T>(names: readonly (string | undefined)[], run: () => T): T => {
      const outer = this.#scopes.length
      names.forEach((name, i) => {
        if (name !== undefined) this.#scopes.push({ name, attribute: local(slot + i) })
      })
      const value = run()
      this.#scopes.length = outer
      return value
    }
    const { condition, step } = scoped([expr.accumulator, expr.variable, expr.variable2], () => ({
      condition: this.plan(expr.condition).evaluate,
      step: this.plan(expr.step).evaluate
    }))
    const result = scoped([expr.accumulator], () => this.plan(expr.result).evaluate)
    return fold({ range, initial, condition, step, result, slot, pairs: expr.variable2 !== undefined })
  }

  /** Binds a variable to a value that is computed on first use. */
  #bind(expr: Comprehension, initial: Evaluate, slot: number): Evaluate {
    this.#scopes.push({ name: expr.accumulator, attribute: lazyLocal(slot, initial) })
    const result = this.plan(expr.result).evaluate
    this.#scopes.pop()
    return frame => {
      delete frame.locals[slot]
      return result(frame)
    }
  }
}

const isBinding = ({ range, accumulator }: Comprehension) =>
  range.kind === 'list' && range.elements.length === 0 && accumulator !== macroAccumulator

function optionalEntry(key: Value, value: Value): Value | undefined {
  if (isError(value)) return value
  if (value instanceof Optional) return value.value
  return new CelError(`cannot initialize optional entry '${String(key)}' from non-optional value ${String(value)}`)
}

function runConstant(evaluate: Evaluate): Value {
  const value = evaluate(new Frame(() => undefined, Number.POSITIVE_INFINITY))
  if (isError(value)) throw new ProgramError(value.message)
  return value
}

function precompile(pattern: string): void {
  const compiled = compileRegex(pattern)
  if (compiled instanceof CelError) throw new ProgramError(compiled.message)
}

function isSetOfScalars(list: Value): boolean {
  return list instanceof ArrayList && list.items.every(v => mapKey(v) !== undefined)
}

/** Tests for membership in a constant list of scalars by a free look-up. */
function inConstants(item: Evaluate, list: Value): Plan {
  const items = (list as ArrayList).items
  if (items.length === 0) return constant(false)
  const keys = new Set(items.map(mapKey))
  return {
    evaluate: frame => {
      const value = item(frame)
      return isError(value) ? value : keys.has(mapKey(value) ?? 'none')
    }
  }
}
