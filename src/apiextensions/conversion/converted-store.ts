/**
 * The store of one version of a custom resource whose definition has a conversion webhook: all values are in that version. A
 * conversion takes a round trip, so the seen revision trails the stored one, as with a distributed store.
 */
import type {
  Caller,
  CommitResult,
  Converting,
  KeyValue,
  KeyVersion,
  ListOptions,
  ListResult,
  ReadOptions,
  Store,
  StoreEvent,
  Write
} from '../../storage/contract.js'
import { type Shown, TransformingStore } from '../../storage/transforming-store.js'
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

export class ConvertedStore extends TransformingStore implements Converting {
  override readonly shared = true
  readonly versions?: NonNullable<Store['versions']>
  readonly #converter: ValueConverter

  constructor(store: Store, converter: ValueConverter) {
    super(store)
    this.#converter = converter
    if (store.versions) this.versions = (key, options) => this.#versions(store.versions!(key, options))
  }

  override async get(key: string, options?: ReadOptions): Promise<KeyValue | undefined> {
    const found = await this.below.get(key, options)
    return found && (await this.#shown([found], options))[0]
  }

  override async list(prefix: string, options?: ListOptions): Promise<ListResult> {
    const result = await this.below.list(prefix, options)
    return { ...result, items: await this.#shown(result.items, options) }
  }

  async #versions(found: Promise<readonly KeyVersion[]>): Promise<KeyVersion[]> {
    const versions = await found
    const shown = await this.#shown(versions.flatMap(({ state }) => state ?? []))
    let next = 0
    return versions.map(({ revision, state }) => ({ revision, state: state && shown[next++] }))
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

  override async commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    const result = await this.below.commit(await this.converted(writes), caller)
    await this.queue.delivered
    if (result.ok || !result.current) return result
    return { ...result, current: (await this.#shown([result.current]))[0] }
  }

  protected override show(events: readonly StoreEvent[]): Shown {
    return () => this.#events(events)
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

  /** Does nothing: the server closes the underlying store. */
  override async close(): Promise<void> {}
}
