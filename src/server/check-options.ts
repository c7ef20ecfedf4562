import { suggest } from '../util/suggest.js'
import { UserError } from '../util/user-error.js'
import { optionTypes } from './option-types.js'

/** Throws a UserError for an option that does not exist, or whose value is of the wrong type. */
export function checkOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    const type = optionTypes.get(name)
    if (!type) {
      const near = suggest(name, optionTypes.keys())
      throw new UserError(`unknown option ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`)
    }
    if (value !== undefined && !type.is(value))
      throw new UserError(`the option ${name} must be ${type.what}, not ${shown(value)}`)
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
