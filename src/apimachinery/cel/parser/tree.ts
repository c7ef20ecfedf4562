/** Shared by both parsers: creates names, calls with macros expanded, and literals, and reports errors. */
import type { Expr, Location } from '../ast.js'
import type { Issues } from '../issues.js'
import type { Value } from '../values/value.js'
import { LiteralError } from './literals.js'
import { expandMacro, MacroError } from './macros.js'
import { reservedWords } from './reserved.js'

export const operators: Readonly<Record<string, string>> = {
  '<': '_<_',
  '<=': '_<=_',
  '>': '_>_',
  '>=': '_>=_',
  '==': '_==_',
  '!=': '_!=_',
  in: '@in',
  '+': '_+_',
  '-': '_-_',
  '*': '_*_',
  '/': '_/_',
  '%': '_%_'
}

/** Fills the holes of a tree. */
export const hole: Expr = { kind: 'literal', at: { line: 1, column: -1 }, value: null }

export class TreeMaker {
  readonly #issues: Pick<Issues, 'report'>
  readonly #bindings: boolean

  constructor(issues: Pick<Issues, 'report'>, bindings: boolean) {
    this.#issues = issues
    this.#bindings = bindings
  }

  error(at: Location, message: string): Expr {
    this.#issues.report(at, message)
    return { ...hole, at }
  }

  call(at: Location, fn: string, target: Expr | undefined, args: Expr[]): Expr {
    try {
      return expandMacro(at, fn, target, args, this.#bindings) ?? { kind: 'call', at, function: fn, target, args }
    } catch (error) {
      if (!(error instanceof MacroError)) throw error
      return this.error(error.at, error.message)
    }
  }

  /** `start` is the position of the name, or of the dot before it. */
  ident(start: Location, at: Location, dot: boolean, name: string): Expr {
    return this.reserved(start, name) ?? { kind: 'ident', at, name: (dot ? '.' : '') + name }
  }

  /** Returns the replacement for a reserved name; undefined for any other name. */
  reserved(at: Location, name: string): Expr | undefined {
    return reservedWords.has(name) ? this.error(at, `reserved identifier: ${name}`) : undefined
  }

  literal(at: Location, read: () => Value | undefined): Expr {
    try {
      const value = read()
      return value === undefined ? hole : { kind: 'literal', at, value }
    } catch (error) {
      if (!(error instanceof LiteralError)) throw error
      return this.error(at, error.message)
    }
  }
}

/** Combines terms by && or ||. Long chains become balanced trees, so that their depth stays small. */
export function logical(fn: string, terms: readonly Expr[], ops: readonly Location[]): Expr {
  return ops.length === 0 ? terms[0]! : balanced(fn, terms, ops, 0, ops.length - 1)
}

function balanced(fn: string, terms: readonly Expr[], ops: readonly Location[], low: number, high: number): Expr {
  const middle = Math.floor((low + high + 1) / 2)
  const left = middle === low ? terms[middle]! : balanced(fn, terms, ops, low, middle - 1)
  const right = middle === high ? terms[middle + 1]! : balanced(fn, terms, ops, middle + 1, high)
  return { kind: 'call', at: ops[middle]!, function: fn, target: undefined, args: [left, right] }
}
