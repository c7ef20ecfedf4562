/** Validates options that a program gives. Callers in JavaScript have no compiler that would do so. */
import { suggest } from './suggest.js'
import { UserError } from './user-error.js'

export interface ValueType {
  /** Completes "must be …". */
  readonly what: string
  is(value: unknown): boolean
  /** For a list, what its items must be, so that an error names the item. */
  readonly item?: ValueType | undefined
  /** What a value of the type must be, too: the error then names only this. */
  readonly narrower?: ValueType | undefined
}

/** Which members an object must have. */
export interface Shape {
  readonly members: Readonly<Record<string, ValueType>>
  readonly required?: readonly string[] | undefined
  /** Whether the object may have no other members. Other objects may, unless the names look like slips. */
  readonly isData?: boolean | undefined
}

const each = (values: unknown, isOne: (value: unknown) => boolean) => Array.isArray(values) && values.every(isOne)
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number' && !Number.isNaN(value)
const isBoolean = (value: unknown) => typeof value === 'boolean'

const text: ValueType = { what: 'a string', is: isText }
const number: ValueType = { what: 'a number', is: isNumber }
const object: ValueType = { what: 'an object', is: isMap }

export function listOf(what: string, item: ValueType): ValueType {
  return { what, item, is: value => each(value, one => item.is(one)) }
}

export const valueTypes = {
  text,
  number,
  boolean: { what: 'true or false', is: isBoolean },
  texts: listOf('a list of strings', text),
  numbers: listOf('a list of numbers', number),
  switches: {
    what: 'an object whose values are true or false',
    is: value => isMap(value) && each(Object.values(value), isBoolean)
  },
  textsByName: { what: 'an object whose values are strings', is: value => isMap(value) && each(Object.values(value), isText) },
  object,
  objects: listOf('a list of objects', object),
  function: { what: 'a function', is: value => typeof value === 'function' }
} satisfies Readonly<Record<string, ValueType>>

export const oneOf = (...values: readonly string[]): ValueType => ({
  what: values
    .map(value => JSON.stringify(value))
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1'),
  is: value => values.includes(value as string)
})

const shortestSlip = 4

/** Throws a UserError that names the member. `place` stands before its name: `log.`. */
export function checkMembers(value: object, { members, required = [], isData = false }: Shape, place = ''): void {
  const given = value as Readonly<Record<string, unknown>>
  // an instance of a class may have whatever it needs
  const names = isData || Object.getPrototypeOf(value) === Object.prototype ? Object.keys(value) : []
  for (const name of names) {
    if (Object.hasOwn(members, name)) continue
    const near = suggest(name, Object.keys(members))
    if (isData || (near !== undefined && name.length >= shortestSlip))
      throw new UserError(`unknown option ${JSON.stringify(place + name)}${near === undefined ? '' : `; did you mean ${near}?`}`)
  }
  for (const [name, type] of Object.entries(members)) {
    const member = given[name]
    if (member === undefined ? required.includes(name) : !type.is(member)) throw wrong(type, member, place + name)
    if (member !== undefined && type.narrower?.is(member) === false) throw wrong(type.narrower, member, place + name)
  }
}

function wrong({ what, item }: ValueType, value: unknown, place: string): UserError {
  const i = item && Array.isArray(value) ? value.findIndex(one => !item.is(one)) : -1
  if (i >= 0) return wrong(item!, (value as unknown[])[i], `${place}[${i}]`)
  return new UserError(`the option ${place} must be ${what}, not ${shown(value)}`)
}

const maxShown = 80

/** Formats a value for errors; only its type when it is neither text nor number, because options may contain secrets. */
export function shown(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' || typeof value === 'function') return `a${typeof value === 'object' ? 'n object' : ' function'}`
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}
