/** Calls of declared functions: selects the overload and charges the cost. */
import type { CallCost } from '../cost/call-cost.js'
import type { Overload } from '../declarations.js'
import type { Type } from '../types.js'
import { tickText } from '../values/steps.js'
import { CelError, isError, noSuchOverload, Optional, typeOf, type Value } from '../values/value.js'
import type { Evaluate } from './frame.js'

export function call(
  name: string,
  candidates: readonly Overload[],
  args: readonly Evaluate[],
  implementation = dispatch(name, candidates)
): Evaluate {
  const run = (values: readonly Value[]) => {
    for (const value of values) tickRead(value)
    const result = implementation(values)
    tickRead(result)
    return result
  }
  const cost = costOf(candidates)
  const charge = cost ? cost.actual : () => 1
  const needsResult = cost?.needsResult === true
  const [first, second] = args
  if (args.length === 1) {
    return frame => {
      const a = first!(frame)
      if (!needsResult) frame.charge(charge([a], a))
      const result = isError(a) ? a : run([a])
      if (needsResult) frame.charge(charge([a], result))
      return result
    }
  }
  if (args.length === 2) {
    return frame => {
      const a = first!(frame)
      const b = second!(frame)
      if (!needsResult) frame.charge(charge([a, b], b))
      const result = isError(a) ? a : isError(b) ? b : run([a, b])
      if (needsResult) frame.charge(charge([a, b], result))
      return result
    }
  }
  return frame => {
    const values: Value[] = []
    for (const arg of args) {
      const value = arg(frame)
      if (isError(value)) return value
      values.push(value)
    }
    if (!needsResult) frame.charge(charge(values, null))
    const result = run(values)
    if (needsResult) frame.charge(charge(values, result))
    return result
  }
}

/** Counts steps for functions that read and make whole texts, whatever cel-go's cost is: 1 for `size(text)`. */
function tickRead(value: Value): void {
  if (typeof value === 'string' || value instanceof Uint8Array) tickText(value.length)
}

/** Returns the cost of a call. If the overload is open, only a cost that holds for all of them applies; otherwise it is 1. */
function costOf(candidates: readonly Overload[]): CallCost | undefined {
  const cost = candidates[0]!.cost
  return candidates.length === 1 || cost?.byName ? cost : undefined
}

/** Runs the overload that matches the arguments. */
function dispatch(name: string, candidates: readonly Overload[]): (args: readonly Value[]) => Value {
  return args => {
    for (const { params, run } of candidates) if (params.every((type, i) => fits(args[i]!, type))) return run(...args)
    return noOverload(name, args)
  }
}

const numbers = ['int', 'uint', 'double']
const comparable = [...numbers, 'bool', 'bytes', 'duration', 'string', 'timestamp']
/** Functions that cel-go delegates to their first operand, and the kinds of operands that implement them. */
const traits = new Map<string, ReadonlySet<string>>(
  Object.entries({
    '_+_': [...numbers, 'bytes', 'duration', 'list', 'string', 'timestamp'],
    '_-_': [...numbers, 'duration', 'timestamp'],
    '_*_': numbers,
    '_/_': numbers,
    '_%_': ['int', 'uint'],
    '_<_': comparable,
    '_<=_': comparable,
    '_>_': comparable,
    '_>=_': comparable,
    size: ['bytes', 'list', 'map', 'string'],
    matches: ['string']
  }).map(([name, kinds]) => [name, new Set(kinds)])
)
/** The error messages of these functions do not list the argument types. */
const terse = new Set(['!_', '-_', '@in', 'contains', 'endsWith', 'startsWith'])

function noOverload(name: string, args: readonly Value[]): CelError {
  const known = traits.get(name)
  if (known) return known.has(typeOf(args[0]!).kind) ? noSuchOverload : new CelError(`no such overload: ${name}`)
  if (terse.has(name)) return noSuchOverload
  return new CelError(`no such overload: ${name}(${args.map(a => typeOf(a).name).join(', ')})`)
}

/** Whether a value has a declared type, as far as this is known without examining the contents of containers. */
function fits(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
      return true
    case 'opaque':
      if (value instanceof Optional) return type.name === 'optional_type'
      break
  }
  const actual = typeOf(value)
  return actual.kind === type.kind && actual.name === type.name
}
