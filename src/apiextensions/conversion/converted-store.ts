/**
 * The store of one version of a custom resource whose definition has a conversion webhook: all values are in that version. A
 * conversion takes a round trip, so the seen revision trails the stored one, as with a distributed store.
 */
import type {
  Caller,
  CommitResult,
  KeyValue,
  ListOptions,
  ListResult,
  ReadOptions,
  Store,
  StoreEvent,
  Watcher,
  WatchHandle,
  Write
} from '../../storage/contract.js'

/** Converts values in both directions. Keeps their order. */
export interface ValueConverter {
  /** Whether a stored value is of the storage version. */
  isCurrent(value: Buffer): boolean
  /** Converts stored values to the version. */
  read(values: readonly Buffer[]): Promise<Buffer[]>
  /** Converts the version's values to their stored form. */
  write(values: readonly Buffer[]): Promise<Buffer[]>
}

export class ConvertedStore implements Store {
  readonly root: string
  readonly shared = true
  readonly #store: Store
  readonly #converter: ValueConverter
  /** Resolves when all events received so far have been converted and delivered. */
  #delivered: Promise<void> = Promise.resolve()
  /** How many batches of events wait for their delivery. */
  #waiting = 0
  /** The seen revision while batches wait. */
  #seen = 0

  constructor(store: Store, converter: ValueConverter) {
    this.root = store.root
    this.#store = store
    this.#converter = converter
  }

  get seenRevision(): number {
    return this.#waiting === 0 ? this.#store.seenRevision : this.#seen
  }

  async currentRevision(): Promise<number> {
    const revision = await this.#store.currentRevision()
    await this.#delivered
    return revision
  }

  async get(key: string, options?: ReadOptions): Promise<KeyValue | undefined> {
    const found = await this.#store.get(key, options)
    return found && (await this.#shown([found]))[0]
  }

  async list(prefix: string, options?: ListOptions): Promise<ListResult> {
    const result = await this.#store.list(prefix, options)
    return { ...result, items: await this.#shown(result.items) }
  }

  async commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    const puts = writes.filter(write => write.value !== undefined)
    const values = await this.#converter.write(puts.map(write => write.value!))
    const stored = new Map(puts.map((write, i) => [write, values[i]!]))
    const result = await this.#store.commit(
      // the attachment is dropped, because the cached object is known only after the conversion back
      writes.map(write => ({ ...write, value: stored.get(write), attachment: undefined })),
      caller
    )
    await this.#delivered
    if (result.ok || !result.current) return result
    return { ...result, current: (await this.#shown([result.current]))[0] }
  }

  async watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle> {
    let closed = false
    let live = false
    const fail = (error: Error) => {
      if (closed) return
      closed = true
      handle?.close()
      watcher.onError(error)
    }
    let handle: WatchHandle | undefined
    handle = await this.#store.watch(prefix, fromRevision, {
      onEvents: (events, revision) => {
        // events of the past do not lower the seen revision
        const before = live ? events[0]!.revision - 1 : this.#store.seenRevision
        this.#enqueue(before, fail, async () => {
          const shown = closed ? [] : await this.#events(events)
          return () => {
            if (!closed) watcher.onEvents(shown, revision)
          }
        })
      },
      onCaughtUp: () => {
        live = true
        const tell = () => {
          if (!closed) watcher.onCaughtUp?.()
        }
        if (this.#waiting === 0) tell()
        else this.#enqueue(0, fail, async () => tell)
      },
      pace: () => this.#delivered.then(() => (closed ? undefined : watcher.pace?.())),
      onError: fail
    })
    return {
      close() {
        closed = true
        handle.close()
      }
    }
  }

  /**
   * Delivers batches of events in the order of the underlying store, across all watchers. After the delivery of a batch, the seen
   * revision is the one that the underlying store had when the batch arrived. `before` is the seen revision until then, if no
   * other batch waits.
   */
  #enqueue(before: number, fail: (error: Error) => void, prepare: () => Promise<() => void>): void {
    if (this.#waiting++ === 0) this.#seen = Math.max(this.#seen, before)
    const shown = this.#store.seenRevision
    this.#delivered = this.#delivered
      .then(prepare)
      .then(deliver => {
        this.#seen = Math.max(this.#seen, shown)
        deliver()
      })
      .catch(fail)
      .finally(() => this.#waiting--)
  }

  async #events(events: readonly StoreEvent[]): Promise<StoreEvent[]> {
    const states = events.flatMap(({ current, previous }) => [current, previous].filter(state => state !== undefined))
    const shown = new Map((await this.#shown(states)).map((state, i) => [states[i], state]))
    return events.map(event => ({
      ...event,
      attachment: undefined,
      current: shown.get(event.current),
      previous: shown.get(event.previous)
    }))
  }

  async #shown(items: readonly KeyValue[]): Promise<KeyValue[]> {
    const values = await this.#converter.read(items.map(item => item.value))
    return items.map((item, i) => ({ ...item, value: values[i]!, stale: !this.#converter.isCurrent(item.value) }))
  }

  compact(revision: number): Promise<void> {
    return this.#store.compact(revision)
  }

  health(timeoutMs?: number): Promise<void> {
    return this.#store.health(timeoutMs)
  }

  /** Does nothing: the server closes the underlying store. */
  async close(): Promise<void> {}
}
