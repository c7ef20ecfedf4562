/** Sets of a Job's indexes in text form: "0,2-3,7". */
import { goQuote } from '../../util/go-format.js'
import { parseIntProblem } from '../../util/go-strconv.js'

export class IndexRangesError extends Error {}

export type IndexRange = readonly [first: number, last: number]

/** Parses the ranges, which must ascend. Throws an IndexRangesError with kube-apiserver's text. */
export function parseIndexRanges(text: string, completions: number): IndexRange[] {
  if (text === '') return []
  let previous: number | undefined
  return text.split(',').map(part => {
    const range = parseRange(part, completions)
    requireIncrease(previous, range[0])
    previous = range[1]
    return range
  })
}

/** The ranges that can be parsed, in any order. */
export function readableRanges(text: string, completions: number): IndexRange[] {
  if (text === '') return []
  return text.split(',').flatMap(part => {
    try {
      return [parseRange(part, completions)]
    } catch (error) {
      if (error instanceof IndexRangesError) return []
      throw error
    }
  })
}

function parseRange(text: string, completions: number): IndexRange {
  const limits = text.split('-')
  if (limits.length > 2) {
    throw new IndexRangesError(
      `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`
    )
  }
  const first = parseIndex(limits[0]!, completions)
  if (limits.length === 1) return [first, first]
  const last = parseIndex(limits[1]!, completions)
  requireIncrease(first, last)
  return [first, last]
}

function parseIndex(digits: string, completions: number): number {
  if (parseIntProblem(digits)) throw new IndexRangesError(`cannot convert string to integer for index: ${goQuote(digits)}`)
  const value = Number(digits)
  if (value >= completions) throw new IndexRangesError(`too large index: ${goQuote(digits)}`)
  return value
}

function requireIncrease(previous: number | undefined, current: number): void {
  if (previous !== undefined && previous >= current)
    throw new IndexRangesError(`non-increasing order, previous: ${previous}, current: ${current}`)
}

export const countIndexes = (ranges: readonly IndexRange[]) => ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)

/** Returns the first index that both contain, or undefined. A set that is not in order is not searched in full. */
export function firstCommonIndex(a: readonly IndexRange[], b: readonly IndexRange[]): number | undefined {
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i]!, b[j]!]
    if (x[0] <= y[1] && y[0] <= x[1]) return Math.max(x[0], y[0])
    if (x[0] <= y[0]) i++
    else j++
  }
  return undefined
}
