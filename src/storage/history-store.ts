/**
 * A store that remembers: it keeps the history of the engine below for a window of time and bytes, and who wrote each revision when.
 *
 * With every commit it writes one key of a journal, in the same transaction. A key of the journal is overwritten by commit after
 * commit until it is old or full, so that the engine's own history of that key is the record: its value at a revision is that of the
 * commit. The key's first revision and its newest value, which counts bytes, suffice to know what history there is.
 */
import { randomBytes } from 'node:crypto'
import { type Clock, systemClock, type Timer } from '../util/clock.js'
import {
  type Caller,
  type CommitResult,
  CompactedError,
  FutureRevisionError,
  type Store,
  type StoredValues,
  type StoreImage,
  StoreUnavailableError,
  type Write
} from './contract.js'
import { StoreWrapper } from './store-wrapper.js'

/** How much history is kept: for how long, and how many bytes of values were written meanwhile at most. */
export interface HistoryWindow {
  /** Milliseconds. */
  readonly age: number
  readonly bytes: number
}

/** Who wrote a revision, and when. */
export interface Written {
  readonly revision: number
  /** Milliseconds of the epoch. */
  readonly time: number
  /** "" where the server wrote without a request. */
  readonly user: string
}

export interface HistoryOptions {
  readonly window: HistoryWindow
  readonly clock?: Clock | undefined
  /** Values that are kept no longer than without history: those below a prefix that are not encrypted. */
  readonly confidential?: { readonly prefix: string; readonly isEncrypted: (value: Buffer) => boolean } | undefined
  /** Whether the store forgets by itself, as etcd does, so that the window cannot be longer than it likes. */
  readonly forgetsItself?: boolean | undefined
}

interface Page {
  readonly key: string
  /** The revision of its first commit; undefined until that is durable. */
  first: number | undefined
  readonly begun: number
  last: number
  bytes: number
  commits: number
}

const journal = '/binnacle/history/'
/** The most commits of a page: a read at a revision may follow as many back. */
const maxCommits = 256
/** Of how many pages a window consists at least. */
const pagesPerWindow = 16
const ownBytes = 120
/** For how many milliseconds what is confidential is kept: as long as everything without history. */
const confidentialAge = 5 * 60_000

export class HistoryStore extends StoreWrapper {
  readonly window: HistoryWindow
  readonly forgetsItself: boolean
  readonly values?: StoredValues
  readonly image?: () => Promise<StoreImage>
  readonly versions?: NonNullable<Store['versions']>
  readonly #confidential: HistoryOptions['confidential']
  readonly #clock: Clock
  readonly #pages: Page[]
  readonly #suffix = randomBytes(4).toString('hex')
  #timer: Timer | undefined
  #pagesMade = 0
  #trimming: Promise<void> | undefined
  #nextTrim: Promise<void> | undefined
  #closed = false

  private constructor(below: Store, options: HistoryOptions, pages: Page[]) {
    super(below)
    this.window = options.window
    this.forgetsItself = options.forgetsItself ?? false
    this.#clock = options.clock ?? systemClock
    this.#pages = pages
    this.#confidential = options.confidential
    if (below.values) this.values = below.values
    if (below.versions) this.versions = (key, options) => below.versions!(key, options)
    if (below.image) this.image = () => below.image!()
    this.#schedule()
  }

  /** Reads what the journal in the store has, so that history goes on after a restart. */
  static async open(below: Store, options: HistoryOptions): Promise<HistoryStore> {
    const { items } = await below.list(journal)
    const pages = items.map(({ key, value, createRevision, version }): Page => {
      const { t, b } = entryOf(value)
      return {
        key,
        first: createRevision,
        begun: Number(key.slice(journal.length, journal.length + 13)),
        last: t,
        bytes: b,
        commits: version
      }
    })
    pages.sort((a, b) => a.first! - b.first!)
    return new HistoryStore(below, options, pages)
  }

