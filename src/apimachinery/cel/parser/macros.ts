/**
 * Macros: calls that the parser rewrites, mostly to comprehensions. A call whose argument count fits no macro is a plain call.
 */
import { type Comprehension, copyOf, type Expr, type Location, noOptionals } from '../ast.js'
import type { Value } from '../values/value.js'

/** A macro was called with invalid arguments. */
export class MacroError extends Error {
  readonly at: Location
  constructor(at: Location, message: string) {
    super(message)
    this.at = at
  }
}

/** The variable in which the loops of macros collect their result. Expressions can access it, as in cel-go. */
export const accumulator = '__result__'
const unusedVariable = '#unused'
const sortByInput = '@__sortBy_input__'

type Expand = (make: Maker, target: Expr, args: Expr[]) => Expr

/** By name and number of arguments. All macros except `has` are called on a receiver. */
const receiverMacros = new Map<string, Expand>([
  ['all/2', (m, target, [v, test]) => m.all(target, [simpleName(v!)], test!)],
  ['all/3', (m, target, [k, v, test]) => m.all(target, twoNames(k!, v!), test!)],
  ['exists/2', (m, target, [v, test]) => m.exists(target, [simpleName(v!)], test!)],
  ['exists/3', (m, target, [k, v, test]) => m.exists(target, twoNames(k!, v!), test!)],
  ['exists_one/2', (m, target, [v, test]) => m.existsOne(target, [simpleName(v!)], test!)],
  ['exists_one/3', (m, target, [k, v, test]) => m.existsOne(target, twoNames(k!, v!), test!)],
  ['existsOne/3', (m, target, [k, v, test]) => m.existsOne(target, twoNames(k!, v!), test!)],
  ['map/2', (m, target, [v, value]) => m.collect(target, [identifier(v!)], undefined, value!)],
  ['map/3', (m, target, [v, test, value]) => m.collect(target, [identifier(v!)], test, value!)],
  ['filter/2', (m, target, [v, test]) => m.collect(target, [identifier(v!)], test, v!)],
  ['transformList/3', (m, target, [k, v, value]) => m.collect(target, twoNames(k!, v!), undefined, value!)],
  ['transformList/4', (m, target, [k, v, test, value]) => m.collect(target, twoNames(k!, v!), test, value!)],
  ['transformMap/3', (m, target, [k, v, value]) => m.collectMap(target, twoNames(k!, v!), undefined, [k!, value!])],
  ['transformMap/4', (m, target, [k, v, test, value]) => m.collectMap(target, twoNames(k!, v!), test, [k!, value!])],
  ['transformMapEntry/3', (m, target, [k, v, entry]) => m.collectMap(target, twoNames(k!, v!), undefined, [entry!])],
  ['transformMapEntry/4', (m, target, [k, v, test, entry]) => m.collectMap(target, twoNames(k!, v!), test, [entry!])],
  ['optMap/2', (m, target, [v, value]) => m.ifPresent('optMap', target, v!, value!, bound => m.call('optional.of', bound))],
  ['optFlatMap/2', (m, target, [v, value]) => m.ifPresent('optFlatMap', target, v!, value!, bound => bound)],
  ['sortBy/2', (m, target, args) => m.sortBy(target, args)]
])

/** Returns the expanded call; undefined if it is not a macro. `cel.bind(name, value, result)` is a macro only with `bindings`. */
export function expandMacro(
  at: Location,
  fn: string,
  target: Expr | undefined,
  args: Expr[],
  bindings: boolean
): Expr | undefined {
  if (bindings && fn === 'bind' && args.length === 3 && target?.kind === 'ident' && target.name === 'cel') {
    const name = variable(args[0]!, 'cel.bind() variable names must be simple identifiers')
    return new Maker(at).bind(name, args[1]!, args[2]!)
  }
  if (target) return receiverMacros.get(`${fn}/${args.length}`)?.(new Maker(at), target, args)
  if (fn !== 'has' || args.length !== 1) return undefined
  const field = args[0]!
  if (field.kind !== 'select') throw new MacroError(field.at, 'invalid argument to has() macro')
  return { kind: 'select', at, operand: field.operand, field: field.field, test: true }
}

function variable(argument: Expr, otherwise: string): string {
  if (argument.kind !== 'ident') throw new MacroError(argument.at, otherwise)
  return argument.name
}

function notTheAccumulator(name: string, argument: Expr): string {
  if (name === accumulator) throw new MacroError(argument.at, 'iteration variable overwrites accumulator variable')
  return name
}

const simpleName = (argument: Expr) => notTheAccumulator(variable(argument, 'argument must be a simple name'), argument)
const identifier = (argument: Expr) => notTheAccumulator(variable(argument, 'argument is not an identifier'), argument)

