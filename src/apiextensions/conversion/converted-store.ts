/**
 * The store of one version of a custom resource whose definition has a conversion webhook: all values are in that version. A
 * conversion takes a round trip, so the seen revision trails the stored one, as with a distributed store.
 */
import type {
  Caller,
  CommitResult,
  Converting,
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
import { DeliveryQueue } from '../../storage/delivery-queue.js'
import { ConversionError } from './webhook.js'

/** Converts values in both directions. Keeps their order. */
export interface ValueConverter {
  /** Whether a stored value is of the storage version. */
  isCurrent(value: Buffer): boolean
  /** Converts stored values to the version. */
  read(values: readonly Buffer[]): Promise<Buffer[]>
  /** Converts the version's values to their stored form. */
  write(values: readonly Buffer[]): Promise<Buffer[]>
}

export class ConvertedStore implements Store, Converting {
  readonly root: string
  readonly shared = true
  readonly #store: Store
  readonly #converter: ValueConverter
  readonly #queue: DeliveryQueue

  constructor(store: Store, converter: ValueConverter) {
    this.root = store.root
    this.#store = store
    this.#converter = converter
    this.#queue = new DeliveryQueue(store)
  }

  get seenRevision(): number {
    return this.#queue.seenRevision
  }

  async currentRevision(): Promise<number> {
    const revision = await this.#store.currentRevision()
    await this.#queue.delivered
    return revision
  }

  async get(key: string, options?: ReadOptions): Promise<KeyValue | undefined> {
    const found = await this.#store.get(key, options)
    return found && (await this.#shown([found], options))[0]
  }

  async list(prefix: string, options?: ListOptions): Promise<ListResult> {
    const result = await this.#store.list(prefix, options)
    return { ...result, items: await this.#shown(result.items, options) }
  }

  get below(): Store {
    return this.#store
  }

  async converted(writes: readonly Write[]): Promise<Write[]> {
    const puts = writes.filter(write => write.value !== undefined)
    const values = await this.#converter.write(puts.map(write => write.value!))
    const stored = new Map(puts.map((write, i) => [write, values[i]!]))
    // the attachment is dropped, because the cached object is known only after the conversion back
    return writes.map(write => ({ ...write, value: stored.get(write), attachment: undefined }))
  }

  async rehearsed(value: Buffer): Promise<Buffer> {
    const [shown] = await this.#converter.read(await this.#converter.write([value]))
    return shown!
  }

  async commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    const result = await this.#store.commit(await this.converted(writes), caller)
    await this.#queue.delivered
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
        this.#queue.add(before, fail, async () => {
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
        if (this.#queue.isEmpty) tell()
        else this.#queue.add(0, fail, async () => tell)
      },
      pace: () => this.#queue.delivered.then(() => (closed ? undefined : watcher.pace?.())),
      onError: fail
    })
    return {
      close() {
        closed = true
        handle.close()
      }
    }
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

  async #shown(items: readonly KeyValue[], options: ReadOptions = {}): Promise<KeyValue[]> {
    try {
      return await this.#shownTogether(items)
    } catch (error) {
      if (!options.marked || !(error instanceof ConversionError)) throw error
      return this.#marked(items)
    }
  }

  /** Converts one value after the other, until the webhook does not answer: it would not for those behind it. */
  async #marked(items: readonly KeyValue[]): Promise<KeyValue[]> {
    const shown: KeyValue[] = []
    for (const [i, item] of items.entries()) {
      try {
        shown.push(...(await this.#shownTogether([item])))
      } catch (error) {
        if (!(error instanceof ConversionError)) throw error
        const { message: unconverted } = error
        if (error.isUnanswered) return [...shown, ...items.slice(i).map(item => ({ ...item, unconverted }))]
        shown.push({ ...item, unconverted })
      }
    }
    return shown
  }

  async #shownTogether(items: readonly KeyValue[]): Promise<KeyValue[]> {
    const readable = items.filter(item => item.unreadable === undefined)
    const values = await this.#converter.read(readable.map(item => item.value))
    const shown = new Map(
      readable.map((item, i) => [
        item,
        { ...item, value: values[i]!, stale: item.stale || !this.#converter.isCurrent(item.value) }
      ])
    )
    return items.map(item => shown.get(item) ?? item)
  }

  isStale(key: string): boolean | Promise<boolean> {
    return this.#store.isStale?.(key) ?? false
  }

  get compactRevision(): number | undefined {
    return this.#store.compactRevision
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
