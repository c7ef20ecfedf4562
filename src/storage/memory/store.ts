import BTreeModule from 'sorted-btree'
import { type Clock, systemClock } from '../../util/clock.js'
import { nextTurn, startSlice, takingTurns } from '../../util/turns.js'
import { type CompactionOptions, startAutoCompaction } from '../auto-compaction.js'
import {
  type CommitResult,
  CompactedError,
  FutureRevisionError,
  type KeyValue,
  type KeyVersion,
  type ListOptions,
  type ListResult,
  type ReadOptions,
  type Store,
  type StoredValues,
  type StoreEvent,
  type StoreImage,
  StoreUnavailableError,
  type VersionsOptions,
  type Watcher,
  type WatchHandle,
  type Write
} from '../contract.js'
import { Floors } from '../floors.js'
import { assertWrites, orderKey } from '../keys.js'
import { type History, watchFrom } from '../replay.js'
import { WatchHub } from '../watch-hub.js'

// The package is CommonJS: its default export is what Node imports as the module.
const BTree = BTreeModule.default

interface Entry {
  readonly key: string
  /** Whose it is to change: an entry of another owner is shared with an image, and copied before a change. */
  readonly owner: object
  /** Oldest first; never empty. */
  readonly versions: KeyVersion[]
}

type Entries = BTreeModule.default<string, Entry>

/**
 * Opens a store that keeps everything in memory: for tests, for servers that are thrown away, and to build a Store of your own on.
 * Former values are kept for the compaction interval, but beyond 16 MiB of them only those of the last 15 seconds.
 *
 * @example
 * const store = openMemoryStore()
 * const server = createServer({ store })
 * await server.start()
 * console.log((await store.list('/registry/namespaces/')).count)
 */
export const openMemoryStore = (options: CompactionOptions = {}): Store => new MemoryStore(options, empty())

/** What a store holds. An image has it as it was; the store goes on with a copy, which shares all that neither changes. */
interface Content {
  /** Sorted by orderKey(key), which is byte order. */
  readonly entries: Entries
  /** All events since the compaction, in order, without attachments. */
  readonly log: StoreEvent[]
  readonly revision: number
  readonly compactRevision: number
  readonly floors: Floors
  /** The bytes of values that were overwritten or deleted since the compaction. */
  readonly pastBytes: number
}

