/**
 * Fields that exist only where feature gates are on. kube-apiserver drops them from what clients write, unless the object has used
 * them before.
 */
import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import type { HonouredGate } from '../apimachinery/features/honoured-gates.js'
import { forgetEmpties, given } from '../apimachinery/schema/given.js'

export interface GatedFields {
  /** The gates, all of which have to be on. */
  readonly gates: HonouredGate | readonly HonouredGate[]
  /**
   * Paths: `spec.paused`. `*` is every item of a list and every value of a map, `{a,b}` either of two fields, and `a?` a struct that goes
   * as well when nothing is left in it.
   */
  readonly fields?: readonly string[]
  /** The paths by which an old object is known to use the feature. Default: `fields`. */
  readonly inUse?: readonly string[]
  /** Only new objects lose the fields: an update through the status subresource may set them. */
  readonly onlyOfNew?: true
  /** For what paths cannot describe: the functions below are called with the part of the object at this path. */
  readonly part?: string
  readonly uses?: (part: any) => boolean
  readonly drop?: (part: any) => void
}

interface WithGatedFields {
  readonly gatedFields?: readonly GatedFields[]
}

type Steps = readonly { readonly name: string; readonly prunes: boolean }[]

interface Rule {
  readonly onlyOfNew: boolean
  readonly paths: readonly Steps[]
  /** Whether functions find the feature in use. */
  partUses(object: unknown): boolean
  wasUsed(old: unknown): boolean
  drop(object: unknown): void
}

/** The paths of rules as a tree, so that one walk through an object finds all that it has of them: most have nothing. */
interface Branch {
  readonly fields: Map<string, Branch>
  /** Of every item of a list and every value of a map. */
  items?: Branch
  /** The rules of which a path ends here. */
  readonly rules: Rule[]
}

interface Rules {
  readonly all: readonly Rule[]
  readonly paths: Branch
}

/** Drops the fields of gates that are off. `old` is the object before an update. */
export function dropGatedFields(kind: WithGatedFields, features: FeatureGates, object: unknown, old?: unknown): void {
  if (!kind.gatedFields) return
  const { all, paths } = rulesOf(kind.gatedFields, features)
  const used = new Set<Rule>()
  findUsed(object, paths, used)
  for (const rule of all) {
    if (!used.has(rule) && !rule.partUses(object)) continue
    if (!(old !== undefined && (rule.onlyOfNew || rule.wasUsed(old)))) rule.drop(object)
  }
}

const known = new WeakMap<FeatureGates, Map<readonly GatedFields[], Rules>>()

/** Returns the rules of gates that are off. */
function rulesOf(fields: readonly GatedFields[], features: FeatureGates): Rules {
  let ofFeatures = known.get(features)
  if (!ofFeatures) known.set(features, (ofFeatures = new Map()))
  let rules = ofFeatures.get(fields)
  if (!rules) ofFeatures.set(fields, (rules = compiled(fields.filter(({ gates }) => isOff(gates, features)).map(rule))))
  return rules
}

const isOff = (gates: GatedFields['gates'], features: FeatureGates): boolean =>
  (typeof gates === 'string' ? [gates] : gates).some(gate => !features.enabled(gate))

const newBranch = (): Branch => ({ fields: new Map(), rules: [] })

function compiled(all: readonly Rule[]): Rules {
  const root = newBranch()
  for (const rule of all)
    for (const path of rule.paths) {
      let branch = root
      for (const { name } of path) branch = name === '*' ? (branch.items ??= newBranch()) : fieldOf(branch, name)
      branch.rules.push(rule)
    }
  return { all, paths: root }
}

function fieldOf({ fields }: Branch, name: string): Branch {
  let field = fields.get(name)
  if (!field) fields.set(name, (field = newBranch()))
  return field
}

/** Adds to `used` the rules of which the value has a field. */
function findUsed(value: any, { fields, items, rules }: Branch, used: Set<Rule>): void {
  if (!isThere(value)) return
  for (const rule of rules) used.add(rule)
  if (typeof value !== 'object') return
  // an empty list that was given is there until the object is stored
  for (const [name, branch] of fields) findUsed(given<any, string>(value, name), branch, used)
  if (items) for (const item of Object.values(value)) findUsed(item, items, used)
}

function rule({ fields = [], inUse = fields, onlyOfNew, part = '', uses, drop }: GatedFields): Rule {
  const paths = fields.flatMap(steps)
  const usedPaths = inUse.flatMap(steps)
  const at = steps(part)[0]!
  const partUses = (object: unknown) => uses !== undefined && has(object, at, 0, uses)
  return {
    onlyOfNew: onlyOfNew === true,
    paths,
    partUses,
    wasUsed: old => usedPaths.some(path => has(old, path)) || partUses(old),
    drop(object) {
      for (const path of paths) remove(object, path)
      if (drop) has(object, at, 0, found => void drop(found))
    }
  }
}

/** Returns the paths of a text with alternatives. */
function steps(text: string): Steps[] {
  const [, before = '', choice, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(text) ?? []
  if (choice !== undefined) return choice.split(',').flatMap(name => steps(before + name + after))
  if (text === '') return [[]]
  return [text.split('.').map(name => ({ name: name.replace('?', ''), prunes: name.endsWith('?') }))]
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null

/** Whether there is something at a path for which `test` holds. */
function has(value: any, path: Steps, from = 0, test: (found: any) => unknown = isThere): boolean {
  if (from === path.length) return Boolean(isThere(value) && test(value))
  if (typeof value !== 'object' || value === null) return false
  const { name } = path[from]!
  // an empty list that was given is there until the object is stored
  if (name !== '*') return has(given<any, string>(value, name), path, from + 1, test)
  return Object.values(value).some(item => has(item, path, from + 1, test))
}

function remove(value: any, path: Steps, from = 0): void {
  if (typeof value !== 'object' || value === null) return
  const { name, prunes } = path[from]!
  if (name === '*') for (const item of Object.values(value)) remove(item, path, from + 1)
  else if (from === path.length - 1) {
    delete value[name]
    forgetEmpties(value, name)
  } else {
    const child = value[name]
    remove(child, path, from + 1)
    if (prunes && isThere(child) && Object.keys(child).length === 0) delete value[name]
  }
}
