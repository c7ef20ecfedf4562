/** List functions: Kubernetes' own library (sum, min, isSorted …) and version 3 of cel-go's (sort, flatten, range …). */

import type { CallCost, Operand } from '../cost/call-cost.js'
import { add, fixed, multiply, type Range, scale, unknownSize, unlimited } from '../cost/estimate-range.js'
import { listCost, perCharacter } from '../cost/rates.js'
import { actualSize } from '../cost/sizes.js'
import { type Library, type Overload, overload } from '../declarations.js'
import { compare, equal } from '../values/compare.js'
import { EvaluationPanic } from '../values/steps.js'
import {
  ArrayList,
  CelError,
  Duration,
  emptyList,
  isError,
  ListValue,
  noSuchOverload,
  typeOf,
  UInt,
  type Value
} from '../values/value.js'
import { arithmetic } from './arithmetic.js'
import { searchCost } from './strings.js'

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'] as const
const zeros: Record<string, Value> = { int: 0n, uint: new UInt(0n), double: 0, duration: new Duration(0n) }

function isSorted(list: ListValue): Value {
  let previous: Value | undefined
  for (const item of list) {
    if (previous !== undefined && compare(previous, item) === 1) return false
    previous = item
  }
  return true
}

function sum(zero: Value): (list: ListValue) => Value {
  return list => {
    let total = zero
    for (const item of list) {
      total = arithmetic.add(total, item)
      if (isError(total)) return total
    }
    return total
  }
}

/** Returns the item that no other item beats. */
function best(name: string, beaten: -1 | 1): (list: ListValue) => Value {
  return list => {
    let result: Value | undefined
    for (const item of list) if (result === undefined || compare(result, item) === beaten) result = item
    return result ?? new CelError(`${name} called on empty list`)
  }
}

function indexOf(list: ListValue, item: Value): Value {
  for (let i = 0; i < list.size; i++) if (equal(list.get(i), item) === true) return BigInt(i)
  return -1n
}

function lastIndexOf(list: ListValue, item: Value): Value {
  for (let i = list.size - 1; i >= 0; i--) if (equal(list.get(i), item) === true) return BigInt(i)
  return -1n
}

/** Whether a list has a value, or a value that is no list is equal to another. */
function includes(target: Value, value: Value): boolean {
  if (!(target instanceof ListValue)) return equal(target, value) === true
  for (const item of target) if (equal(item, value) === true) return true
  return false
}

/** A value may be a list: each comparison costs 1. */
const membershipCost: CallCost = {
  ...searchCost,
  estimate: operands => (operands[0]?.element() ? searchCost.estimate(operands) : { cost: sizeOf(operands[0]) })
}

const perType = (types: readonly string[], make: (type: string) => Overload) => types.map(make)

// version 3 of cel-go's library

function slice(list: ListValue, start: bigint, end: bigint): Value {
  const cannot = (why: string) => new CelError(`cannot slice(${start}, ${end}), ${why}`)
  if (start < 0n || end < 0n) return cannot('negative indexes not supported')
  if (start > end) return cannot('start index must be less than or equal to end index')
  if (list.size < end) return cannot(`list is length ${list.size}`)
  return new ArrayList(Array.from({ length: Number(end - start) }, (_, i) => list.get(Number(start) + i)))
}

function flatten(list: ListValue, depth = 1n): Value {
  if (depth < 0n) return new CelError('level must be non-negative')
  const items: Value[] = []
  addFlattened(items, list, depth)
  return new ArrayList(items)
}

function addFlattened(items: Value[], list: ListValue, depth: bigint): void {
  for (const item of list)
    if (item instanceof ListValue && depth > 0n) addFlattened(items, item, depth - 1n)
    else items.push(item)
}

function distinct(list: ListValue): Value {
  const unique: Value[] = []
  for (const item of list) if (!unique.some(other => equal(item, other) === true)) unique.push(item)
  return new ArrayList(unique)
}

