import { badRequest } from '../apimachinery/status/status.js'
import { isPathSegmentName } from '../apimachinery/validation/names.js'
import { goQuote } from '../util/go-format.js'

/** Refuses a name that could not be part of a key in the store. */
export function checkKeyName(name: string): void {
  if (name === '') throw badRequest('Name parameter required.')
  // no other name of a path can be wrong
  if (name.length > 2 && !name.includes('%') && !name.includes('/')) return
  const problems = isPathSegmentName(name)
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`)
}
