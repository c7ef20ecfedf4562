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
    const range = rangeOf(part, completions)
    if (!range) throw new IndexRangesError(problemOf(part, completions))
    if (previous !== undefined && previous >= range[0]) throw new IndexRangesError(notIncreasing(previous, range[0]))
    previous = range[1]
    return range
  })
}

/** The ranges that can be parsed, in any order. */
export const readableRanges = (text: string, completions: number): IndexRange[] =>
  text.split(',').flatMap(part => {
    const range = rangeOf(part, completions)
    return range ? [range] : []
  })

function rangeOf(text: string, completions: number): IndexRange | undefined {
  const limits = text.split('-')
  if (limits.length > 2 || limits.some(digits => indexProblem(digits, completions))) return undefined
  const [first, last = first] = limits.map(Number) as [number, number?]
  return limits.length === 1 || first < last ? [first, last] : undefined
}

/** Says why a text is no range. */
function problemOf(text: string, completions: number): string {
  const limits = text.split('-')
  if (limits.length > 2)
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`
  for (const digits of limits) {
    const problem = indexProblem(digits, completions)
    if (problem) return `${problem}: ${goQuote(digits)}`
  }
  return notIncreasing(Number(limits[0]), Number(limits[1]))
}

function indexProblem(digits: string, completions: number): string | undefined {
  if (parseIntProblem(digits)) return 'cannot convert string to integer for index'
  return Number(digits) >= completions ? 'too large index' : undefined
}

const notIncreasing = (previous: number, current: number): string =>
  `non-increasing order, previous: ${previous}, current: ${current}`

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
