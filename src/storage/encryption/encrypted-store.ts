/**
 * A store whose values lie encrypted in another one. Keys stay as they are.
 *
 * Values are decrypted in the turn in which they arrive, unless a KMS plugin has to decrypt a seed first: then they, and all events
 * after them, wait. Values that this process writes come back to its watchers without being decrypted.
 */
import type {
  Caller,
  CommitResult,
  KeyValue,
  KeyVersion,
  ListOptions,
  ListResult,
  ReadOptions,
  Store,
  StoreEvent,
  WatchHandle,
  Write
} from '../contract.js'
import { type Shown, TransformingStore } from '../transforming-store.js'
import type { Encryption } from './resources.js'
import { TransformError } from './transformer.js'

/** For how many values of a list seeds are fetched at a time. */
const listSlice = 500

/** What a write passes through the underlying store to the watchers of this process. */
class Sealed {
  readonly value: Buffer
  readonly attachment: unknown

  constructor(value: Buffer, attachment: unknown) {
    this.value = value
    this.attachment = attachment
  }
}

export class EncryptedStore extends TransformingStore {
  readonly versions?: NonNullable<Store['versions']>
  readonly #encryptionOf: (key: string) => Encryption | undefined
  #scout: WatchHandle | undefined
  #closed = false

  /** `encryptionOf` returns how the value of a key is encrypted; undefined for a value that is not. */
  constructor(store: Store, encryptionOf: (key: string) => Encryption | undefined) {
    super(store)
    this.#encryptionOf = encryptionOf
    if (store.versions) this.versions = (key, options) => this.#versions(store.versions!(key, options))
  }

  override async get(key: string, options?: ReadOptions): Promise<KeyValue | undefined> {
    const found = await this.below.get(key, options)
    if (!found) return undefined
    const pending = this.#pending(found)
    if (pending) await pending
    return this.#decrypted(found)
  }

