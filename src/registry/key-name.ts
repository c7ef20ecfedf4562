import { badRequest } from '../status/status.js'
import { goQuote } from '../util/go-format.js'
import { isPathSegmentName } from '../validation/names.js'

/** Refuses a name that could not be part of a key in the store. */
export function checkKeyName(name: string): void {
  if (name === '') throw badRequest('Name parameter required.')
  const problems = isPathSegmentName(name, false)
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`)
}
