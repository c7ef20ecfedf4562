import type { CacheCounts } from './cache-counts.js'
import { CompactedError, type Store, type StoreEvent, type Watcher, type WatchHandle } from './contract.js'
import { type CacheEvent, type CacheWatcher, Change, EventWindow, HistoryGoneError } from './event-window.js'
import { orderKey } from './keys.js'
import type { ObjectReader } from './object-reader.js'
import { inRange, newTree, type Tree } from './object-tree.js'
import { type Snapshot, Snapshots } from './snapshots.js'

/** What a cache shares with its history. */
interface Sources {
  readonly store: Store
  readonly prefix: string
  /** The revision at which this version of the resource was first served. No client has seen an older one. */
  readonly since: number
  readonly reader: ObjectReader
  readonly counts: CacheCounts
  readonly now: () => number
}

/** What the cache shows now. */
interface Present {
  tree(): Tree
  /** The number of objects whose key starts with a prefix: all, or those of a namespace. */
  sizeOf(prefix: string): number
}

/**
 * The past of a watch cache: its recent events, and states at earlier revisions for the later pages of lists. What the cache has
 * forgotten it asks of the store.
 */
export class CacheHistory {
  readonly #sources: Sources
  readonly #present: Present
  readonly #window: EventWindow
  readonly #snapshots = new Snapshots()

  constructor(sources: Sources, present: Present) {
    this.#sources = sources
    this.#present = present
    this.#window = new EventWindow(sources.store.values?.last)
  }

  /** Starts over: no event up to `revision` is known. */
  reset(revision: number): void {
    this.#window.reset(revision)
  }

  add(changes: readonly CacheEvent[], at: number): void {
    this.#snapshots.dropOld(at)
    this.#window.add(changes, at)
  }

  /** Returns the kept events after a revision. Throws HistoryGoneError when some may be missing. */
  eventsAfter(revision: number): readonly CacheEvent[] {
    return this.#window.after(revision)
  }

  /** Returns the state at a revision. Throws CompactedError when the cache has forgotten it: `recall` it first. */
  treeAt(revision: number): Tree {
    return this.#snapshots.get(revision)?.tree ?? this.#window.treeAt(revision, this.#present.tree())
  }

  /** Keeps the state that the next page of a list at `revision` needs. */
  keepForNextPage(revision: number): void {
    this.#snapshotAt(revision)
  }

  /**
   * Returns what queries at a revision have found, to be read and added to. It is forgotten together with the state of that
   * revision.
   */
  resultsAt(revision: number): Map<string, unknown> {
    return this.#snapshotAt(revision).results
  }

  #snapshotAt(revision: number): Snapshot {
    return this.#snapshots.get(revision) ?? this.#snapshots.keep(revision, this.treeAt(revision).clone(), this.#sources.now())
  }

  /**
   * Counts the objects from `next` on that the later pages of a list at `revision` will show. `shown` is the number of objects on
   * the page that began with `start`; undefined is a first page, which shows the present.
   */
  remaining(revision: number, prefix: string, next: string, shown: number, start: string | undefined): number {
    const { remaining } = this.#snapshotAt(revision)
    const known = remaining.get(prefix + next)
    if (known !== undefined) return known
    const before = start === undefined ? this.#present.sizeOf(prefix) : remaining.get(prefix + start)
    const count = before === undefined ? countFrom(this.treeAt(revision), prefix, next) : before - shown
    remaining.set(prefix + next, count)
    return count
  }

  /**
   * Reads a revision from the store that the cache has forgotten, so that `treeAt` has it. Returns undefined when the cache has it.
   * Throws or rejects with CompactedError once the store is compacted beyond the revision. That counts even if the cache still has it:
   * continue tokens expire with a compaction, whether or not the resource was written.
   */
  recall(revision: number): Promise<void> | undefined {
    const { compactRevision = 0 } = this.#sources.store
    if (revision < compactRevision) throw new CompactedError(compactRevision)
    return this.#snapshots.get(revision) || this.#window.reaches(revision) ? undefined : this.#recall(revision)
  }

  async #recall(revision: number): Promise<void> {
    const { store, prefix, counts, reader, now } = this.#sources
    const began = now()
    const { items } = await store.list(prefix, { revision })
    const tree = newTree()
    for (const item of items) {
      const present = this.#present.tree().get(orderKey(reader.keyOf(item)))
      const object = present?.revision === item.modRevision ? present : reader.past(item)
      if (object) tree.set(orderKey(object.key), object)
    }
    counts.countStored(items.length, (now() - began) / 1000)
    this.#snapshots.keep(revision, tree, now())
  }

  /**
   * Delivers events from the store's history, from `revision` on, when the cache has forgotten them. If the store is compacted beyond
   * `revision` alone, the events of that revision are left out. Rejects with HistoryGoneError when later ones are gone, too.
   * Calls `onPresent` in the turn in which the events reach what the cache shows: a watch of the cache can continue from there.
   * `prefix` is within the cache's own.
   */
  async replay(
    revision: number,
    prefix: string,
    watcher: CacheWatcher & Pick<Watcher, 'pace'> & { onPresent(): void }
  ): Promise<WatchHandle> {
    const { store, since, prefix: own } = this.#sources
    if (revision < since) throw new HistoryGoneError(revision, since)
    let present = false
    let handle: WatchHandle | undefined
    try {
      const { compactRevision = 0 } = store
      const from = revision < compactRevision ? revision + 1 : revision
      handle = await store.watch(own + prefix, from, {
        onEvents: events => {
          if (!present) watcher.onEvents(events.flatMap(event => this.#replayed(event)))
        },
        onCaughtUp: () => {
          present = true
          handle?.close()
          watcher.onPresent()
        },
        pace: () => watcher.pace?.(),
        onError: error => {
          if (!present) watcher.onError(goneFor(error, revision))
        }
      })
    } catch (error) {
      throw goneFor(error as Error, revision)
    }
    if (present) handle.close()
    return handle
  }

  #replayed({ revision, current, previous }: StoreEvent): CacheEvent[] {
    const { reader, now } = this.#sources
    const [after, before] = [reader.past(current), reader.past(previous)]
    return after || before ? [new Change(revision, after, before, now(), reader.asDeleted)] : []
  }
}

const goneFor = (error: Error, revision: number): Error =>
  error instanceof CompactedError ? new HistoryGoneError(revision, error.compactRevision) : error

function countFrom(tree: Tree, prefix: string, start: string): number {
  let count = 0
  for (const _ of inRange(tree, prefix, start)) count++
  return count
}
