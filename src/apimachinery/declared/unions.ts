/** Rules about several fields of a struct: unions, and fields that depend on a discriminator. */
import { inGoOrder } from '../schema/field-order.js'
import type { StructType } from '../schema/model.js'
import { semanticDeepEqual } from '../validation/semantic-equality.js'
import type { Check, Report } from './checks.js'
import { shortCircuits } from './checks.js'
import type { Rule, Stage } from './rules.js'
import { isAbsent } from './values.js'

type Struct = Readonly<Record<string, unknown>>
const asStruct = (value: unknown): Struct => (value ?? {}) as Struct

/** How errors speak of a union: how many members may be set. */
const words = { exactly: 'must specify exactly one of', atMost: 'must specify at most one of', none: 'must specify one of' }

/** `isSet` tells for each name whether the member is there. */
function oneOf(names: readonly string[], isSet: (value: unknown, i: number) => boolean, mayBeEmpty: boolean): Check {
  const all = names.map(name => `\`${name}\``).join(', ')
  return ({ value, old, isUpdate }) => {
    const given = names.filter((_, i) => isSet(value, i))
    if (isUpdate && old !== undefined && old !== null && names.every((_, i) => isSet(value, i) === isSet(old, i)))
      return undefined
    const report = (shown: string, why: string): Report[] => [(path, errors) => errors.invalid(path, shown, `${why}: ${all}`)]
    if (given.length > 1) return report(`{${given.join(', ')}}`, mayBeEmpty ? words.atMost : words.exactly)
    return given.length === 0 && !mayBeEmpty ? report('', words.none) : undefined
  }
}

/** The unions of a struct, with their stage, in the order of their first members. */
export function unionChecks(type: StructType, rules: ReadonlyMap<string, readonly Rule[]>): { stage: Stage; check: Check }[] {
  const unions = new Map<string, { stage: Stage; name: string; members: string[] }>()
  for (const { name } of inGoOrder(type))
    for (const rule of rules.get(name) ?? []) {
      if (rule.name !== 'unionMember' && rule.name !== 'zeroOrOneOfMember') continue
      const key = `${rule.name} ${rule.argument}`
      const known = unions.get(key)
      if (known) known.members.push(name)
      else unions.set(key, { stage: rule.stage, name: rule.name, members: [name] })
    }
  return [...unions.values()].map(({ stage, name, members }) => {
    const fields = members.map(member => type.byName.get(member)!)
    const isSet = (value: unknown, i: number) => !isAbsent(asStruct(value)[members[i]!], fields[i]!)
    return { stage, check: oneOf(members, isSet, name === 'zeroOrOneOfMember') }
  })
}

/** The members of a list of which one may be there: `item(type: Approved) zeroOrOneOfMember`. */
export function itemUnion(field: string, rules: readonly Rule[]): { stage: Stage; check: Check } | undefined {
  const members = rules.filter(({ name, inner }) => name === 'item' && inner?.name === 'zeroOrOneOfMember')
  if (members.length === 0) return undefined
  const wanted = members.map(({ argument }) => argument.split(',').map(pair => pair.split(':').map(text => text.trim())))
  const names = wanted.map(pairs => `${field}[{${pairs.map(([key, value]) => `"${key}": "${value}"`).join(', ')}}]`)
  const isSet = (list: unknown, i: number) =>
    Array.isArray(list) && list.some(item => wanted[i]!.every(([key, value]) => asStruct(item)[key!] === value))
  return { stage: members[0]!.stage, check: oneOf(names, isSet, true) }
}

/** Fields that are there for some values of a discriminator, `ifMode(Queue) required`, and forbidden for the others. */
export function modeChecks(type: StructType, rules: ReadonlyMap<string, readonly Rule[]>): { stage: Stage; check: Check }[] {
  const discriminator = type.fields.find(({ name }) => rules.get(name)?.some(rule => rule.name === 'modeDiscriminator'))?.name
  if (discriminator === undefined) return []
  // in the order of their names, unlike the fields themselves
  const members = [...type.fields].sort((a, b) => (a.name < b.name ? -1 : 1))
  return members.flatMap(field => {
    const modes = (rules.get(field.name) ?? []).filter(rule => rule.name === 'ifMode')
    if (modes.length === 0) return []
    const site = { field, keys: undefined }
    const forbidden = shortCircuits.forbidden!(modes[0]!, site)
    const checks = new Map(modes.map(({ argument, inner }) => [argument, shortCircuits[inner!.name]!(inner!, site)]))
    const check: Check = ({ value, old, isUpdate }) => {
      const [now, before] = [asStruct(value), asStruct(old)]
      const mode = now[discriminator]
      if (isUpdate && old && mode === before[discriminator] && semanticDeepEqual(now[field.name], before[field.name]))
        return undefined
      const found = (checks.get(String(mode)) ?? forbidden)({ value: now[field.name], old: before[field.name], isUpdate })
      return found?.map<Report>(report => (path, errors) => report(path.child(field.name), errors))
    }
    return [{ stage: modes[0]!.stage, check }]
  })
}