function sort(list: ListValue, keys: ListValue = list): Value {
  if (list.size !== keys.size)
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`
    )
  if (list.size === 0) return list
  const pairs = [...list].map((item, i) => [keys.get(i), item] as const)
  const type = typeOf(pairs[0]![0]).name
  if (!isError(pairs[0]![0]) && compare(pairs[0]![0], pairs[0]![0]) === noSuchOverload)
    return new CelError('list elements must be comparable')
  if (pairs.some(([key]) => typeOf(key).name !== type)) return new CelError('list elements must have the same type')
  return new ArrayList(
    pairs.sort(([a], [b]) => (compare(a, b) === -1 ? -1 : compare(b, a) === -1 ? 1 : 0)).map(([, item]) => item)
  )
}

/** The numbers below n, created on demand, because the caller chooses n. */
class NumberRange extends ListValue {
  readonly size: number
  constructor(size: number) {
    super()
    this.size = size
  }

  get(i: number): Value {
    return BigInt(i)
  }
}

const longestRange = 1_000_000n

function range(n: bigint): Value {
  if (n < 0n) return new CelError(`lists.range: size must be non-negative, got ${n}`)
  if (n > longestRange) return new CelError(`lists.range: size ${n} exceeds maximum allowed (${longestRange})`)
  return n === 0n ? emptyList : new NumberRange(Number(n))
}

/** The cost of a call that creates a list. */
const allocating = (size: Range, factor: number) => ({ cost: add(scale(size, factor), fixed(1 + listCost)), size })
const allocated = (size: number, factor: number) => Math.trunc(size * factor) + 1 + listCost

function literalInt(operand: Operand | undefined, otherwise: number): number {
  const value = operand?.expr?.kind === 'literal' ? operand.expr.value : undefined
  return typeof value === 'bigint' ? Math.max(0, Number(value)) : otherwise
}

const sizeOf = (operand: Operand | undefined) => operand?.size ?? unknownSize

const outputSized = (estimateSize: (operands: readonly Operand[]) => Range): CallCost => ({
  estimate: operands => allocating(estimateSize(operands), 1),
  actual: (_, result) => allocated(actualSize(result), 1),
  needsResult: true
})
const sliceCost = outputSized(([list, start, end]) => {
  const length = literalInt(end, sizeOf(list).max) - literalInt(start, 0)
  return fixed(length < 0 ? unlimited : length)
})
const rangeCost = outputSized(([n]) => fixed(literalInt(n, unlimited)))
const reverseCost = outputSized(([list]) => sizeOf(list))

const flattenCost: CallCost = {
  estimate: ([list, depth]) => allocating(sizeOf(list), depth ? literalInt(depth, unlimited) : 1),
  actual: ([list, depth]) => allocated(actualSize(list!), typeof depth === 'bigint' ? Number(depth) : 1)
}

/** If computing a list fails, cel-go's cost calculation fails with this error before the actual error is reported. */
const notALister = 'interface conversion: *types.Err is not traits.Lister: missing method Add'

/** The cost of comparing every key with every other. */
function pairwise(keys: number, factor: number): CallCost {
  return {
    estimate: operands => {
      const size = sizeOf(operands[keys])
      return allocating(multiply(size, size), factor)
    },
    actual: operands => {
      const list = operands[keys]
      if (!(list instanceof ListValue)) throw new EvaluationPanic(notALister)
      const first = list.size > 0 ? list.get(0) : undefined
      const isText = typeof first === 'string' || first instanceof Uint8Array
      return allocated(list.size * list.size, isText ? 2 + perCharacter : 2)
    }
  }
}

const sortFactor = (type: string) => (type === 'string' || type === 'bytes' ? 2 + perCharacter : 2)
/** Returns cel-go's name of a type. */
const typeName = (type: string) =>
  ({ duration: 'google.protobuf.Duration', timestamp: 'google.protobuf.Timestamp' })[type] ?? type
const cost = (cost: CallCost) => ({ cost })

export const membership: Library = {
  since: 37,
  functions: { includes: [overload('list_includes_dyn_dyn', 'dyn.(dyn) -> bool', includes, cost(membershipCost))] }
}

export const lists: Library = {
  functions: {
    isSorted: perType(comparable, t => overload(`list_${t}_is_sorted_bool`, `list(${t}).() -> bool`, isSorted, cost(searchCost))),
    sum: perType(Object.keys(zeros), t =>
      overload(`list_${t}_sum_${t}`, `list(${t}).() -> ${t}`, sum(zeros[t]!), cost(searchCost))
    ),
    max: perType(comparable, t => overload(`list_${t}_max_${t}`, `list(${t}).() -> ${t}`, best('max', -1), cost(searchCost))),
    min: perType(comparable, t => overload(`list_${t}_min_${t}`, `list(${t}).() -> ${t}`, best('min', 1), cost(searchCost))),
    indexOf: [overload('list_a_index_of_int', 'list(A).(A) -> int', indexOf, cost(searchCost))],
    lastIndexOf: [overload('list_a_last_index_of_int', 'list(A).(A) -> int', lastIndexOf, cost(searchCost))],
    slice: [overload('list_slice', 'list(T).(int, int) -> list(T)', slice, cost(sliceCost))],
    flatten: [
      overload('list_flatten', 'list(list(T)).() -> list(T)', flatten, cost(flattenCost)),
      overload('list_flatten_int', 'list(dyn).(int) -> list(dyn)', flatten, cost(flattenCost))
    ],
    sort: perType(comparable, t =>
      overload(
        `list_${typeName(t)}_sort`,
        `list(${t}).() -> list(${t})`,
        (l: ListValue) => sort(l),
        cost(pairwise(0, sortFactor(t)))
      )
    ),
    '@sortByAssociatedKeys': perType(comparable, t =>
      overload(
        `list_${typeName(t)}_sortByAssociatedKeys`,
        `list(T).(list(${t})) -> list(T)`,
        sort,
        cost(pairwise(1, sortFactor(t)))
      )
    ),
    'lists.range': [overload('lists_range', 'int -> list(int)', range, cost(rangeCost))],
    reverse: [
      overload('list_reverse', 'list(T).() -> list(T)', (l: ListValue) => new ArrayList([...l].reverse()), cost(reverseCost))
    ],
    distinct: [overload('list_distinct', 'list(T).() -> list(T)', distinct, cost(pairwise(0, 2)))]
  }
}
