/**
 * The items that a filter lets through, in an order. One change costs a search and the move of what is behind it, not a new sort, so that a table of
 * 100,000 rows follows hundreds of changes a second.
 */
export class SortedView<T> {
  readonly #compare: (a: T, b: T) => number
  readonly #includes: (item: T) => boolean
  #items: T[] = []

  /** `compare` has to tell any two items apart. */
  constructor(compare: (a: T, b: T) => number, includes: (item: T) => boolean) {
    this.#compare = compare
    this.#includes = includes
  }

  get items(): readonly T[] {
    return this.#items
  }

  /** Takes the place of everything that was there. */
  fill(items: Iterable<T>): void {
    this.#items = [...items].filter(this.#includes).sort(this.#compare)
  }

  /** Adds many at once: in one walk over what is there. */
  addAll(items: readonly T[]): void {
    const added = items.filter(this.#includes).sort(this.#compare)
    const merged: T[] = []
    let next = 0
    for (const item of this.#items) {
      while (next < added.length && this.#compare(added[next]!, item) < 0) merged.push(added[next++]!)
      merged.push(item)
    }
    for (; next < added.length; next++) merged.push(added[next]!)
    this.#items = merged
  }

  /** Replaces an item by its successor; either may be undefined. */
  replace(before: T | undefined, after: T | undefined): void {
    const at = before === undefined ? -1 : this.indexOf(before)
    const stays = after !== undefined && this.#includes(after)
    if (at >= 0 && stays && this.#fits(after, at)) this.#items[at] = after
    else {
      if (at >= 0) this.#items.splice(at, 1)
      if (stays) this.#items.splice(this.#place(after), 0, after)
    }
  }

  indexOf(item: T): number {
    const place = this.#place(item)
    return this.#items[place] === item ? place : -1
  }

  /** Whether an item may stand at an index, between the neighbours of the present one. */
  #fits(item: T, index: number): boolean {
    const before = this.#items[index - 1]
    const behind = this.#items[index + 1]
    return (before === undefined || this.#compare(before, item) < 0) && (behind === undefined || this.#compare(item, behind) < 0)
  }

  /** The index of the first item that is not before this one. */
  #place(item: T): number {
    let low = 0
    let high = this.#items.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(this.#items[middle]!, item) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
