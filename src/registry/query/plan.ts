/**
 * Finds in a filter what an index can answer. The objects that a plan finds include all that match; the filter is evaluated on each of
 * them, so a plan only has to leave out none.
 */
import type { Expr } from '../../apimachinery/cel/ast.js'
import { compare } from '../../apimachinery/cel/values/compare.js'
import type { Value } from '../../apimachinery/cel/values/value.js'
import type { FixedValue } from '../../storage/cache-watchers.js'
import type { CachedObject } from '../../storage/cached-object.js'
import { sortByKey } from '../../storage/object-tree.js'
import type { WatchCache } from '../../storage/watch-cache.js'
import { pathOf } from './path.js'

export type Plan =
  /** The objects whose label or indexed field has one of the values. */
  | { readonly kind: 'values'; readonly of: 'labels' | 'fields'; readonly key: string; readonly values: readonly string[] }
  /** The objects whose indexed field has a value with such a text. */
  | { readonly kind: 'range'; readonly key: string; readonly has: (text: string) => boolean }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** Each of these plans alone finds all objects that match. */
  | { readonly kind: 'oneOf'; readonly plans: readonly Plan[] }
  /** These plans together find all objects that match. */
  | { readonly kind: 'union'; readonly plans: readonly Plan[] }

/** `indexed` are the names of indexed fields, such as `spec.course`. Returns undefined when no index helps. */
export function planOf(expr: Expr, indexed: ReadonlySet<string>): Plan | undefined {
  if (expr.kind !== 'call') return undefined
  const [left, right] = expr.args as [Expr, Expr]
  switch (expr.function) {
    case '_&&_':
      return oneOf([planOf(left, indexed), planOf(right, indexed)])
    case '_||_': {
      const plans = [planOf(left, indexed), planOf(right, indexed)]
      return plans.every(plan => plan !== undefined) ? { kind: 'union', plans } : undefined
    }
    case '_==_':
      return lookUp(left, [right], indexed) ?? lookUp(right, [left], indexed)
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return range(left, expr.function, right, indexed) ?? range(right, mirrored[expr.function]!, left, indexed)
    case '@in':
      return right.kind === 'list' && right.optional.size === 0 ? lookUp(left, right.elements, indexed) : undefined
    default:
      return undefined
  }
}

/** Combines plans of which each would do. Several bounds of one field become a range. */
export function oneOf(plans: readonly (Plan | undefined)[]): Plan | undefined {
  const found: Plan[] = []
  for (const plan of plans.flatMap(each => (each?.kind === 'oneOf' ? each.plans : (each ?? [])))) {
    const at = plan.kind === 'range' ? found.findIndex(other => other.kind === 'range' && other.key === plan.key) : -1
    if (at < 0) found.push(plan)
    else found[at] = both(found[at] as Range, plan as Range)
  }
  return found.length > 1 ? { kind: 'oneOf', plans: found } : found[0]
}

type Range = Extract<Plan, { kind: 'range' }>

const both = (a: Range, b: Range): Range => ({ ...a, has: text => a.has(text) && b.has(text) })

function lookUp(field: Expr, among: readonly Expr[], indexed: ReadonlySet<string>): Plan | undefined {
  const path = pathOf(field)
  if (!path) return undefined
  const values: string[] = []
  for (const each of among) {
    const text = each.kind === 'literal' ? textOf(each.value) : undefined
    if (text === undefined) return undefined
    values.push(text)
  }
  const distinct = [...new Set(values)]
  if (path.length === 2 && path[0] === 'metadata' && path[1] === 'name') return { kind: 'names', names: distinct }
  if (path.length === 3 && path[0] === 'metadata' && path[1] === 'labels')
    return { kind: 'values', of: 'labels', key: path[2]!, values: distinct }
  // with a dot in a name, the path would mean another field
  const key = path.join('.')
  if (!indexed.has(key) || path.some(name => name.includes('.'))) return undefined
  return { kind: 'values', of: 'fields', key, values: distinct }
}

/** Returns the text by which an index knows a value: String of what the JSON contains. */
function textOf(value: Value): string | undefined {
  // integers beyond 2^53 may equal a double although they have other digits
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53 ? String(value) : undefined
  return typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : undefined
}

const mirrored: Readonly<Record<string, string>> = { '_<_': '_>_', '_<=_': '_>=_', '_>_': '_<_', '_>=_': '_<=_' }

