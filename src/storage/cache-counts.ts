/** The counts of one watch cache, which `/metrics` reads. */
import { Distribution } from '../util/instruments/series.js'

/** Counts of one sort of list: of all objects below a prefix, or of those with one value of a field. */
export interface ListCounts {
  lists: number
  /** How many objects were looked at. */
  fetched: number
  returned: number
}

/** Limits of the histogram of the seconds for which reads wait until the cache shows the present. */
export const readWaitSeconds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3]

/** Limits of the histograms of the seconds that it takes to fill the cache, and to list from the store. */
export const initializationSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600]
export const storedListSeconds = [
  ...[0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]
]

export class CacheCounts {
  /** How many events came from the store. */
  received = 0
  /** How many events went to watchers. */
  dispatched = 0
  /** How often the whole cache was read. */
  initializations = 0
  /** How often that failed. */
  failedInitializations = 0
  readonly initialization = new Distribution(initializationSeconds)
  /** With how many events watches began. */
  initial = 0
  /** How often a value in the store could not be read. */
  unreadable = 0
  /** The bytes of all objects. */
  bytes = 0
  /** The lists that were read from the store. */
  readonly stored: ListCounts = { lists: 0, fetched: 0, returned: 0 }
  readonly storedSeconds = new Distribution(storedListSeconds)
  /** The times of those that the store sent as one stream, which are not among the others. */
  readonly streamedSeconds = new Distribution(storedListSeconds)
  /** Reads that had to be consistent, and asked the store for its revision. */
  consistent = 0
  /** How many of these found that the cache did not get there in time. */
  inconsistent = 0
  readonly readWait = new Distribution(readWaitSeconds)
  readonly #lists = new Map<string, ListCounts>()

  /** The counts of lists by the index that they used; "" for none. */
  get lists(): ReadonlyMap<string, ListCounts> {
    return this.#lists
  }

  /** `index` is one of a fixed set, never a name that a client has made up. */
  countList(index: string, fetched: number, returned: number): void {
    let counts = this.#lists.get(index)
    if (!counts) this.#lists.set(index, (counts = { lists: 0, fetched: 0, returned: 0 }))
    counts.lists++
    counts.fetched += fetched
    counts.returned += returned
  }

  /** Counts a list that was read from the store. */
  countStored(objects: number, seconds: number, streamed = false): void {
    const times = streamed ? this.streamedSeconds : this.storedSeconds
    times.observe(seconds)
    this.stored.lists++
    this.stored.fetched += objects
    this.stored.returned += objects
  }
}
