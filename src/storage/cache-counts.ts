/** What one watch cache counts. `/metrics` reads it. */
import { Distribution } from '../instruments/series.js'

/** Lists of one kind: all of a prefix, or those with one value of a field. */
export interface ListCounts {
  lists: number
  /** Objects that were looked at. */
  fetched: number
  returned: number
}

/** Seconds that reads wait until the cache shows the present. */
export const readWaitSeconds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3]

export class CacheCounts {
  /** Events of the store. */
  received = 0
  /** Events that went to watchers. */
  dispatched = 0
  /** How often the whole cache was read. */
  initializations = 0
  /** Events that watches began with. */
  initial = 0
  /** How often a value in the store could not be read. */
  unreadable = 0
  /** Bytes of all objects. */
  bytes = 0
  /** Lists that were read from the store. */
  readonly stored: ListCounts = { lists: 0, fetched: 0, returned: 0 }
  /** Reads that had to be consistent, and asked the store for its revision. */
  consistent = 0
  /** The same, when the cache did not come that far in time. */
  inconsistent = 0
  readonly readWait = new Distribution(readWaitSeconds)
  readonly #lists = new Map<string, ListCounts>()

  /** By the index that the list used; "" for none. */
  get lists(): ReadonlyMap<string, ListCounts> {
    return this.#lists
  }

  /** `index`: of a fixed set, never what a client has made up. */
  countList(index: string, fetched: number, returned: number): void {
    let counts = this.#lists.get(index)
    if (!counts) this.#lists.set(index, (counts = { lists: 0, fetched: 0, returned: 0 }))
    counts.lists++
    counts.fetched += fetched
    counts.returned += returned
  }

  /** Counts a list that was read from the store. */
  countStored(objects: number): void {
    this.stored.lists++
    this.stored.fetched += objects
    this.stored.returned += objects
  }
}
