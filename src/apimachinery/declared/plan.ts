/** What has to be looked at in the values of a type: compiled once per type from its rules. */

import type { HonouredGate } from '../features/honoured-gates.js'
import { honouredGates } from '../features/honoured-gates.js'
import { inGoOrder } from '../schema/field-order.js'
import { loadSchema } from '../schema/load.js'
import type { Field, StructType, Type } from '../schema/model.js'
import { type Check, fieldChecks, type Site, shortCircuits, uniqueCheck } from './checks.js'
import { customChecks } from './custom.js'
import { declaredType, type Rule, type Stage } from './rules.js'
import { itemUnion, modeChecks, unionChecks } from './unions.js'

/** A check, and the gate that must be on or off for it. */
export interface Step {
  readonly stage: Stage
  readonly check: Check
  readonly gate?: { readonly name: HonouredGate; readonly on: boolean }
}

export interface FieldPlan {
  readonly field: Field
  /** What ends the validation of the field. */
  readonly first: readonly Step[]
  readonly then: readonly Step[]
  /** The rules of each value: of the field's own, of a list's items or of a map's values. */
  readonly ofValue: readonly Step[]
  readonly keys: readonly string[] | undefined
  /** Whether a rule compares with the old value even where nothing is wrong with the new one. */
  readonly compares: boolean
  /** The struct below: in the field, in a list or in a map. */
  readonly below: Plan | undefined
}

export interface Plan {
  readonly own: readonly Step[]
  readonly fields: readonly FieldPlan[]
}

/** Rules that others read. */
const parts = new Set([
  'listType',
  'listMapKey',
  'unique',
  'customUnique',
  'item',
  'unionMember',
  'zeroOrOneOfMember',
  'modeDiscriminator',
  'ifMode',
  'dependentRequired',
  'dependentForbidden',
  'opaqueType'
])
const comparing = new Set(['immutable', 'update', 'monotonic'])

const plans = new Map<string, Plan | undefined>()
const reaching = new Map<string, boolean>()

/** The plan of a type by its short name, "core.v1.Pod"; undefined when nothing that it holds has rules whose errors are shown. */
export function planOf(name: string): Plan | undefined {
  if (plans.has(name)) return plans.get(name)
  const type = loadSchema().type(name)
  const plan = reaches(type, new Set()) ? new LazyPlan(type) : undefined
  plans.set(name, plan)
  return plan
}

/** Whether a type or one below it has rules whose errors are shown. */
function reaches(type: StructType, seen: Set<string>): boolean {
  const known = reaching.get(type.name)
  if (known !== undefined) return known
  if (seen.has(type.name)) return false
  seen.add(type.name)
  const rules = declaredType(type.name)?.fields
  const own = [...(rules?.values() ?? [])].some(list => list.some(isShown))
  const found =
    own ||
    type.fields.some(field => {
      const below = rules?.get(field.name)?.some(isOpaque) ? undefined : structIn(field.type)
      return below !== undefined && reaches(below, seen)
    })
  // what a circle hides from one type, another may reach: only the type asked for is known for sure
  if (found || seen.size === 1) reaching.set(type.name, found)
  return found
}

/** What is no error. */
const unshown = new Set(['optional', 'listMapKey', 'opaqueType'])
const isShown = ({ stage, name, inner }: Rule): boolean => stage !== 'alpha' && (inner ? isShown(inner) : !unshown.has(name))
/** Whether the rules of the type of a field's values do not hold there: a template is not validated as an object is. */
const isOpaque = ({ name }: Rule) => name === 'opaqueType'

function structIn(type: Type): StructType | undefined {
  if (type.kind === 'struct') return type
  if (type.kind === 'list') return structIn(type.items)
  return type.kind === 'map' ? structIn(type.values) : undefined
}

/** Types may hold themselves, so a plan is made when it is first used. */
class LazyPlan implements Plan {
  readonly #type: StructType
  #made: Plan | undefined

  constructor(type: StructType) {
    this.#type = type
  }

  get own(): readonly Step[] {
    return (this.#made ??= makePlan(this.#type)).own
  }

  get fields(): readonly FieldPlan[] {
    return (this.#made ??= makePlan(this.#type)).fields
  }
}

function makePlan(type: StructType): Plan {
  const rules: ReadonlyMap<string, readonly Rule[]> = declaredType(type.name)?.fields ?? new Map()
  const own = [...unionChecks(type, rules), ...modeChecks(type, rules)].filter(({ stage }) => stage !== 'alpha')
  const fields = inGoOrder(type).flatMap(field => makeField(type.name, field, rules.get(field.name) ?? []) ?? [])
  return { own, fields }
}

function makeField(of: string, field: Field, rules: readonly Rule[]): FieldPlan | undefined {
  const struct = rules.some(isOpaque) ? undefined : structIn(field.type)
  const below = struct && planOf(struct.name)
  if (!below && !rules.some(isShown)) return undefined
  const lists = rules.filter(({ name }) => name === 'listType' || name === 'unique')
  const isSet = lists.some(({ value }) => value === 'set')
  const keys = isSet ? [] : rules.filter(({ name }) => name === 'listMapKey').map(({ value }) => value)
  const site: Site = { of, field, keys: lists.length > 0 ? keys : undefined }
  const plain = rules.filter(({ name, ofValue }) => !parts.has(name) && !ofValue)
  const isFirst = (rule: Rule) => Object.hasOwn(shortCircuits, innermost(rule).name) && rule.name !== 'subfield'
  const then = plain.filter(rule => !isFirst(rule)).map(rule => stepOf(rule, site))
  const unique = rules.some(({ name }) => name === 'customUnique') ? undefined : lists[0]
  if (unique) then.unshift({ stage: unique.stage, check: uniqueCheck(site) })
  const union = itemUnion(field.name, rules)
  if (union) then.push(union)
  return {
    field,
    first: plain.filter(isFirst).map(rule => stepOf(rule, site)),
    then,
    ofValue: rules.filter(({ ofValue }) => ofValue).map(rule => stepOf(rule, site)),
    keys: site.keys,
    compares: plain.some(rule => comparing.has(innermost(rule).name)),
    below
  }
}

const innermost = (rule: Rule): Rule => (rule.inner ? innermost(rule.inner) : rule)

function stepOf(rule: Rule, site: Site): Step {
  if (rule.name === 'ifEnabled' || rule.name === 'ifDisabled') {
    const name = honouredGates.find(gate => gate === rule.argument)
    if (!name) throw new Error(`${site.field.name}: the gate ${rule.argument} of a declared rule is not among the honoured ones`)
    return { ...stepOf(rule.inner!, site), stage: rule.stage, gate: { name, on: rule.name === 'ifEnabled' } }
  }
  if (rule.name === 'customValidation') return { stage: rule.stage, check: customCheck(rule, site) }
  const make = shortCircuits[rule.name] ?? fieldChecks[rule.name]
  if (!make) throw new Error(`${site.field.name}: unknown rule ${rule.name}`)
  return { stage: rule.stage, check: make(rule, site) }
}

function customCheck({ stage }: Rule, { of = '', field }: Site): Check {
  const check = customChecks[`${of}.${field.name}`]
  if (check) return check
  // its errors would not be shown
  if (stage === 'alpha') return () => undefined
  throw new Error(`${of}.${field.name}: its custom rule is not written`)
}
