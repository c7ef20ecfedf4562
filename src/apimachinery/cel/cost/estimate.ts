/**
 * Estimates the minimum and maximum cost of an expression from the sizes that declarations allow. The results equal cel-go's,
 * because kube-apiserver accepts or refuses definitions by them.
 */
import type { Call, Comprehension, Expr, ListLiteral, MapLiteral } from '../ast.js'
import type { Environment } from '../environment.js'
import { accumulator } from '../parser/macros.js'
import { isOptional, sameType, type Type } from '../types.js'
import { characters } from '../values/text.js'
import type { Estimate, Operand } from './call-cost.js'
import { add, fixed, multiply, type Range, scale, union, unknownSize, unlimited } from './estimate-range.js'
import { listCost, mapCost, messageCost, perCharacter } from './rates.js'

/**
 * Returns the size of the value at a path, which consists of a variable's name and then fields, "@items", "@keys" and "@values";
 * undefined if its size is not declared.
 */
export type EstimateSize = (path: readonly string[]) => Range | undefined

/** Is told the cost of each node, those of its parts included; of a comprehension also how often its condition and step are evaluated. */
export type Observe = (expr: Expr, cost: Range, count?: Range) => void

export function estimateCost(
  expr: Expr,
  environment: Environment,
  estimateSize: EstimateSize = () => undefined,
  observe?: Observe
): Range {
  return new Estimator(environment, estimateSize, observe).cost(expr)
}

/** The sizes of the keys (or indices) and values of a list or map. */
interface EntrySize {
  readonly isList: boolean
  readonly key: Range
  readonly value: Range
}

interface LocalVariable {
  readonly path: readonly string[]
  readonly size: Range | undefined
  readonly entries: EntrySize | undefined
}

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'])
const noPath: readonly string[] = []

/** Values of Kubernetes' own types compare in one step; some of the types have a wider range. */
const comparisons: Record<string, Range> = Object.fromEntries(
  [
    'net.IP',
    'net.CIDR',
    'kubernetes.Quantity',
    'kubernetes.Semver',
    'kubernetes.authorization.Authorizer',
    'kubernetes.authorization.PathCheck',
    'kubernetes.authorization.GroupCheck',
    'kubernetes.authorization.ResourceCheck',
    'kubernetes.authorization.Decision'
  ].map(name => [name, fixed(1)])
)
comparisons['kubernetes.NamedFormat'] = { min: 1, max: 7 }

class Estimator {
  readonly #environment: Environment
  readonly #estimateSize: EstimateSize
  readonly #observe: Observe | undefined
  readonly #paths = new Map<Expr, readonly string[]>()
  readonly #sizes = new Map<Expr, Range>()
  readonly #entries = new Map<Expr, EntrySize>()
  readonly #locals: { readonly name: string; readonly variable: LocalVariable }[] = []

  constructor(environment: Environment, estimateSize: EstimateSize, observe: Observe | undefined) {
    this.#environment = environment
    this.#estimateSize = estimateSize
    this.#observe = observe
  }

  cost(expr: Expr): Range {
    const cost = this.#cost(expr)
    const isLoop = expr.kind === 'comprehension' && !isBinding(expr)
    this.#observe?.(expr, cost, isLoop ? (this.#size(expr.range) ?? unknownSize) : undefined)
    return cost
  }