/** Whether a comparison is true for an `order` of -1, 0 or 1; an error stands for values that have no order. */
const holds: Readonly<Record<string, (order: unknown) => boolean>> = {
  '_<_': order => order === -1,
  '_<=_': order => order === -1 || order === 0,
  '_>_': order => order === 1,
  '_>=_': order => order === 1 || order === 0
}

function range(field: Expr, operator: string, bound: Expr, indexed: ReadonlySet<string>): Plan | undefined {
  const path = pathOf(field)
  const key = path?.join('.') ?? ''
  if (!path || bound.kind !== 'literal' || !indexed.has(key) || path.some(name => name.includes('.'))) return undefined
  const { value } = bound
  const holdsFor = holds[operator]!
  if (typeof value === 'string') return { kind: 'range', key, has: text => holdsFor(compare(text, value)) }
  if (typeof value !== 'bigint' && typeof value !== 'number') return undefined
  const isExact = (number: number) => number > -(2 ** 53) && number < 2 ** 53
  const limit = Number(value)
  const limitIsExact = isExact(limit)
  return {
    kind: 'range',
    key,
    has(text) {
      const number = text === '' ? Number.NaN : Number(text)
      if (Number.isNaN(number)) return false
      if (limitIsExact && isExact(number)) return holdsFor(number < limit ? -1 : number > limit ? 1 : 0)
      return holdsFor(compare(/^-?\d+$/.test(text) ? BigInt(text) : number, value))
    }
  }
}

/** Returns the value that every match has, for watchers. */
export function fixedValue(plan: Plan | undefined): FixedValue | undefined {
  if (plan?.kind === 'oneOf') {
    for (const each of plan.plans) {
      const found = fixedValue(each)
      if (found) return found
    }
  }
  if (plan?.kind !== 'values' || plan.values.length !== 1) return undefined
  // objects without a field have the same text as those with an empty one
  return plan.values[0] === '' ? undefined : { of: plan.of, key: plan.key, value: plan.values[0]! }
}

/** Estimates how many objects a plan finds. */
function sizeOf(plan: Plan, cache: WatchCache): number {
  switch (plan.kind) {
    case 'names':
      return plan.names.length
    case 'values':
      return plan.values.reduce((sum, value) => sum + cache.countBy(plan.of, plan.key, value), 0)
    case 'range':
      // this looks at the values, not at the objects
      return cache.size / 100
    case 'oneOf':
      return Math.min(...plan.plans.map(each => sizeOf(each, cache)))
    case 'union':
      return plan.plans.reduce((sum, each) => sum + sizeOf(each, cache), 0)
  }
}

/** Returns the present objects that a plan finds, in the order of their keys. `prefix` names the namespace: `team/`. */
export function find(plan: Plan, cache: WatchCache, prefix: string, namespaced: boolean): readonly CachedObject[] | undefined {
  const found = lists(plan, cache, prefix, namespaced)
  if (!found) return undefined
  if (found.length === 1) return found[0]
  const byKey = new Map<string, CachedObject>()
  for (const list of found) for (const object of list) byKey.set(object.key, object)
  return sortByKey([...byKey.values()])
}

function lists(plan: Plan, cache: WatchCache, prefix: string, namespaced: boolean): (readonly CachedObject[])[] | undefined {
  switch (plan.kind) {
    case 'names': {
      if (namespaced && prefix === '') return undefined
      return [sortByKey(plan.names.flatMap(name => cache.get(prefix + name) ?? []))]
    }
    case 'values':
      return plan.values.map(value => cache.by(plan.of, plan.key, value, prefix))
    case 'range':
      return [cache.byText('fields', plan.key, plan.has, prefix)]
    case 'oneOf': {
      const usable = plan.plans.filter(each => each.kind !== 'names' || !namespaced || prefix !== '')
      const [best] = usable.map(each => ({ each, size: sizeOf(each, cache) })).sort((a, b) => a.size - b.size)
      return best && lists(best.each, cache, prefix, namespaced)
    }
    case 'union': {
      const all: (readonly CachedObject[])[] = []
      for (const each of plan.plans) {
        const found = lists(each, cache, prefix, namespaced)
        if (!found) return undefined
        for (const objects of found) all.push(objects)
      }
      return all
    }
  }
}
