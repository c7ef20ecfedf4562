/** The recent events of a watch cache: for clients that reconnect, and for lists at a recent revision. */
import type { CachedObject } from './cached-object.js'
import { CompactedError } from './contract.js'
import { orderKey } from './keys.js'
import type { Tree } from './object-tree.js'

/** A change of one object. `current` is undefined for a deletion, `previous` for a creation. */
export interface CacheEvent {
  readonly revision: number
  readonly current: CachedObject | undefined
  readonly previous: CachedObject | undefined
  /** When the event arrived, in milliseconds since 1970. */
  readonly at: number
  /** For a deletion: the last state, with the deletion's revision. */
  readonly deleted: CachedObject | undefined
}

/** An event that builds the last state of a deleted object only when a watcher needs it. */
export class Change implements CacheEvent {
  readonly revision: number
  readonly current: CachedObject | undefined
  readonly previous: CachedObject | undefined
  readonly at: number
  readonly #asDeleted: (object: CachedObject, revision: number) => CachedObject
  #deleted: CachedObject | undefined

  constructor(
    revision: number,
    current: CachedObject | undefined,
    previous: CachedObject | undefined,
    at: number,
    asDeleted: (object: CachedObject, revision: number) => CachedObject
  ) {
    this.revision = revision
    this.current = current
    this.previous = previous
    this.at = at
    this.#asDeleted = asDeleted
  }

  get deleted(): CachedObject | undefined {
    if (this.current || !this.previous) return undefined
    return (this.#deleted ??= this.#asDeleted(this.previous, this.revision))
  }
}

/** The memory that forgetting the event frees: others keep the present state. */
const bytesHeld = ({ previous }: CacheEvent): number => previous?.length ?? 0

export interface CacheWatcher {
  /** Events of one commit batch, in order. Must not throw. */
  onEvents(events: readonly CacheEvent[]): void
  onError(error: Error): void
}

/** The requested history is no longer available. `oldest` is the oldest revision from which a watch can still start. */
export class HistoryGoneError extends Error {
  readonly requested: number
  readonly oldest: number
  constructor(requested: number, oldest: number) {
    super(`too old resource version: ${requested} (${oldest})`)
    this.requested = requested
    this.oldest = oldest
  }
}

/** How long events are kept, so that a reconnecting client can resume. Too many events, or too large ones, are dropped earlier. */
const freshMs = 75_000
const minEvents = 100
export const maxEvents = 20_000
/** Bytes of former states that the events may retain. Watches from older revisions are served from the store's history. */
const maxEventBytes = 8 * 1024 * 1024
/** The same, where that history is in memory, too. */
const maxEventBytesBesideHistory = 1024 * 1024

export class EventWindow {
  readonly #maxBytes: number
  #events: CacheEvent[] = []
  #bytes = 0
  /** Events at or before this revision are forgotten. */
  #forgotten = 0

  /** `isHistoryNear`: whether the store has its history in memory. */
  constructor(isHistoryNear = false) {
    this.#maxBytes = isHistoryNear ? maxEventBytesBesideHistory : maxEventBytes
  }

  /** Starts over: nothing up to `revision` is known. */
  reset(revision: number): void {
    this.#events = []
    this.#bytes = 0
    this.#forgotten = revision
  }

  add(changes: readonly CacheEvent[], now: number): void {
    for (const change of changes) {
      this.#events.push(change)
      this.#bytes += bytesHeld(change)
    }
    this.#trim(now)
  }

  #trim(now: number): void {
    const events = this.#events
    if (events.length <= minEvents) return
    const atLeast = events.length - maxEvents
    const last = events.length - minEvents
    let held = this.#bytes
    let drop = 0
    while (drop < last && (drop < atLeast || held > this.#maxBytes || events[drop]!.at < now - freshMs))
      held -= bytesHeld(events[drop++]!)
    // in large steps: shifting an array takes time in proportion to its length
    if (drop < Math.min(256, events.length >> 2)) return
    this.#forgotten = events[drop - 1]!.revision
    this.#events = events.slice(drop)
    this.#bytes = held
  }

  /** Whether the window holds every event after a revision. */
  reaches(revision: number): boolean {
    return revision >= this.#forgotten
  }

  /** Returns the events after a revision. Throws HistoryGoneError when some may be missing. */
  after(revision: number): readonly CacheEvent[] {
    if (!this.reaches(revision)) throw new HistoryGoneError(revision, this.#forgotten)
    return this.#events.slice(this.#firstAfter(revision))
  }

  /**
   * Rebuilds the state at a revision from the present one. Throws CompactedError when the window does not reach that far back.
   */
  treeAt(revision: number, present: Tree): Tree {
    if (!this.reaches(revision)) throw new CompactedError(this.#forgotten)
    const first = this.#firstAfter(revision)
    if (first === this.#events.length) return present
    const tree = present.clone()
    for (let i = this.#events.length - 1; i >= first; i--) {
      const { current, previous } = this.#events[i]!
      if (previous) tree.set(orderKey(previous.key), previous)
      else if (current) tree.delete(orderKey(current.key))
    }
    return tree
  }

  /** Returns the index of the first event after a revision. */
  #firstAfter(revision: number): number {
    let low = 0
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#events[middle]!.revision > revision) high = middle
      else low = middle + 1
    }
    return low
  }
}
