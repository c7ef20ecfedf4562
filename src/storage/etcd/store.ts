/**
 * The store on etcd v3, for several servers that share their data.
 *
 * It behaves like an embedded store: when a commit or `currentRevision` resolves, the watchers of this process have received
 * every event that the answer depends on. Caches that follow the store are therefore current at that moment, and the code above
 * them need not know which engine is in use.
 */

import { status } from '@grpc/grpc-js'
import { BriefMap } from '../../util/brief.js'
import { type Logger, silentLogger } from '../../util/logger.js'
import {
  type Caller,
  type CommitResult,
  CompactedError,
  FutureRevisionError,
  type KeyValue,
  type ListOptions,
  type ListResult,
  type ReadOptions,
  type Store,
  type StoreEvent,
  StoreUnavailableError,
  TrailingError,
  type Watcher,
  type WatchHandle,
  type Write
} from '../contract.js'
import { assertWrites, isKey, keyRange, orderKey } from '../keys.js'
import { deliverPast } from '../replay.js'
import { type Subscription, WatchHub } from '../watch-hub.js'
import { type CallLimits, EtcdClient, type EtcdClientOptions, EtcdError } from './client.js'
import { type Compaction, startCompaction } from './compaction.js'
import { Follower } from './follower.js'
import { type LeaseOptions, Leases } from './leases.js'
import {
  decodeNothing,
  decodeRange,
  decodeRangePart,
  decodeStatus,
  decodeTxn,
  type EtcdEvent,
  encodeCompaction,
  encodeRange,
  encodeTxn,
  type RangeRequest,
  type RangeResponse
} from './messages.js'
import { Newest } from './newest.js'
import { outcome, transaction } from './transaction.js'
import { openWatch } from './watch-stream.js'

export interface EtcdOptions extends EtcdClientOptions, LeaseOptions {
  /** Milliseconds between compactions of the history; 0 for never. 5 minutes by default. */
  readonly compactionInterval?: number | undefined
  /** The prefix of all keys; `/registry` by default. */
  readonly prefix?: string | undefined
  /** Milliseconds to wait for etcd at the start; 20 seconds by default. */
  readonly startTimeout?: number | undefined
  readonly log?: Logger | undefined
  /** Whether long lists are read as a stream, where etcd can send them so (from 3.7 on). Default: true. */
  readonly streams?: boolean | undefined
}

/** How long a call waits for events to arrive. Then a read rejects with TrailingError, and a commit is answered anyway. */
const trailingMs = 3000
/** How long one server may take to say its revision, which every request asks for, before another one is asked. */
const questionMs = 1000
/** Most keys that one request reads. Longer lists are read in pages. */
const pageSize = 2000
const startRetryMs = 1000
/** No key has been written at this revision. */
const impossible = Number.MAX_SAFE_INTEGER
/** For how long no stream is asked for after etcd did not know them: it may be updated meanwhile. */
const noStreamsMs = 600_000