const empty = (): Content => ({
  entries: new BTree<string, Entry>(undefined, (a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  log: [],
  // as with etcd, an empty store is at revision 1, so that 0 can mean "any" in a resourceVersion
  revision: 1,
  compactRevision: 0,
  floors: new Floors(),
  pastBytes: 0
})

/** Takes time in proportion to the length of the log (a copy of its references), however many keys there are. */
const copyOf = (content: Content): Content => ({
  ...content,
  entries: content.entries.clone(),
  log: content.log.slice(),
  floors: content.floors.copy()
})

const imageOf = (content: Content): StoreImage => ({
  revision: content.revision,
  open: async ({ clock, compactionInterval } = {}) => new MemoryStore({ clock, compactionInterval }, copyOf(content)),
  async dispose() {}
})

/** From so many bytes of overwritten and deleted values on, the store compacts itself before its time. */
const mostPastBytes = 16 * 1024 * 1024
/** What is younger stays, however much it is: milliseconds. */
const youngMs = 15_000

/** Bytes that caches have beside the store's. */
const cachedBytes = 8 * 1024 * 1024

/** An image of keys as they were at a revision, without their history. */
export function memoryImage(items: Iterable<KeyValue>, revision: number): StoreImage {
  const { entries } = empty()
  const owner = {}
  for (const state of items) {
    const { key, modRevision } = state
    entries.set(orderKey(key), { key, owner, versions: [{ revision: modRevision, state }] })
  }
  return imageOf({ ...empty(), entries, revision, compactRevision: revision })
}

class MemoryStore implements Store, History {
  readonly root = '/registry'
  readonly shared = false
  /** Caches need not hold what is in memory already. */
  readonly values: StoredValues = {
    scan: (prefix, revision, take) => this.#scan(prefix, revision, take),
    read: (key, revision) => this.#valueAt(key, revision),
    last: true,
    cachedBytes
  }
  readonly #entries: Entries
  #owner = {}
  #log: StoreEvent[]
  readonly #hub = new WatchHub()
  #revision: number
  #compactRevision: number
  readonly #floors: Floors
  #closed = false
  readonly #compaction: { stop(): void }
  readonly #clock: Clock
  /** As `Content` has it. */
  #pastBytes: number
  /** Whether the store compacts itself. */
  readonly #forgets: boolean
  /** A revision, and when it was the newest. */
  #mark: { readonly revision: number; readonly time: number }

  constructor(options: CompactionOptions, { entries, log, revision, compactRevision, floors, pastBytes }: Content) {
    this.#entries = entries
    this.#log = log
    this.#revision = revision
    this.#compactRevision = compactRevision
    this.#floors = floors
    this.#compaction = startAutoCompaction(this, options)
    this.#clock = options.clock ?? systemClock
    this.#pastBytes = pastBytes
    this.#forgets = options.compactionInterval !== 0
    this.#mark = { revision, time: this.#clock.now() }
  }

  get revision(): number {
    return this.#revision
  }

  get compactRevision(): number {
    return this.#compactRevision
  }

  get seenRevision(): number {
    return this.#revision
  }

  currentRevision(): number {
    return this.#revision
  }

  async get(key: string, options: ReadOptions = {}): Promise<KeyValue | undefined> {
    const revision = this.#readable(options.revision, key)
    const entry = this.#entries.get(orderKey(key))
    return entry && at(entry, revision)
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    const revision = this.#readable(options.revision, prefix)
    const { limit = Number.POSITIVE_INFINITY, start = '' } = options
    const items: KeyValue[] = []
    let count = 0
    const ordered = orderKey(prefix)
    let from = orderKey(start)
    if (from < ordered) from = ordered
    for (const [order, entry] of this.#entries.entries(from)) {
      if (!order.startsWith(ordered)) break
      const state = at(entry, revision)
      if (state !== undefined && count++ < limit) items.push(state)
    }
    return { items, revision, count, more: count > items.length }
  }

  async versions(key: string, { from, before = Number.POSITIVE_INFINITY, limit }: VersionsOptions): Promise<KeyVersion[]> {
    this.#readable(from, key)
    const versions = this.#entries.get(orderKey(key))?.versions ?? []
    const found: KeyVersion[] = []
    for (let index = versions.length - 1; index >= 0 && found.length < limit; index--) {
      const { revision, state } = versions[index]!
      const isOldest = revision <= from
      if (revision < before && !(isOldest && !state)) found.push({ revision, state })
      if (isOldest) break
    }
    return found
  }

  async #scan(prefix: string, revision: number, take: (item: KeyValue) => void): Promise<void> {
    const { items } = await this.list(prefix, { revision })
    let sliceIsOver = startSlice()
    for (const item of items) {
      take(item)
      if (!sliceIsOver()) continue
      await nextTurn()
      sliceIsOver = startSlice()
    }
  }

  #valueAt(key: string, revision: number): Buffer {
    this.#assertOpen()
    const entry = this.#entries.get(orderKey(key))
    const state = entry && at(entry, revision)
    if (state?.modRevision !== revision)
      throw new StoreUnavailableError(`the store has no value of ${key} at revision ${revision}`)
    return state.value
  }

  async commit(writes: readonly Write[]): Promise<CommitResult> {
    assertWrites(writes)
    this.#assertOpen()
    for (const { key, value, expected } of writes) {
      const current = this.#entries.get(orderKey(key))?.versions.at(-1)?.state
      const asExpected = expected === undefined || expected === (current?.modRevision ?? 0)
      if (!asExpected || (value === undefined && current === undefined)) return { ok: false, key, current }
    }
    if (writes.length === 0) return { ok: true, revision: this.#revision }
    const revision = ++this.#revision
    const events = writes.map(write => this.#apply(write, revision))
    this.#hub.dispatch(events, revision)
    this.#countPast(events)
    return { ok: true, revision }
  }

  #countPast(events: readonly StoreEvent[]): void {
    for (const { previous } of events) this.#pastBytes += previous?.value.length ?? 0
    const now = this.#clock.now()
    if (!this.#forgets || now - this.#mark.time < youngMs) return
    const { revision } = this.#mark
    this.#mark = { revision: this.#revision, time: now }
    if (this.#pastBytes > mostPastBytes) void this.compact(revision)
  }

  #apply({ key, value, attachment }: Write, revision: number): StoreEvent {
    const order = orderKey(key)
    const entry = this.#own(order)
    const previous = entry?.versions.at(-1)?.state
    const current = value && {
      key: entry?.key ?? key,
      value: unpooled(value),
      createRevision: previous?.createRevision ?? revision,
      modRevision: revision,
      version: (previous?.version ?? 0) + 1
    }
    const version = { revision, state: current }
    if (entry) entry.versions.push(version)
    // most keys, those of Events, are written once: an array that grows would have room for 16 versions more
    else this.#entries.set(order, { key, owner: this.#owner, versions: [version] })
    const type = current ? 'put' : 'delete'
    // an attachment in the log would keep every object of the history in memory a second time
    this.#log.push({ type, key, current, previous, revision, attachment: undefined })
    return { type, key, current, previous, revision, attachment }
  }

  /** Returns the entry of a key, to be changed. */
  #own(order: string): Entry | undefined {
    const entry = this.#entries.get(order)
    if (!entry || entry.owner === this.#owner) return entry
    const own = { key: entry.key, owner: this.#owner, versions: entry.versions.slice() }
    this.#entries.set(order, own)
    return own
  }

  async watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle> {
    this.#assertOpen()
    this.#floors.assertWatchable(prefix, fromRevision)
    return watchFrom(this.#hub, this, prefix, fromRevision, watcher)
  }

  events(prefix: string, from: number): { events: StoreEvent[]; through: number } {
    this.#floors.assertWatchable(prefix, from)
    const sliceIsOver = startSlice()
    const events: StoreEvent[] = []
    for (let index = firstFrom(this.#log, from); index < this.#log.length; index++) {
      const event = this.#log[index]!
      if (event.key.startsWith(prefix)) events.push(event)
      const { revision } = event
      if (this.#log[index + 1]?.revision !== revision && sliceIsOver()) return { events, through: revision }
    }
    return { events, through: this.#revision }
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen()
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision)
    if (revision <= this.#compactRevision) return
    this.#compactRevision = revision
    const end = firstFrom(this.#log, revision)
    const gone = this.#log.slice(0, end)
    this.#log = this.#log.slice(end)
    let sliceIsOver = startSlice()
    for (const { key, previous } of gone) {
      this.#pastBytes -= previous?.value.length ?? 0
      this.#forget(key, revision)
      if (!sliceIsOver()) continue
      await nextTurn()
      sliceIsOver = startSlice()
    }
  }

  /** Drops the versions that reads at `revision` and later do not need. */
  #forget(key: string, revision: number): void {
    const order = orderKey(key)
    const versions = this.#own(order)?.versions
    if (versions === undefined) return
    let old = 0
    while (old + 1 < versions.length && versions[old + 1]!.revision <= revision) old++
    if (versions[old]!.state === undefined && versions[old]!.revision <= revision) old++
    versions.splice(0, old)
    if (versions.length === 0) this.#entries.delete(order)
  }

  async forget(prefix: string, before: number, chooses: (value: Buffer) => boolean): Promise<void> {
    this.#assertOpen()
    const ordered = orderKey(prefix)
    let floor = 0
    const turn = takingTurns()
    for (const order of this.#ordersBelow(ordered)) {
      const versions = this.#entries.get(order)?.versions ?? []
      const left = versions.filter(({ state }, i) => {
        const end = versions[i + 1]?.revision ?? before
        if (!state || end >= before || !chooses(state.value)) return true
        floor = Math.max(floor, end)
        return false
      })
      this.#floors.raise(prefix, floor)
      if (left.length < versions.length) this.#own(order)?.versions.splice(0, versions.length, ...left)
      await turn()
    }
    if (floor > 0) this.#log = this.#log.filter(({ key, revision }) => revision > floor || !key.startsWith(prefix))
  }

  #ordersBelow(ordered: string): string[] {
    const found: string[] = []
    for (const order of this.#entries.keys(ordered)) {
      if (!order.startsWith(ordered)) break
      found.push(order)
    }
    return found
  }

  async image(): Promise<StoreImage> {
    this.#assertOpen()
    const { revision, compactRevision } = this
    const floors = this.#floors
    const pastBytes = this.#pastBytes
    const image = copyOf({ entries: this.#entries, log: this.#log, revision, compactRevision, floors, pastBytes })
    this.#owner = {}
    return imageOf(image)
  }

  async health(): Promise<void> {
    this.#assertOpen()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#compaction.stop()
    this.#hub.close()
  }

  #readable(revision = this.#revision, path = ''): number {
    this.#assertOpen()
    if (revision < this.#compactRevision) throw new CompactedError(this.#compactRevision)
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision)
    this.#floors.assertReadable(path, revision)
    return revision
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreUnavailableError('the store is closed')
  }
}

/** A small buffer is a part of Node's pool, all of which it would keep in memory as long as the store has the value. */
function unpooled(value: Buffer): Buffer {
  if (value.buffer.byteLength === value.length) return value
  const copy = Buffer.allocUnsafeSlow(value.length)
  value.copy(copy)
  return copy
}

const at = ({ versions }: Entry, revision: number): KeyValue | undefined => {
  for (let index = versions.length - 1; index >= 0; index--) {
    const version = versions[index]!
    if (version.revision <= revision) return version.state
  }
  return undefined
}

/** Returns the index in the log at which the events of `revision` begin, or would begin. */
const firstFrom = (log: readonly StoreEvent[], revision: number): number => {
  let low = 0
  let high = log.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (log[middle]!.revision < revision) low = middle + 1
    else high = middle
  }
  return low
}
