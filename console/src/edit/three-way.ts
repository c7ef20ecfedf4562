import type { Change, Path } from './yaml-text.js'

/** A field that both sides changed, each in another way. */
export interface Conflict {
  readonly path: Path
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

export interface Merge {
  /** What has to change in theirs to have both sides' changes. */
  readonly changes: readonly Change[]
  readonly conflicts: readonly Conflict[]
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const has = (fields: Fields, key: string) => Object.hasOwn(fields, key)

/** Whether two values are the same, whatever the order of their keys. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => same(item, b[i]))
  if (!isFields(a) || !isFields(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => has(b, key) && same(a[key], b[key]))
}

/** What the server sets, and nobody edits. */
const ofServer = new Set(['resourceVersion', 'generation', 'managedFields'])

/**
 * Compares what somebody edited (`mine`) and what the object has become meanwhile (`theirs`) with that from which the edit began (`base`). Lists whose
 * items have names are compared item by item; other lists are values.
 */
export function threeWay(base: unknown, mine: unknown, theirs: unknown): Merge {
  const changes: Change[] = []
  const conflicts: Conflict[] = []
  walk([], base, mine, theirs)
  return { changes, conflicts }

  function walk(path: Path, base: unknown, mine: unknown, theirs: unknown): void {
    if (same(base, mine) || same(mine, theirs)) return
    if (isFields(mine) && isFields(theirs)) {
      const before = isFields(base) ? base : {}
      for (const key of new Set([...Object.keys(before), ...Object.keys(mine), ...Object.keys(theirs)])) {
        if (path.length === 1 && path[0] === 'metadata' && ofServer.has(key)) continue
        walk([...path, key], own(before, key), own(mine, key), own(theirs, key))
      }
    } else if (sameNames(base, mine, theirs)) {
      const [b, m, t] = [base, mine, theirs] as [Fields[], Fields[], Fields[]]
      for (const [i, item] of m.entries()) walk([...path, i], b[i], item, t[i])
    } else if (same(base, theirs)) changes.push({ path, value: mine })
    else conflicts.push({ path, base, mine, theirs })
  }
}

const own = (fields: Fields, key: string): unknown => (has(fields, key) ? fields[key] : undefined)

/** Whether all lists have items of the same names in the same order. */
function sameNames(...lists: unknown[]): boolean {
  const names = lists.map(list =>
    Array.isArray(list) && list.length > 0 && list.every(item => isFields(item) && typeof item.name === 'string')
      ? list.map(item => item.name).join('\n')
      : undefined
  )
  return names[0] !== undefined && names.every(name => name === names[0])
}