function twoNames(first: Expr, second: Expr): [string, string] {
  const a = variable(first, 'argument must be a simple name')
  const b = variable(second, 'argument must be a simple name')
  if (a === b) throw new MacroError(second.at, `duplicate variable name: ${a}`)
  return [notTheAccumulator(a, first), notTheAccumulator(b, second)]
}

/** Creates nodes at the position of the macro call. */
class Maker {
  readonly #at: Location

  constructor(at: Location) {
    this.#at = at
  }

  literal(value: Value): Expr {
    return { kind: 'literal', at: this.#at, value }
  }

  ident(name: string): Expr {
    return { kind: 'ident', at: this.#at, name }
  }

  call(fn: string, ...args: Expr[]): Expr {
    return { kind: 'call', at: this.#at, function: fn, target: undefined, args }
  }

  memberCall(fn: string, target: Expr, ...args: Expr[]): Expr {
    return { kind: 'call', at: this.#at, function: fn, target, args }
  }

  list(...elements: Expr[]): Expr {
    return { kind: 'list', at: this.#at, elements, optional: noOptionals }
  }

  #accu(): Expr {
    return this.ident(accumulator)
  }

  #fold(range: Expr, names: readonly string[], parts: Pick<Comprehension, 'initial' | 'condition' | 'step' | 'result'>): Expr {
    const [name, name2] = names
    return { kind: 'comprehension', at: this.#at, range, variable: name!, variable2: name2, accumulator, ...parts }
  }

  all(range: Expr, names: readonly string[], test: Expr): Expr {
    return this.#fold(range, names, {
      initial: this.literal(true),
      condition: this.call('@not_strictly_false', this.#accu()),
      step: this.call('_&&_', this.#accu(), test),
      result: this.#accu()
    })
  }

  exists(range: Expr, names: readonly string[], test: Expr): Expr {
    return this.#fold(range, names, {
      initial: this.literal(false),
      condition: this.call('@not_strictly_false', this.call('!_', this.#accu())),
      step: this.call('_||_', this.#accu(), test),
      result: this.#accu()
    })
  }

  existsOne(range: Expr, names: readonly string[], test: Expr): Expr {
    return this.#fold(range, names, {
      initial: this.literal(0n),
      condition: this.literal(true),
      step: this.#when(test, this.call('_+_', this.#accu(), this.literal(1n))),
      result: this.call('_==_', this.#accu(), this.literal(1n))
    })
  }

  collect(range: Expr, names: readonly string[], test: Expr | undefined, value: Expr): Expr {
    return this.#fold(range, names, {
      initial: this.list(),
      condition: this.literal(true),
      step: this.#when(test, this.call('_+_', this.#accu(), this.list(value))),
      result: this.#accu()
    })
  }

  /** `entry` is a key and a value, or a map. */
  collectMap(range: Expr, names: readonly string[], test: Expr | undefined, entry: readonly Expr[]): Expr {
    const [first, ...rest] = entry
    const added = rest.length > 0 ? [this.ident((first as { name: string }).name), ...rest] : [first!]
    return this.#fold(range, names, {
      initial: { kind: 'map', at: this.#at, entries: [] },
      condition: this.literal(true),
      step: this.#when(test, this.call('cel.@mapInsert', this.#accu(), ...added)),
      result: this.#accu()
    })
  }

  #when(test: Expr | undefined, step: Expr): Expr {
    return test ? this.call('_?_:_', test, step, this.#accu()) : step
  }

  /** Evaluates `result` with `name` bound to `value`: a fold over an empty range whose accumulator is the variable. */
  bind(name: string, value: Expr, result: Expr): Expr {
    return {
      kind: 'comprehension',
      at: this.#at,
      range: this.list(),
      variable: unusedVariable,
      variable2: undefined,
      accumulator: name,
      initial: value,
      condition: this.literal(false),
      step: this.ident(name),
      result
    }
  }

  ifPresent(macro: string, target: Expr, name: Expr, value: Expr, wrap: (bound: Expr) => Expr): Expr {
    const bound = variable(name, `${macro}() variable name must be a simple identifier`)
    const unwrapped = this.memberCall('value', copyOf(target))
    return this.call(
      '_?_:_',
      this.memberCall('hasValue', target),
      wrap(this.bind(bound, unwrapped, value)),
      this.call('optional.none')
    )
  }

  sortBy(target: Expr, args: Expr[]): Expr {
    if (!['list', 'select', 'ident', 'comprehension', 'call'].includes(target.kind))
      throw new MacroError(
        target.at,
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression'
      )
    const keys = this.collect(this.ident(sortByInput), [identifier(args[0]!)], undefined, args[1]!)
    return this.bind(sortByInput, target, this.memberCall('@sortByAssociatedKeys', this.ident(sortByInput), keys))
  }
}
