/** Sets of a Job's completion indexes, in the text form of its status: `0,2-5`. Their size is that of the text, not of the Job. */

type Interval = readonly [first: number, last: number]

const integer = (text: string | undefined) => (text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined)

export class IndexSet {
  static readonly empty = new IndexSet([])
  /** Ascending, with gaps between them. */
  readonly intervals: readonly Interval[]

  private constructor(intervals: readonly Interval[]) {
    this.intervals = intervals
  }

  /** Reads a set; what is no interval, or beyond the Job's completions, is left out. */
  static parse(text: string | undefined, completions: number): IndexSet {
    const intervals: Interval[] = []
    for (const part of text ? text.split(',') : []) {
      const [low, high] = part.split('-')
      const first = integer(low)
      const last = high === undefined ? first : integer(high)
      if (first === undefined || last === undefined) continue
      if (first >= completions) break
      intervals.push([first, Math.min(last, completions - 1)])
    }
    return IndexSet.#joined(intervals)
  }

  static #joined(intervals: readonly Interval[]): IndexSet {
    const joined: Interval[] = []
    for (const [first, last] of intervals) {
      const before = joined.at(-1)
      if (before && first <= before[1] + 1) joined[joined.length - 1] = [before[0], Math.max(before[1], last)]
      else joined.push([first, last])
    }
    return new IndexSet(joined)
  }

  with(indexes: Iterable<number>): IndexSet {
    return this.union(new IndexSet([...indexes].map(index => [index, index])))
  }

  union({ intervals }: IndexSet): IndexSet {
    return IndexSet.#joined([...this.intervals, ...intervals].sort((a, b) => a[0] - b[0]))
  }

  has(index: number): boolean {
    let [low, high] = [0, this.intervals.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.intervals[middle]![1] < index) low = middle + 1
      else high = middle
    }
    return low < this.intervals.length && this.intervals[low]![0] <= index
  }

  get size(): number {
    return this.intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  }

  /** How many indexes are in both. */
  common(other: IndexSet): number {
    let count = 0
    for (let i = 0, j = 0; i < this.intervals.length && j < other.intervals.length; ) {
      const [a, b] = [this.intervals[i]!, other.intervals[j]!]
      count += Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]) + 1)
      if (a[1] <= b[1]) i++
      if (b[1] <= a[1]) j++
    }
    return count
  }

  /** The first indexes below `completions` that are missing, at most `count`. */
  firstMissing(count: number, completions: number): number[] {
    const missing: number[] = []
    let next = 0
    const fill = (end: number) => {
      while (next < end && missing.length < count) missing.push(next++)
    }
    for (const [first, last] of this.intervals) {
      fill(Math.min(first, completions))
      next = Math.max(next, last + 1)
    }
    fill(completions)
    return missing
  }

  /** Two neighbours are written one by one, more of them as an interval. */
  toString(): string {
    return this.intervals
      .map(([first, last]) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
      .join(',')
  }
}
