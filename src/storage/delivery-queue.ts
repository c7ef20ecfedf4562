import type { Store } from './contract.js'

interface Batch {
  /** The revision that the underlying store had reached when the batch arrived. */
  readonly shown: number
  readonly prepare: () => Promise<() => void>
  readonly fail: (error: Error) => void
  readonly delivered: () => void
  deliver?: () => void
}

/**
 * Keeps events in order while their values are converted, which takes time. All watchers of the store get them in the order of the
 * underlying store, and those of one revision in one turn. While events wait, the seen revision trails that of the underlying store, as
 * with a distributed store.
 */
export class DeliveryQueue {
  readonly #store: Pick<Store, 'seenRevision'>
  readonly #batches: Batch[] = []
  #delivered: Promise<void> = Promise.resolve()
  /** The seen revision while batches wait. */
  #seen = 0

  constructor(store: Pick<Store, 'seenRevision'>) {
    this.#store = store
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0
  }

  get seenRevision(): number {
    return this.isEmpty ? this.#store.seenRevision : this.#seen
  }

  /** Resolves when all batches added so far have been delivered. */
  get delivered(): Promise<void> {
    return this.#delivered
  }

  /**
   * Delivers a batch after those that wait: `prepare` converts it and returns its delivery. `before` is the seen revision until then, if
   * no other batch waits.
   */
  add(before: number, fail: (error: Error) => void, prepare: () => Promise<() => void>): void {
    const isFirst = this.isEmpty
    if (isFirst) this.#seen = Math.max(this.#seen, before)
    let delivered = () => {}
    this.#delivered = new Promise(resolve => {
      delivered = resolve
    })
    this.#batches.push({ shown: this.#store.seenRevision, prepare, fail, delivered })
    if (isFirst) void this.#run()
  }

  async #run(): Promise<void> {
    const batches = this.#batches
    while (batches.length > 0) {
      const { shown } = batches[0]!
      let count = 0
      // more batches of the revision may come while the first ones are prepared
      for (; batches[count]?.shown === shown; count++) await prepared(batches[count]!)
      this.#seen = Math.max(this.#seen, shown)
      // they stay in the queue until all are delivered, so that what the watchers cause comes after them
      const group = batches.slice(0, count)
      for (const { deliver, fail } of group) {
        try {
          deliver!()
        } catch (error) {
          fail(error as Error)
        }
      }
      batches.splice(0, count)
      for (const { delivered } of group) delivered()
    }
  }
}

async function prepared(batch: Batch): Promise<void> {
  try {
    batch.deliver = await batch.prepare()
  } catch (error) {
    batch.deliver = () => batch.fail(error as Error)
  }
}
