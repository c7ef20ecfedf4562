import { parseIntProblem } from '../../util/go-strconv.js'
import { badRequest } from '../status/status.js'

/** Reads an int64 from the query parameters. Throws a 400 with Go's words for a text that is none. */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const problem = parseIntProblem(text)
  if (problem) throw badRequest(problem)
  return Number(text)
}
