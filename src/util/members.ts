/** Validates what a program gives as options. A caller in JavaScript has no compiler that does. */
import { suggest } from './suggest.js'
import { UserError } from './user-error.js'

export interface ValueType {
  /** Completes "must be …". */
  readonly what: string
  is(value: unknown): boolean
}

/** What the members of an object must be. */
export interface Shape {
  readonly members: Readonly<Record<string, ValueType>>
  readonly required?: readonly string[] | undefined
  /** Whether the object is nothing but options. Others may have members of their own, unless their names look like slips. */
  readonly isData?: boolean | undefined
}

const each = (values: unknown, isOne: (value: unknown) => boolean) => Array.isArray(values) && values.every(isOne)
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number' && !Number.isNaN(value)
const isBoolean = (value: unknown) => typeof value === 'boolean'

export const valueTypes = {
  text: { what: 'a string', is: isText },
  number: { what: 'a number', is: isNumber },
  boolean: { what: 'true or false', is: isBoolean },
  texts: { what: 'a list of strings', is: value => each(value, isText) },
  numbers: { what: 'a list of numbers', is: value => each(value, isNumber) },
  switches: {
    what: 'an object whose values are true or false',
    is: value => isMap(value) && each(Object.values(value), isBoolean)
  },
  textsByName: { what: 'an object whose values are strings', is: value => isMap(value) && each(Object.values(value), isText) },
  object: { what: 'an object', is: isMap },
  objects: { what: 'a list of objects', is: value => each(value, isMap) },
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
    if (member === undefined ? required.includes(name) : !type.is(member))
      throw new UserError(`the option ${place}${name} must be ${type.what}, not ${shown(member)}`)
  }
}

const maxShown = 80

/** A value in an error; its type when it is no text or number, since options may hold secrets. */
function shown(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' || typeof value === 'function') return `a${typeof value === 'object' ? 'n object' : ' function'}`
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}
