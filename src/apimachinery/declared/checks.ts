/** What each declared rule asks of a value. */

import { exactJson } from '../../util/exact-json.js'
import { inFieldOrder } from '../schema/field-order.js'
import type { Field, Type } from '../schema/model.js'
import type { FieldErrors, Path } from '../validation/field.js'
import { namedText } from '../validation/go-value.js'
import { semanticDeepEqual } from '../validation/semantic-equality.js'
import { formats } from './formats.js'
import type { Rule } from './rules.js'
import { isAbsent } from './values.js'

/** What is known of the field that is validated. */
export interface Site {
  /** The type that has the field, where it is not below another field. */
  readonly of?: string
  readonly field: Field
  /** The field that holds the list or map whose items are validated: two items are the same when these keys are. */
  readonly keys: readonly string[] | undefined
}

/** A value and what it was; `old` is left out where nothing corresponds to the value in the old object. */
export interface Given {
  readonly value: unknown
  readonly old: unknown
  /** Whether an object is updated. */
  readonly isUpdate: boolean
}

export type Report = (path: Path, errors: FieldErrors) => void

/** Returns what is wrong; an empty list ends the validation of the field without an error; undefined lets it go on. */
export type Check = (given: Given) => readonly Report[] | undefined

const silently: readonly Report[] = []
const invalid = (value: unknown, why: string): Report[] => [(path, errors) => errors.invalid(path, value, why)]
const collected = (reports: Report[]): readonly Report[] | undefined => (reports.length > 0 ? reports : undefined)

/** Strings of a Go type with a name of its own are shown as JSON. */
const shown = (text: string, { type }: Field): unknown => (goName(type) === 'string' ? text : namedText(text))
const goName = (type: Type): string => (type.kind === 'list' ? goName(type.items) : type.go)

type CheckMaker = (rule: Rule, site: Site) => Check

const required: CheckMaker =
  (_, { field }) =>
  ({ value }) =>
    isAbsent(value, field) ? [(path, errors) => errors.required(path)] : undefined

/** Rules that end the validation of a field when they find something, before all others are looked at. */
export const shortCircuits: Readonly<Record<string, CheckMaker>> = {
  required,
  optional:
    (_, { field }) =>
    ({ value }) =>
      isAbsent(value, field) ? silently : undefined,
  forbidden:
    (_, { field }) =>
    ({ value }) =>
      isAbsent(value, field) ? silently : [(path, errors) => errors.forbidden(path)],
  // a field that did not change is not looked at
  immutable:
    () =>
    ({ isUpdate }) =>
      isUpdate ? invalid(null, 'field is immutable') : undefined,
  update: ({ value: constraint }, site) => updateChecks[constraint]!(site),
  maxItems:
    ({ value: max }) =>
    ({ value }) => {
      const length = Array.isArray(value) ? value.length : 0
      return length > Number(max) ? [(path, errors) => errors.tooMany(path, length, Number(max))] : undefined
    }
}

const updateChecks: Readonly<Record<string, (site: Site) => Check>> = {
  NoSet: ({ field }) =>
    whenUpdated((value, old) => isAbsent(old, field) && !isAbsent(value, field), 'field cannot be set once created'),
  NoUnset: ({ field }) =>
    whenUpdated((value, old) => !isAbsent(old, field) && isAbsent(value, field), 'field cannot be cleared once set'),
  NoModify: ({ field }) =>
    whenUpdated((value, old) => !isAbsent(old, field) && !isAbsent(value, field), 'field cannot be modified once set'),
  NoAddItem:
    ({ keys }) =>
    ({ value, old, isUpdate }) =>
      isUpdate
        ? collected(
            missing(value, old, keys).map(i => (path, errors) => errors.forbidden(path.index(i), 'item may not be added'))
          )
        : undefined,
  NoRemoveItem:
    ({ keys }) =>
    ({ value, old, isUpdate }) =>
      isUpdate
        ? collected(missing(old, value, keys).map(() => (path, errors) => errors.forbidden(path, 'item may not be removed')))
        : undefined
}

const whenUpdated =
  (isWrong: (value: unknown, old: unknown) => boolean, why: string): Check =>
  ({ value, old, isUpdate }) =>
    isUpdate && isWrong(value, old) ? invalid(null, why) : undefined

/** The places of the items that another list lacks. */
function missing(list: unknown, other: unknown, keys: readonly string[] | undefined): number[] {
  const known = new Set(items(other).map(item => identity(item, keys)))
  return items(list).flatMap((item, i) => (known.has(identity(item, keys)) ? [] : [i]))
}