/** Waits for etcd. Rejects with StoreUnavailableError when no server answers in time. */
export async function openEtcdStore(options: EtcdOptions): Promise<Store> {
  const client = await EtcdClient.create(options)
  const store = new EtcdStore(client, options)
  try {
    await store.start(options)
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

class EtcdStore implements Store {
  readonly root: string
  readonly shared = true
  readonly expires = true
  singleWrites = false
  readonly #client: EtcdClient
  readonly #hub = new WatchHub()
  readonly #follower: Follower
  readonly #leases: Leases
  readonly #newest = new Newest(() => this.#askRevision())
  /** Pending writes with attachments, by key. */
  readonly #attachments = new BriefMap<string, Write>()
  /** The last pending commit of each key. Commits of one key happen in the order in which they were requested. */
  readonly #last = new Map<string, Promise<unknown>>()
  readonly #underWay = new Set<Promise<unknown>>()
  #compaction: Compaction | undefined
  /** The time, by `performance.now()`, until which lists are read in pages. */
  #pagesUntil: number
  #closed: Promise<void> | undefined

  constructor(client: EtcdClient, options: EtcdOptions) {
    const { prefix = '/registry', log = silentLogger, streams = true } = options
    this.#pagesUntil = streams ? 0 : Number.POSITIVE_INFINITY
    this.#leases = new Leases(client, options)
    this.root = prefix.startsWith('/') ? prefix : `/${prefix}`
    this.#client = client
    this.#follower = new Follower({
      client,
      hub: this.#hub,
      log,
      newestRevision: () => this.#askRevision(),
      toEvent: event => this.#toEvent(event)
    })
  }

  async start({ startTimeout = 20_000, compactionInterval, log = silentLogger }: EtcdOptions): Promise<void> {
    const deadline = Date.now() + startTimeout
    for (let logged = false; ; logged = true) {
      try {
        await this.#follower.start()
        this.singleWrites = await this.#takesOneWrite()
        break
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || Date.now() >= deadline) throw error
        if (!logged) log.info(`waiting for etcd at ${this.#client.targets.join(', ')}: ${error.message}`)
        await new Promise(resolve => setTimeout(resolve, startRetryMs))
      }
    }
    this.#compaction = startCompaction(this.#client, { interval: compactionInterval, log })
  }

  /** Tries a transaction of two keys whose conditions cannot hold. kine, which speaks etcd over SQL databases, takes those of one key. */
  async #takesOneWrite(): Promise<boolean> {
    const writes = ['a', 'b'].map(name => ({ key: `${this.root}/${name}`, value: Buffer.alloc(0), expected: impossible }))
    try {
      await this.#client.call('/etcdserverpb.KV/Txn', encodeTxn(transaction(writes)), decodeTxn, true)
      return false
    } catch (error) {
      if (error instanceof EtcdError && error.code === status.INVALID_ARGUMENT) return true
      throw error
    }
  }

  get seenRevision(): number {
    return this.#follower.revision
  }

  async currentRevision(): Promise<number> {
    this.#assertOpen()
    const revision = await this.#newest.ask()
    if (!(await this.#follower.reached(revision, trailingMs))) throw new TrailingError(revision, this.seenRevision)
    return this.seenRevision
  }

  async #askRevision(timeoutMs?: number): Promise<number> {
    return (await this.#range({ key: compactRevisionKey, countOnly: true }, { timeoutMs, attemptMs: questionMs })).revision
  }

  async #range(request: RangeRequest, limits?: CallLimits): Promise<RangeResponse> {
    try {
      return await this.#client.call('/etcdserverpb.KV/Range', encodeRange(request), decodeRange, true, limits)
    } catch (error) {
      throw await this.#explained(error)
    }
  }

  /**
   * Adds what etcd leaves out: etcd says only that a revision is out of range; the contract's errors also name the valid range.
   */
  async #explained(error: unknown): Promise<unknown> {
    if (!(error instanceof EtcdError) || error.code !== status.OUT_OF_RANGE) return error
    if (error.message.includes('future revision')) return new FutureRevisionError(await this.#askRevision())
    return new CompactedError(await this.#compactRevision())
  }

  /** Returns the revision of the last compaction, which etcd reports only for a watch from the beginning. */
  async #compactRevision(): Promise<number> {
    try {
      const watch = await new Promise<{ close(): void } | Error>((resolve, reject) => {
        openWatch(this.#client, 1, { onEvents: () => {}, onEnd: resolve }).then(open => setTimeout(resolve, 1000, open), reject)
      })
      if (watch instanceof Error) throw watch
      watch.close()
    } catch (error) {
      if (error instanceof CompactedError) return error.compactRevision
    }
    return 0
  }

  async get(key: string, { revision, caller }: ReadOptions = {}): Promise<KeyValue | undefined> {
    this.#assertOpen()
    if (!isKey(key)) return undefined
    const [item] = (await this.#range({ key: Buffer.from(key), revision }, { caller })).items
    if (item && item.key !== key) throw otherKeys()
    return item
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    this.#assertOpen()
    for (;;) {
      try {
        return await this.#list(prefix, options)
      } catch (error) {
        // A compaction overtook a list that did not ask for this revision. A newer revision is as good.
        if (!(error instanceof CompactedError) || options.revision !== undefined) throw error
      }
    }
  }

  async #list(
    prefix: string,
    { revision: asked, limit = Number.POSITIVE_INFINITY, start, caller }: ListOptions
  ): Promise<ListResult> {
    const found = keyRange(prefix, start)
    if (!found) return { items: [], revision: asked ?? (await this.#askRevision()), more: false, count: 0 }
    const rangeEnd = found.to ?? Buffer.from([0])
    if (limit > pageSize && performance.now() >= this.#pagesUntil) {
      const streamed = await this.#stream(
        prefix,
        { key: found.from, rangeEnd, revision: asked, limit: Number.isFinite(limit) ? limit : undefined },
        caller
      )
      if (streamed) return streamed
    }
    const page = async (key: Buffer, revision: number | undefined, room: number) => {
      const request = { key, rangeEnd, revision, limit: Math.min(room, pageSize), countOnly: room === 0 }
      const answer = await this.#range(request, { caller })
      if (!answer.items.every(item => item.key.startsWith(prefix))) throw otherKeys()
      return answer
    }
    const first = await page(found.from, asked, limit)
    const { items, count } = first
    const revision = asked ?? first.revision
    while (items.length < Math.min(limit, count)) {
      const last = items.at(-1)?.key
      const next = last === undefined ? [] : (await page(Buffer.from(`${last}\0`), revision, limit - items.length)).items
      // or the list would have no end
      if (last === undefined || orderKey(next.at(-1)?.key ?? '') <= orderKey(last))
        throw new StoreUnavailableError(`etcd counts ${count} keys below ${prefix}, and sends no more than ${items.length}`)
      for (const item of next) items.push(item)
    }
    return { items, revision, more: count > items.length, count }
  }

  /** Reads a list as one stream. Returns undefined when etcd cannot send it, and it has to be read in pages, which other servers may answer. */
  async #stream(prefix: string, request: RangeRequest, caller: Caller | undefined): Promise<ListResult | undefined> {
    const items: KeyValue[] = []
    let last = ''
    let end: RangeResponse | undefined
    const take = (part: RangeResponse) => {
      for (const item of part.items) {
        const order = orderKey(item.key)
        if (!item.key.startsWith(prefix) || order <= last) throw otherKeys()
        last = order
        items.push(item)
      }
      end = part
    }
    try {
      await this.#client.read('/etcdserverpb.KV/RangeStream', encodeRange(request), decodeRangePart, take, caller)
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error
      if (error.code === status.OUT_OF_RANGE) throw await this.#explained(error)
      if (error.code === status.UNIMPLEMENTED) this.#pagesUntil = performance.now() + noStreamsMs
      return undefined
    }
    // only the last part has a revision
    if (!end || end.revision === 0) return undefined
    const { count } = end
    return { items, revision: request.revision ?? end.revision, more: count > items.length, count, streamed: true }
  }

  async commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    assertWrites(writes)
    this.#assertOpen()
    if (writes.length === 0) return { ok: true, revision: await this.currentRevision() }
    if (this.singleWrites && writes.length > 1) throw new RangeError('this store takes one write in a commit')
    const before = writes.map(({ key }) => this.#last.get(key)).filter(commit => commit !== undefined)
    const commit = (async () => {
      if (before.length > 0) await Promise.allSettled(before)
      return this.singleWrites && !writes[0]!.expected ? this.#overwrite(writes[0]!, caller) : this.#commit(writes, caller)
    })()
    for (const { key } of writes) this.#last.set(key, commit)
    this.#underWay.add(commit)
    try {
      return await commit
    } finally {
      this.#underWay.delete(commit)
      for (const { key } of writes) if (this.#last.get(key) === commit) this.#last.delete(key)
    }
  }

  /** Makes a write on condition of what is there, where a write without a condition is not taken, nor the deletion of a missing key. */
  async #overwrite(write: Write, caller: Caller | undefined): Promise<CommitResult> {
    const { key, value, expected } = write
    if (value !== undefined && expected === 0) return this.#commit([write], caller)
    for (;;) {
      const current = await this.get(key, { caller })
      if (value === undefined && (!current || expected === 0)) return { ok: false, key, current }
      const result = await this.#commit([{ ...write, expected: current?.modRevision ?? 0 }], caller)
      if (result.ok) return result
    }
  }

  /**
   * Returns the revision of a write. kine (0.17.5) answers the creation of a key that was deleted before with the newest revision of all,
   * which may be that of another write.
   */
  async #revisionOf({ key, value, expected }: Write, answered: number): Promise<number> {
    if (value === undefined || expected !== 0) return answered
    try {
      return (await this.get(key))?.createRevision ?? answered
    } catch {
      // the write is done all the same
      return answered
    }
  }

  async #commit(writes: readonly Write[], caller: Caller | undefined): Promise<CommitResult> {
    for (const write of writes) if (write.attachment !== undefined) this.#attachments.set(write.key, write)
    try {
      const ttl = writes.find(write => write.ttl !== undefined)?.ttl
      const lease = ttl === undefined ? undefined : await this.#leases.of(ttl)
      const request = encodeTxn(transaction(writes, lease))
      const answer = await this.#client.call('/etcdserverpb.KV/Txn', request, decodeTxn, false, { caller })
      // Before the writer gets its answer, every watcher of this process has seen the write, or the wait has timed out. The write
      // is durable in any case.
      const result = outcome(writes, answer)
      const revision = this.singleWrites && result.ok ? await this.#revisionOf(writes[0]!, result.revision) : answer.revision
      await this.#follower.reached(revision, trailingMs)
      return result.ok ? { ok: true, revision } : result
    } finally {
      for (const write of writes) if (this.#attachments.get(write.key) === write) this.#attachments.delete(write.key)
    }
  }

  #toEvent({ deleted, current, previous }: EtcdEvent): StoreEvent {
    const { key, modRevision: revision } = current
    const write = this.#attachments.get(key)
    return {
      type: deleted ? 'delete' : 'put',
      key,
      current: deleted ? undefined : current,
      previous,
      revision,
      attachment: !deleted && write?.value?.equals(current.value) ? write.attachment : undefined
    }
  }

  async watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle> {
    this.#assertOpen()
    // Revision 1 belongs to an empty etcd: no event happened at it.
    const from = Math.max(2, fromRevision)
    if (from <= this.seenRevision) {
      // A read at that revision fails at once if it has been compacted; a watch would report that only later.
      await this.#range({ key: compactRevisionKey, countOnly: true, revision: fromRevision })
      this.#assertOpen()
    }
    const subscription = this.#hub.subscribe(prefix, from, watcher)
    if (from > this.seenRevision) this.#hub.attach(subscription)
    else void this.#replay(subscription)
    return subscription
  }

  /**
   * Delivers history from a separate watch until it reaches the follower's revision, then joins the live events. The separate
   * watch may be ahead of the follower.
   */
  async #replay(subscription: Subscription): Promise<void> {
    for (;;) {
      try {
        if (await this.#replayOnce(subscription)) return
      } catch (error) {
        if (error instanceof CompactedError || this.#closed) return subscription.end(error as Error)
      }
      if (subscription.closed) return
      await new Promise(resolve => setTimeout(resolve, startRetryMs))
    }
  }

  /** Returns false when the stream broke off before the end. */
  async #replayOnce(subscription: Subscription): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const opening = openWatch(this.#client, subscription.next, {
        onEvents: events => {
          const through = events.at(-1)!.current.modRevision
          const mine = events.filter(({ current }) => current.key.startsWith(subscription.prefix))
          const past = { events: mine.map(event => this.#toEvent(event)), through }
          deliverPast(this.#hub, subscription, past, this.seenRevision)
          if (subscription.closed || subscription.attached) {
            void opening.then(open => open.close())
            return resolve(true)
          }
          const pause = subscription.pace()
          if (pause) void opening.then(open => open.pauseUntil(pause))
        },
        onEnd: error => (error instanceof CompactedError ? reject(error) : resolve(false))
      })
      opening.catch(reject)
    })
  }

  get compactRevision(): number {
    return this.#compaction?.revision ?? 0
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen()
    try {
      await this.#client.call('/etcdserverpb.KV/Compact', encodeCompaction(revision), decodeNothing, false)
    } catch (error) {
      const explained = await this.#explained(error)
      // Compacted to that revision already.
      if (!(explained instanceof CompactedError)) throw explained
    }
  }

  async health(timeoutMs = 2000): Promise<void> {
    this.#assertOpen()
    await this.#askRevision(timeoutMs)
  }

  size(): Promise<number> {
    this.#assertOpen()
    return this.#client.call('/etcdserverpb.Maintenance/Status', Buffer.alloc(0), decodeStatus, true)
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#compaction?.stop()
    await Promise.allSettled(this.#underWay)
    this.#follower.close()
    this.#hub.close()
    this.#client.close()
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new StoreUnavailableError('the store is closed')
  }
}

const otherKeys = () => new StoreUnavailableError('etcd has sent other keys than it was asked for')

/** A key that is cheap to read: kube-apiserver's own, which holds the revision of the last compaction. */
const compactRevisionKey = Buffer.from('compact_rev_key')
