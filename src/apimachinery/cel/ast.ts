/** The abstract syntax tree. The parser builds it, with macros expanded; the checker stores types and resolved names in it. */
import type { Type } from './types.js'
import type { Value } from './values/value.js'

/** A place in the source: lines from 1, columns in characters from 0. */
export interface Location {
  readonly line: number
  readonly column: number
}

interface Node {
  readonly at: Location
  /** Set by the checker. */
  type?: Type
}

export interface Literal extends Node {
  readonly kind: 'literal'
  readonly value: Value
}

export interface Ident extends Node {
  readonly kind: 'ident'
  name: string
}

export interface Select extends Node {
  readonly kind: 'select'
  readonly operand: Expr
  readonly field: string
  /** Whether this is a test for presence: has(operand.field). */
  readonly test: boolean
  /** Set by the checker if the whole chain of names is one variable or type: "google.protobuf.Timestamp". */
  qualified?: string
}

export interface Call extends Node {
  readonly kind: 'call'
  function: string
  /** The receiver; undefined for plain functions and operators. */
  target: Expr | undefined
  readonly args: readonly Expr[]
  /** The ids of the overloads that match the argument types. There is more than one only if a type is dynamic. */
  overloads?: readonly string[]
}

export interface ListLiteral extends Node {
  readonly kind: 'list'
  readonly elements: readonly Expr[]
  /** Indexes of the elements that are optional values: [?x]. */
  readonly optional: ReadonlySet<number>
}

export interface MapEntry {
  readonly key: Expr
  readonly value: Expr
  readonly optional: boolean
}

export interface MapLiteral extends Node {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
}

export interface MessageField {
  readonly at: Location
  readonly name: string
  readonly value: Expr
  readonly optional: boolean
}

export interface MessageLiteral extends Node {
  readonly kind: 'message'
  typeName: string
  readonly fields: readonly MessageField[]
}

/** The expansion of a macro: folds `range` into `accumulator`. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension'
  readonly range: Expr
  readonly variable: string
  /** In the two-variable form, `variable` is the index or key, and `variable2` is the value. */
  readonly variable2: string | undefined
  readonly accumulator: string
  readonly initial: Expr
  readonly condition: Expr
  readonly step: Expr
  readonly result: Expr
}

export type Expr = Literal | Ident | Select | Call | ListLiteral | MapLiteral | MessageLiteral | Comprehension

/** Returns "a.b.c" for a chain of names; undefined for any other expression. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.test) return undefined
  const prefix = qualifiedName(expr.operand)
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`
}

/** Returns a name without the dot that tells it from the variables of comprehensions. */
export const withoutDot = (name: string) => (name.startsWith('.') ? name.slice(1) : name)

export const noOptionals: ReadonlySet<number> = new Set()

/** Yields every expression in the tree, each parent before its children. */
export function* walk(expr: Expr): Generator<Expr> {
  yield expr
  for (const child of children(expr)) yield* walk(child)
}

/** The expressions of which one consists. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand]
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args
    case 'list':
      return expr.elements
    case 'map':
      return expr.entries.flatMap(e => [e.key, e.value])
    case 'message':
      return expr.fields.map(f => f.value)
    case 'comprehension':
      return [expr.range, expr.initial, expr.condition, expr.step, expr.result]
    default:
      return []
  }
}

/** Copies a tree, so that the copy can have other types. */
export function copyOf(expr: Expr): Expr {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return { ...expr }
    case 'select':
      return { ...expr, operand: copyOf(expr.operand) }
    case 'call':
      return { ...expr, target: expr.target && copyOf(expr.target), args: expr.args.map(copyOf) }
    case 'list':
      return { ...expr, elements: expr.elements.map(copyOf) }
    case 'map':
      return { ...expr, entries: expr.entries.map(e => ({ ...e, key: copyOf(e.key), value: copyOf(e.value) })) }
    case 'message':
      return { ...expr, fields: expr.fields.map(f => ({ ...f, value: copyOf(f.value) })) }
    case 'comprehension':
      return {
        ...expr,
        range: copyOf(expr.range),
        initial: copyOf(expr.initial),
        condition: copyOf(expr.condition),
        step: copyOf(expr.step),
        result: copyOf(expr.result)
      }
  }
}