const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** What tells an item of a list apart: the values of its keys, or all of it. */
export function identity(item: unknown, keys: readonly string[] | undefined): string {
  if (!keys || keys.length === 0) return exactJson(item)
  return exactJson(keys.map(key => (item as Record<string, unknown> | null)?.[key] ?? ''))
}

/** All other rules of fields. */
export const fieldChecks: Readonly<Record<string, CheckMaker>> = {
  minimum:
    ({ value: limit }) =>
    ({ value }) =>
      value !== undefined && value !== null && BigInt(value as number) < BigInt(limit)
        ? invalid(value, `must be greater than or equal to ${limit}`)
        : undefined,
  maximum:
    ({ value: limit }) =>
    ({ value }) =>
      value !== undefined && value !== null && BigInt(value as number) > BigInt(limit)
        ? invalid(value, `must be less than or equal to ${limit}`)
        : undefined,
  monotonic:
    () =>
    ({ value, old, isUpdate }) =>
      isUpdate && typeof value === 'number' && typeof old === 'number' && value < old
        ? invalid(value, `may not be decreased from ${old}`)
        : undefined,
  maxLength:
    ({ value: max }) =>
    ({ value }) =>
      typeof value === 'string' && [...value].length > Number(max)
        ? [(path, errors) => errors.tooManyCharacters(path, Number(max))]
        : undefined,
  maxBytes:
    ({ value: max }) =>
    ({ value }) =>
      typeof value === 'string' && Buffer.byteLength(value) > Number(max)
        ? [(path, errors) => errors.tooLong(path, Number(max))]
        : undefined,
  format:
    ({ value: name }, { field }) =>
    ({ value }) =>
      typeof value === 'string' ? [(path, errors) => formats[name]!(value, shown(value, field), path, errors)] : undefined,
  enum: ({ value: list }) => {
    const values = list.split(',')
    return ({ value }) =>
      typeof value === 'string' && !values.includes(value)
        ? [(path, errors) => errors.notSupported(path, value, values)]
        : undefined
  },
  eachKey: ({ inner }, site) => {
    const check = fieldChecks[inner!.name]!(inner!, site)
    return ({ value, old, isUpdate }) => {
      const before = (old ?? {}) as Record<string, unknown>
      const keys = Object.keys(value ?? {}).sort()
      const added = isUpdate ? keys.filter(key => !Object.hasOwn(before, key)) : keys
      return collected(added.flatMap(key => check({ value: key, old: undefined, isUpdate }) ?? []))
    }
  },
  eachVal: ({ inner }, site) => {
    const check = fieldChecks[inner!.name]!(inner!, site)
    return ({ value, old, isUpdate }) => {
      const before = new Set(isUpdate && site.keys ? items(old) : [])
      return collected(
        items(value).flatMap((item, i) =>
          before.has(item)
            ? []
            : (check({ value: item, old: undefined, isUpdate }) ?? []).map<Report>(
                report => (path, errors) => report(path.index(i), errors)
              )
        )
      )
    }
  },
  subfield: ({ argument: name, inner }, { field }) => {
    if (field.type.kind !== 'struct') throw new Error(`${field.name} has no field ${name}`)
    const below = field.type.byName.get(name)!
    const check = (shortCircuits[inner!.name] ?? fieldChecks[inner!.name])!(inner!, { field: below, keys: undefined })
    return ({ value, old, isUpdate }) => {
      const [now, before] = [value, old].map(struct => (struct as Record<string, unknown> | undefined)?.[name])
      // an optional name is one that the server makes: the rules beside it see none
      if ((isUpdate && semanticDeepEqual(now, before)) || isAbsent(now, below)) return undefined
      const found = check({ value: now, old: before, isUpdate })
      return found && collected(found.map<Report>(report => (path, errors) => report(path.child(name), errors)))
    }
  }
}

/** Requires that the items of a list are unique: by their keys, or as a whole. */
export const uniqueCheck =
  ({ field, keys }: Site): Check =>
  ({ value }) => {
    const list = items(value)
    if (list.length < 2) return undefined
    const seen = new Set<string>()
    const item = field.type.kind === 'list' ? field.type.items : undefined
    return collected(
      list.flatMap((one, i): Report[] => {
        const key = identity(one, keys)
        if (!seen.has(key)) {
          seen.add(key)
          return []
        }
        const text = typeof one === 'string' ? shown(one, field) : item ? inFieldOrder(item, one) : one
        return [(path, errors) => errors.duplicate(path.index(i), text)]
      })
    )
  }
