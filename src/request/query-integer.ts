import { badRequest } from '../status/status.js'
import { parseIntProblem } from '../util/go-strconv.js'

/** An int64 among the query parameters. Throws 400 with Go's words for what is none. */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const problem = parseIntProblem(text)
  if (problem) throw badRequest(problem)
  return Number(text)
}