  #cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return fixed(0)
      case 'ident':
        this.#paths.set(expr, this.#local(expr.name)?.path ?? [expr.name])
        return fixed(1)
      case 'select': {
        if (expr.qualified !== undefined) {
          this.#paths.set(expr, [expr.qualified])
          return fixed(1)
        }
        const operand = this.cost(expr.operand)
        // has() is free
        if (expr.test) return operand
        this.#paths.set(expr, [...this.#path(expr.operand), expr.field])
        const { kind } = expr.operand.type!
        return kind === 'map' || kind === 'object' || kind === 'param' ? add(operand, fixed(1)) : operand
      }
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'message':
        return add(...expr.fields.map(f => this.cost(f.value)), fixed(messageCost))
      case 'comprehension':
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr)
    }
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.findLast(l => l.name === name)?.variable
  }

  #path(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined
    return local?.path ?? this.#paths.get(expr) ?? noPath
  }

  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr)
    if (known) return known
    const declared = this.#declaredSize(this.#path(expr))
    if (declared) {
      this.#sizes.set(expr, declared)
      return declared
    }
    if (isScalar(expr.type!)) return fixed(1)
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined
  }

  #declaredSize(path: readonly string[]): Range | undefined {
    return path.length > 0 ? this.#estimateSize(path) : undefined
  }

  #entrySize(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr) ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entries : undefined)
  }

  #setSize(expr: Expr, size: Range | undefined): void {
    if (size) this.#sizes.set(expr, size)
  }

  #setEntries(expr: Expr, entries: EntrySize | undefined): void {
    if (entries) this.#entries.set(expr, entries)
  }

  #operand(expr: Expr): Operand {
    const path = this.#path(expr)
    // the accumulator of a macro is not declared
    const own = path[0] === accumulator ? noPath : path
    const element = expr.type!.params[0]
    return {
      type: expr.type!,
      expr,
      size: this.#size(expr) ?? this.#declaredSize(own) ?? unknownSize,
      element: () => element && this.#elementOperand(element, own)
    }
  }

  #elementOperand(type: Type, listPath: readonly string[]): Operand {
    const size = this.#declaredSize(listPath.length > 0 ? [...listPath, '@items'] : noPath) ?? unknownSize
    return { type, expr: undefined, size, element: () => undefined }
  }

  #call(expr: Call): Range {
    if (expr.function === 'dyn') {
      const [arg] = expr.args as [Expr]
      const cost = add(fixed(1), this.cost(arg))
      this.#setSize(expr, this.#size(arg))
      this.#setEntries(expr, this.#entrySize(arg))
      return cost
    }
    const argCosts = expr.args.map(arg => this.cost(arg))
    const args = expr.args.map(arg => this.#operand(arg))
    const targetCost = expr.target ? this.cost(expr.target) : fixed(0)
    const operands = expr.target ? [this.#operand(expr.target), ...args] : args
    let cost: Range = { min: unlimited, max: 0 }
    let size: Range | undefined
    for (const id of expr.overloads!) {
      const estimate = this.#overloadCost(expr, id, operands, argCosts)
      cost = union(cost, estimate.cost)
      if (estimate.size) size = size ? union(size, estimate.size) : estimate.size
      if (id === 'index_list' || id === 'index_map') {
        size = this.#entrySize(expr.args[0]!)?.value
        this.#paths.set(expr, [...this.#path(expr.args[0]!), id === 'index_list' ? '@items' : '@values'])
      }
      size ??= this.#size(expr)
    }
    this.#setSize(expr, size)
    return add(targetCost, cost)
  }

  #overloadCost(expr: Call, id: string, operands: readonly Operand[], argCosts: readonly Range[]): Estimate {
    switch (id) {
      case 'logical_and':
      case 'logical_or':
        return { cost: { min: argCosts[0]!.min, max: add(argCosts[0]!, argCosts[1]!).max } }
      case 'conditional': {
        const [, yes, no] = expr.args as [Expr, Expr, Expr]
        this.#setEntries(expr, unionEntries(this.#entrySize(yes), this.#entrySize(no)))
        return { cost: add(argCosts[0]!, union(argCosts[1]!, argCosts[2]!)), size: union(operands[1]!.size, operands[2]!.size) }
      }
      case 'add_string':
      case 'add_bytes':
      case 'add_list':
        this.#setEntries(expr, unionEntries(this.#entrySize(expr.args[0]!), this.#entrySize(expr.args[1]!)))
    }
    const special = id === 'equals' ? equalityCost(operands) : undefined
    const declared = this.#environment.function(expr.function)?.overloads.find(o => o.id === id)
    const estimate = special ?? declared?.cost?.estimate(operands) ?? { cost: fixed(1) }
    return { ...estimate, cost: add(estimate.cost, ...argCosts) }
  }

  #list(expr: ListLiteral): Range {
    const costs = expr.elements.map(e => this.cost(e))
    const value = joined(expr.elements.map(e => this.#size(e) ?? unknownSize))
    this.#setEntries(expr, { isList: true, key: fixed(1), value })
    return add(...costs, fixed(listCost))
  }

  #map(expr: MapLiteral): Range {
    const costs = expr.entries.flatMap(e => [this.cost(e.key), this.cost(e.value)])
    const key = joined(expr.entries.map(e => this.#size(e.key) ?? unknownSize))
    const value = joined(expr.entries.map(e => this.#size(e.value) ?? unknownSize))
    this.#setEntries(expr, { isList: false, key, value })
    return add(...costs, fixed(mapCost))
  }

  #comprehension(expr: Comprehension): Range {
    const before = add(this.cost(expr.range), this.cost(expr.initial))
    this.#push(expr.accumulator, {
      path: this.#path(expr.initial),
      size: this.#size(expr.initial),
      entries: this.#entrySize(expr.initial)
    })
    this.#pushVariables(expr)
    const each = add(this.cost(expr.condition), this.cost(expr.step))
    this.#locals.length -= expr.variable2 === undefined ? 1 : 2
    const result = this.cost(expr.result)
    this.#locals.length--
    const count = this.#size(expr.range) ?? unknownSize
    if (expr.initial.kind === 'literal') this.#setSize(expr, this.#size(expr.initial))
    else if (expr.initial.kind === 'list' || expr.initial.kind === 'map') {
      this.#setSize(expr, count)
      this.#setEntries(expr, this.#entrySize(expr.step))
    }
    return add(before, result, multiply(count, each))
  }

  #push(name: string, variable: LocalVariable): void {
    this.#locals.push({ name, variable })
  }

  #pushVariables({ range, variable, variable2 }: Comprehension): void {
    const entries = this.#entrySize(range)
    const isList = entries ? entries.isList : range.type!.kind === 'list'
    const path = this.#path(range)
    const key = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key, entries: undefined }
    const value = { path: [...path, isList ? '@items' : '@values'], size: entries?.value, entries: undefined }
    if (variable2 === undefined) this.#push(variable, isList ? value : key)
    else {
      this.#push(variable, key)
      this.#push(variable2, value)
    }
  }

  /** A variable that a macro binds to a value (cel.bind). */
  #binding(expr: Comprehension): Range {
    const before = add(this.cost(expr.range), this.cost(expr.initial))
    const { initial } = expr
    this.#push(expr.accumulator, { path: this.#path(initial), size: this.#size(initial), entries: this.#entrySize(initial) })
    const result = this.cost(expr.result)
    this.#locals.length--
    this.#setSize(expr, this.#size(expr.result))
    this.#setEntries(expr, this.#entrySize(expr.result))
    return add(before, result)
  }
}

function isBinding({ range, condition, accumulator: name }: Comprehension): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    name !== accumulator
  )
}

function equalityCost([left, right]: readonly Operand[]): Estimate | undefined {
  if (!left || !right || !sameType(left.type, right.type)) return undefined
  const { name } = left.type
  if (name === 'kubernetes.URL') return { cost: scale({ min: 1, max: right.size.max }, perCharacter) }
  const cost = Object.hasOwn(comparisons, name) ? comparisons[name] : undefined
  return cost && { cost }
}

function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return fixed(expr.elements.length)
  if (expr.kind === 'map') return fixed(expr.entries.length)
  if (expr.kind !== 'literal') return undefined
  if (typeof expr.value === 'string') return fixed(characters(expr.value))
  return fixed(expr.value instanceof Uint8Array ? expr.value.length : 1)
}

function isScalar(type: Type): boolean {
  return scalars.has(type.kind) || (isOptional(type) && isScalar(type.params[0]!))
}

/** Returns the range from the smallest to the largest of the sizes. */
function joined(sizes: readonly Range[]): Range {
  return sizes.length === 0 ? fixed(0) : sizes.reduce(union)
}

function unionEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  return a && b && { isList: a.isList, key: union(a.key, b.key), value: union(a.value, b.value) }
}