  override async list(prefix: string, options?: ListOptions): Promise<ListResult> {
    const result = await this.below.list(prefix, options)
    const items: KeyValue[] = []
    for (let from = 0; from < result.items.length; from += listSlice) {
      const slice = result.items.slice(from, from + listSlice)
      const pending = slice.map(item => this.#pending(item)).filter(promise => promise !== undefined)
      if (pending.length > 0) await Promise.all(pending)
      for (const item of slice) items.push(this.#decrypted(item))
    }
    return { ...result, items }
  }

  async #versions(found: Promise<readonly KeyVersion[]>): Promise<KeyVersion[]> {
    const versions = await found
    await Promise.all(versions.map(({ state }) => state && this.#pending(state)))
    return versions.map(({ revision, state }) => ({ revision, state: state && this.#decrypted(state) }))
  }

  override async isStale(key: string): Promise<boolean> {
    return this.#encryptionOf(key) !== undefined && (await this.get(key))?.stale === true
  }

  override async commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    const result = await this.below.commit(this.#encrypted(writes), caller)
    if (!this.queue.isEmpty) await this.queue.delivered
    if (result.ok || !result.current) return result
    const pending = this.#pending(result.current)
    if (pending) await pending
    return { ...result, current: this.#decrypted(result.current) }
  }

  #encrypted(writes: readonly Write[]): readonly Write[] {
    let encrypted: Write[] | undefined
    for (const [i, write] of writes.entries()) {
      const { key, value, attachment } = write
      const encryption = value && this.#encryptionOf(key)
      if (!encryption) continue
      encrypted ??= [...writes]
      const data = encryption.transformer.encrypt(value, { key, resource: encryption.resource })
      encrypted[i] = { ...write, value: data, attachment: new Sealed(value, attachment) }
    }
    return encrypted ?? writes
  }

  /** Fetches what decrypting a value needs. Returns undefined when nothing is missing. */
  #pending(item: KeyValue): Promise<void> | undefined {
    return this.#encryptionOf(item.key)?.transformer.prepare?.(item.value)
  }

  #decrypted(item: KeyValue): KeyValue {
    const encryption = this.#encryptionOf(item.key)
    if (!encryption) return item
    const { key, createRevision, modRevision, version } = item
    try {
      const { value, stale } = encryption.transformer.decrypt(item.value, { key, resource: encryption.resource })
      // a field without content is left out
      return stale
        ? { key, value, createRevision, modRevision, version, stale }
        : { key, value, createRevision, modRevision, version }
    } catch (error) {
      if (!(error instanceof TransformError)) throw error
      return { ...item, unreadable: error.message }
    }
  }

  /** Returns the events as watchers see them; the same array when nothing is encrypted. */
  #shown(events: readonly StoreEvent[]): readonly StoreEvent[] {
    let shown: StoreEvent[] | undefined
    for (const [i, event] of events.entries()) {
      if (!this.#encryptionOf(event.key)) continue
      shown ??= [...events]
      shown[i] = new DecryptedEvent(event, item => this.#decrypted(item))
    }
    return shown ?? events
  }

  /** Fetches what decrypting the values of events needs. Returns undefined when nothing is missing. */
  #pendingOf(events: readonly StoreEvent[]): Promise<unknown> | undefined {
    let all: Promise<void>[] | undefined
    for (const event of events) {
      if (!this.#encryptionOf(event.key)?.transformer.prepare) continue
      const states = event.attachment instanceof Sealed ? [event.previous] : [event.current, event.previous]
      for (const state of states) {
        const pending = state && this.#pending(state)
        if (pending) (all ??= []).push(pending)
      }
    }
    return all && Promise.all(all)
  }

  /**
   * Fetches the seeds of new events before any watcher is given them, so that all watchers have the same seen revision. To be called
   * once there may be values that need it.
   */
  async prepareEvents(): Promise<void> {
    if (this.#scout || this.#closed) return
    // the watchers of all keys come first
    this.#scout = await this.below.watch('', this.below.seenRevision + 1, {
      onEvents: events => {
        const pending = this.#pendingOf(events)
        if (pending) this.#wait(events, pending)
      },
      onError: () => {
        this.#scout = undefined
        if (!this.#closed) setImmediate(() => void this.prepareEvents().catch(() => {}))
      }
    })
  }

  #wait(events: readonly StoreEvent[], pending: Promise<unknown>): void {
    this.queue.add(
      events[0]!.revision - 1,
      () => {},
      async () => {
        await pending
        return () => {}
      }
    )
  }

  protected override show(events: readonly StoreEvent[], isPresent: boolean): Shown {
    // the seeds of present events are fetched by `prepareEvents`
    const pending = isPresent ? undefined : this.#pendingOf(events)
    if (!pending && this.queue.isEmpty) return this.#shown(events)
    return async () => {
      if (pending) await pending
      return this.#shown(events)
    }
  }

  override async close(): Promise<void> {
    this.#closed = true
    this.#scout?.close()
    await this.below.close()
  }
}

/** An event whose parts are decrypted only when they are looked at: most watchers keep the former state themselves. */
class DecryptedEvent implements StoreEvent {
  readonly type: 'put' | 'delete'
  readonly key: string
  readonly revision: number
  readonly current: KeyValue | undefined
  readonly attachment: unknown
  readonly #event: StoreEvent
  readonly #decrypt: (item: KeyValue) => KeyValue
  #previous: KeyValue | undefined
  #hasPrevious = false

  constructor(event: StoreEvent, decrypt: (item: KeyValue) => KeyValue) {
    const { attachment, current } = event
    const isOwn = attachment instanceof Sealed
    this.type = event.type
    this.key = event.key
    this.revision = event.revision
    this.current = current && (isOwn ? { ...current, value: attachment.value } : decrypt(current))
    this.attachment = isOwn ? attachment.attachment : attachment
    this.#event = event
    this.#decrypt = decrypt
  }

  get previous(): KeyValue | undefined {
    if (!this.#hasPrevious) {
      const { previous } = this.#event
      this.#previous = previous && this.#decrypt(previous)
      this.#hasPrevious = true
    }
    return this.#previous
  }
}
