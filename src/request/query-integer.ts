import { badRequest } from '../status/status.js'
import { goQuote } from '../util/go-format.js'

const maxInt64 = 2n ** 63n - 1n

/** An int64 among the query parameters. Throws 400 with Go's words for what is none. */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const problem = /^[+-]?\d{1,1000}$/.test(text)
    ? BigInt(text.replace('+', '')) > maxInt64 || BigInt(text.replace('+', '')) < -maxInt64 - 1n
      ? 'value out of range'
      : undefined
    : 'invalid syntax'
  if (problem) throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`)
  return Number(text)
}
