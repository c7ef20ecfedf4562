/** Sets of a Job's indexes in text form: "0,2-3,7". */
import { parseIntProblem } from '../../util/go-strconv.js'

export class IndexRangesError extends Error {}

export type IndexRange = readonly [first: number, last: number]

/** Parses the ranges, which must ascend. Throws an IndexRangesError with kube-apiserver's text. */
export function parseIndexRanges(text: string, completions: number): IndexRange[] {
  if (text === '') return []
  const ranges: IndexRange[] = []
  let previous: number | undefined
  const index = (digits: string): number => {
    if (parseIntProblem(digits))
      throw new IndexRangesError(`cannot convert string to integer for index: ${JSON.stringify(digits)}`)
    const value = Number(digits)
    if (value >= completions) throw new IndexRangesError(`too large index: ${JSON.stringify(digits)}`)
    if (previous !== undefined && previous >= value)
      throw new IndexRangesError(`non-increasing order, previous: ${previous}, current: ${value}`)
    previous = value
    return value
  }
  for (const part of text.split(',')) {
    const limits = part.split('-')
    if (limits.length > 2) {
      throw new IndexRangesError(
        `the fragment ${JSON.stringify(part)} violates the requirement that an index interval can have at most two parts separated by '-'`
      )
    }
    const first = index(limits[0]!)
    ranges.push([first, limits.length > 1 ? index(limits[1]!) : first])
  }
  return ranges
}

export const countIndexes = (ranges: readonly IndexRange[]) => ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)

/** Returns the first index that both contain, or undefined. */
export function firstCommonIndex(a: readonly IndexRange[], b: readonly IndexRange[]): number | undefined {
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i]!, b[j]!]
    if (x[1] < y[0]) i++
    else if (y[1] < x[0]) j++
    else return Math.max(x[0], y[0])
  }
  return undefined
}
