import { parseExact } from '../../util/exact-json.js'
import { sortTexts } from '../../util/go-format.js'
import { isObject, type JsonObject, setKey } from '../../util/json.js'
import { byStep } from './step-order.js'

/**
 * Sets of field paths in the form in which managedFields stores them (FieldsV1): a tree whose keys are "f:name" for a field or
 * map key, `k:{"name":"x"}` for an item of a keyed list, `v:"x"` for an item of a set, and "." for the path itself. An empty
 * object is a path without paths below it. Trees are never modified: operations share subtrees where they can.
 */
export interface FieldTree {
  [step: string]: FieldTree
}

export const leaf: FieldTree = Object.freeze({})

export function isEmptyTree(tree: FieldTree): boolean {
  for (const _ in tree) return false
  return true
}

/** True when the path of the tree itself is in the set, not only paths below it. */
export const hasSelf = (tree: FieldTree) => isEmptyTree(tree) || Object.hasOwn(tree, '.')

export function union(a: FieldTree, b: FieldTree): FieldTree {
  if (isEmptyTree(a)) return isEmptyTree(b) || hasSelf(b) ? b : { '.': leaf, ...b }
  if (isEmptyTree(b)) return hasSelf(a) ? a : { '.': leaf, ...a }
  const out: FieldTree = { ...a }
  for (const [step, sub] of Object.entries(b))
    out[step] = step === '.' ? leaf : Object.hasOwn(out, step) ? union(out[step]!, sub) : sub
  return out
}

/** Returns the members of `a` that are not in `b`; undefined when there are none. */
export function difference(a: FieldTree, b: FieldTree): FieldTree | undefined {
  const self = hasSelf(a) && !hasSelf(b)
  let out: FieldTree | undefined
  for (const [step, sub] of Object.entries(a)) {
    if (step === '.') continue
    const rest = Object.hasOwn(b, step) ? difference(sub, b[step]!) : sub
    if (rest) (out ??= {})[step] = rest
  }
  if (!out) return self ? leaf : undefined
  return self ? { '.': leaf, ...out } : out
}

/** Returns the members of a tree that are not at or below a leaf of another one. */
export function outside(tree: FieldTree, other: FieldTree): FieldTree | undefined {
  let out: FieldTree | undefined
  for (const [step, sub] of Object.entries(tree)) {
    const cut = Object.hasOwn(other, step) ? other[step]! : undefined
    // a leaf is a member by itself, above whatever the other tree has there
    const rest = !cut ? sub : isEmptyTree(cut) ? undefined : isEmptyTree(sub) ? sub : outside(sub, cut)
    if (rest) (out ??= {})[step] = rest
  }
  return out
}

/** Returns the union of any number of sets of whole documents. Reads each set once. */
export function unionOfRoots(trees: readonly FieldTree[]): FieldTree {
  return unionOf(trees.filter(tree => !isEmptyTree(tree)))
}

function unionOf(trees: readonly FieldTree[]): FieldTree {
  if (trees.length === 1) return trees[0]!
  const below = new Map<string, FieldTree[]>()
  for (const tree of trees)
    for (const [step, sub] of Object.entries(tree)) {
      const same = below.get(step)
      if (same) same.push(sub)
      else below.set(step, [sub])
    }
  const self = trees.some(hasSelf)
  if (below.size === 0) return leaf
  const out: FieldTree = self ? { '.': leaf } : {}
  for (const [step, subs] of below) if (step !== '.') setKey(out as JsonObject, step, unionOf(subs))
  return out
}

/** Returns the union of two sets of whole documents, of which the root itself is never a member. */
export function unionRoots(a: FieldTree | undefined, b: FieldTree | undefined): FieldTree | undefined {
  if (!a || isEmptyTree(a)) return b
  if (!b || isEmptyTree(b)) return a
  return union(a, b)
}

export function differenceRoots(a: FieldTree, b: FieldTree): FieldTree | undefined {
  const rest = isEmptyTree(a) || isEmptyTree(b) ? a : difference(a, b)
  return rest && isEmptyTree(rest) ? undefined : rest
}

/**
 * Parses a set that a client sends; undefined when it is invalid. Steps of an unknown kind are left out. A tree is as deep as the
 * document that contained it, whose depth is limited.
 */
export function readTree(value: unknown): FieldTree | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const out: FieldTree = {}
  for (const step of Object.keys(value)) {
    const sub = readTree((value as JsonObject)[step])
    if (!sub || !isReadable(step)) return undefined
    if (step === '.' || knownSteps.has(step.slice(0, 2))) setKey(out, step, sub)
  }
  return out
}

const knownSteps: ReadonlySet<string> = new Set(['f:', 'k:', 'v:', 'i:'])

function isReadable(step: string): boolean {
  const [kind, content] = [step.slice(0, 2), step.slice(2)]
  if (kind === 'i:') return /^\d+$/.test(content)
  if (kind !== 'k:' && kind !== 'v:') return step === '.' || step[1] === ':'
  try {
    const value = parseExact(content)
    return kind === 'v:' || isObject(value)
  } catch {
    return false
  }
}

/**
 * Sorts a tree into the order in which it is written. A sorted tree, such as one from the store, is returned unchanged.
 */
export function sorted(tree: FieldTree): FieldTree {
  let resorted: FieldTree | undefined
  let inOrder = true
  let last: string | undefined
  for (const step in tree) {
    const sub = sorted(tree[step]!)
    if (sub !== tree[step]) (resorted ??= {})[step] = sub
    if (last !== undefined && byStep(last, step) > 0) inOrder = false
    last = step
  }
  if (inOrder && !resorted) return tree
  const out: FieldTree = {}
  const steps = Object.keys(tree)
  if (!inOrder) {
    if (steps.some(step => step[0] !== 'f')) steps.sort(byStep)
    else sortTexts(steps)
  }
  for (const step of steps) out[step] = resorted?.[step] ?? tree[step]!
  return out
}

/** Returns the members of both sets; undefined when there are none. */
export function intersection(a: FieldTree, b: FieldTree): FieldTree | undefined {
  let out: FieldTree | undefined = hasSelf(a) && hasSelf(b) ? {} : undefined
  const self = out !== undefined
  for (const step in a) {
    if (step === '.' || !Object.hasOwn(b, step)) continue
    const both = intersection(a[step]!, b[step]!)
    if (both) (out ??= {})[step] = both
  }
  return self && !isEmptyTree(out!) ? { '.': leaf, ...out } : out
}

/** Returns the members of a set at and below a step. */
export const below = (tree: FieldTree | undefined, step: string): FieldTree | undefined =>
  tree && Object.hasOwn(tree, step) ? tree[step] : undefined