  override async commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    if (writes.length === 0) return this.below.commit(writes, caller)
    const now = this.#clock.now()
    const page = this.#page(now)
    page.commits++
    page.last = now
    page.bytes += ownBytes
    for (const { key, value } of writes) page.bytes += key.length + (value?.length ?? 0)
    const entry = JSON.stringify({ t: now, u: caller?.user?.name ?? '', b: page.bytes })
    const result = await this.below.commit([...writes, { key: page.key, value: Buffer.from(entry) }], caller)
    if (result.ok) page.first = Math.min(page.first ?? result.revision, result.revision)
    return result
  }

  /** Returns the page for the next commit. */
  #page(now: number): Page {
    const { age, bytes } = this.window
    const newest = this.#pages.at(-1)
    const isOwn = newest?.key.includes(this.#suffix)
    if (
      isOwn &&
      newest!.commits < maxCommits &&
      now - newest!.begun < age / pagesPerWindow &&
      newest!.bytes < bytes / pagesPerWindow
    )
      return newest!
    const key = `${journal}${String(now).padStart(13, '0')}-${this.#suffix}-${this.#pagesMade++}`
    const page: Page = { key, first: undefined, begun: now, last: now, bytes: 0, commits: 0 }
    this.#pages.push(page)
    if (this.bytes > bytes) void this.trim()
    return page
  }

  /** The bytes that were written within the window. */
  get bytes(): number {
    return this.#pages.reduce((sum, page) => sum + page.bytes, 0)
  }

  /** The oldest revision and time that history reaches back to; undefined while nothing has been written. */
  get since(): { readonly revision: number; readonly time: number } | undefined {
    const first = this.#pages.find(page => page.first !== undefined)
    if (!first) return undefined
    const revision = Math.max(first.first!, this.below.compactRevision ?? 0)
    return { revision, time: first.begun }
  }

  /** Who wrote a revision, and when; undefined when that is not known. */
  async writtenAt(revision: number): Promise<Written | undefined> {
    const page = this.#pageOf(({ first }) => first !== undefined && first <= revision)
    const found = page && (await this.below.get(page.key, { revision }))
    if (found?.modRevision !== revision) return undefined
    const { t, u } = entryOf(found.value)
    return { revision, time: t, user: u }
  }

  /** The revision that was the newest at a time. Throws CompactedError for a time before the history. */
  async revisionAt(time: number): Promise<number> {
    const { seenRevision } = this
    if (time >= this.#clock.now()) return seenRevision
    const page = this.#pageOf(({ first, begun }) => first !== undefined && begun <= time)
    if (!page) throw new CompactedError(this.since?.revision ?? seenRevision)
    const next = this.#pages[this.#pages.indexOf(page) + 1]?.first
    let low = Math.max(page.first!, this.below.compactRevision ?? 0)
    let high = next === undefined ? seenRevision : next - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const found = await this.below.get(page.key, { revision: middle })
      if (found && entryOf(found.value).t > time) high = middle - 1
      else low = middle
    }
    const found = await this.below.get(page.key, { revision: low })
    if (found && entryOf(found.value).t > time) throw new CompactedError(low)
    return low
  }

  #pageOf(fits: (page: Page) => boolean): Page | undefined {
    let low = 0
    let high = this.#pages.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (fits(this.#pages[middle]!)) low = middle + 1
      else high = middle
    }
    return this.#pages[low - 1]
  }

  #schedule(): void {
    const wait = Math.max(1000, Math.min(60_000, this.window.age / pagesPerWindow))
    this.#timer = this.#clock.setTimeout(() => {
      if (this.#closed) return
      this.#schedule()
      void this.trim()
    }, wait)
  }

  /** Forgets what is beyond the window, the oldest first. One that is under way is followed by another, for what came since. */
  trim(): Promise<void> {
    if (this.#trimming) {
      this.#nextTrim ??= this.#trimming.then(() => {
        this.#nextTrim = undefined
        return this.trim()
      })
      return this.#nextTrim
    }
    this.#trimming = this.#trim().finally(() => {
      this.#trimming = undefined
    })
    return this.#trimming
  }

  async #forgetConfidential(): Promise<void> {
    const confidential = this.#confidential
    const time = this.#clock.now() - confidentialAge
    if (!confidential || !this.below.forget || (this.since?.time ?? Number.POSITIVE_INFINITY) > time) return
    const { prefix, isEncrypted } = confidential
    await this.below.forget(prefix, (await this.revisionAt(time)) + 1, value => !isEncrypted(value))
  }

  async #trim(): Promise<void> {
    const { age, bytes } = this.window
    const before = this.#clock.now() - age
    let rest = this.bytes
    let gone = 0
    while (gone < this.#pages.length - 1 && (this.#pages[gone + 1]!.begun <= before || rest > bytes))
      rest -= this.#pages[gone++]!.bytes
    const left = this.#pages[gone]
    const isOver = left !== undefined && gone === this.#pages.length - 1 && left.last < before && left.first !== undefined
    try {
      await this.#forgetConfidential()
      const floor = isOver ? this.seenRevision : gone > 0 ? left!.first : undefined
      if (floor === undefined) return
      const removed = this.#pages.slice(0, gone)
      if (removed.length > 0)
        await this.below.commit(removed.filter(({ first }) => first !== undefined).map(({ key }) => ({ key, value: undefined })))
      this.#pages.splice(0, gone)
      if (!this.forgetsItself && floor > (this.below.compactRevision ?? 0)) await this.below.compact(floor)
    } catch (error) {
      // health() reports a store that has failed; another server on etcd may have trimmed first
      if (![StoreUnavailableError, FutureRevisionError, CompactedError].some(kind => error instanceof kind)) throw error
    }
  }

  override async close(): Promise<void> {
    this.#closed = true
    this.#timer?.cancel()
    await this.#trimming
    await this.below.close()
  }
}

const entryOf = (value: Buffer): { t: number; u: string; b: number } => JSON.parse(value.toString())
