/**
 * Follows the metadata of the objects of one resource on another server: lists them, and watches from there. A connection that ends is
 * opened again from the last resource version; whatever else goes wrong begins with a list, after a growing delay.
 */
import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import type { Clock } from '../../util/clock.js'
import { takingTurns } from '../../util/turns.js'
import { splitLines } from './remote-request.js'

export interface RemoteMetadata {
  readonly name?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly deletionTimestamp?: string
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
}

export interface RemotePage {
  readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string }
  readonly items?: readonly { readonly metadata?: RemoteMetadata }[]
}

export interface RemoteWatchOptions {
  /** Yields the pages of a list. Throws when the server does not answer with lists. */
  list(signal: AbortSignal): AsyncIterable<RemotePage>
  /** Begins a watch with bookmarks. */
  watch(
    resourceVersion: string,
    timeoutSeconds: number,
    signal: AbortSignal
  ): Promise<{ status: number; body: AsyncIterable<Buffer> }>
  readonly clock: Clock
  /** An object with owners; or one without them that had some before. */
  changed(metadata: RemoteMetadata): void
  /** An object is gone. Without a watch, the end of an object that had no owners is not noticed. */
  gone(uid: string): void
  /** Called after each list. */
  listed(): void
  readonly room: Room
}

const firstRetryMs = 1000
const lastRetryMs = 30_000
/** A watch that ends within this many milliseconds counts as a failure. */
const shortWatchMs = 1000
/** A watch lasts this many seconds, and up to as many more at random, so that the load is spread over time. */
const watchSeconds = 300
/** How many milliseconds later than the server this one ends a watch. */
const graceMs = 30_000
/** The most bytes of an event. */
const maxEventBytes = 8 * 1024 * 1024
/** The most characters that are kept of an object. Larger objects are ignored, as are those for which there is no room. */
const maxLength = 64 * 1024
/** The characters that an object costs in addition to its text. */
const objectCost = 500

/** How many more characters of objects all watches together may keep. */
export interface Room {
  left: number
}

export class RemoteWatch {
  readonly #options: RemoteWatchOptions
  readonly #abort = new AbortController()
  /** The characters of the objects that were reported with owners, by uid. */
  readonly #owned = new Map<string, number>()
  #isWatching = false

  constructor(options: RemoteWatchOptions) {
    this.#options = options
    void this.#run()
  }

  /** Whether changes are reported as they happen. */
  get isWatching(): boolean {
    return this.#isWatching
  }

  /** Ends the watch. Returns the uids of the objects that were reported with owners. */
  close(): readonly string[] {
    this.#abort.abort()
    this.#isWatching = false
    const uids = [...this.#owned.keys()]
    for (const uid of uids) this.#forget(uid)
    return uids
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort
    let version: string | undefined
    for (let failures = 0; !signal.aborted; ) {
      const began = performance.now()
      try {
        version ??= await this.#list(signal)
        const last = await this.#watch(version, signal)
        version = last
        failures = performance.now() - began < shortWatchMs ? failures + 1 : 0
      } catch (error) {
        failures++
        // the connection may be broken, or the server may not know the version
        version = error instanceof BrokenWatch ? error.version : undefined
        this.#isWatching = error instanceof BrokenWatch && this.#isWatching
      }
      // a server that is gone for long cannot report what happens
      if (failures > 1) this.#isWatching = false
      if (failures > 0) await this.#pause(Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 10)))
    }
  }

  #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#abort
    return new Promise(resolve => {
      const done = () => {
        timer.cancel()
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = this.#options.clock.setTimeout(done, milliseconds)
      signal.addEventListener('abort', done)
    })
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { list, gone, listed } = this.#options
    const missing = new Set(this.#owned.keys())
    const turn = takingTurns()
    let version = ''
    for await (const { metadata, items = [] } of list(signal)) {
      version = metadata?.resourceVersion ?? ''
      for (const { metadata: object = {} } of items) {
        await turn()
        signal.throwIfAborted()
        missing.delete(object.uid ?? '')
        this.#changed(object)
      }
    }
    for (const uid of missing) {
      this.#forget(uid)
      gone(uid)
    }
    listed()
    return version
  }

  #changed(metadata: RemoteMetadata): void {
    const { uid, ownerReferences } = metadata
    if (uid === undefined) return
    const isKnown = this.#forget(uid)
    const { room, changed } = this.#options
    const kept = used(metadata)
    const length = JSON.stringify(kept).length
    const cost = objectCost + length
    const isHeld = (ownerReferences?.length ?? 0) > 0 && length <= maxLength && cost <= room.left
    if (isHeld) {
      room.left -= cost
      this.#owned.set(uid, cost)
      changed(kept)
    } else if (isKnown) changed({ uid })
  }

  #forget(uid: string): boolean {
    this.#options.room.left += this.#owned.get(uid) ?? 0
    return this.#owned.delete(uid)
  }

  /** Resolves with the version from which to continue when the server ends the watch; undefined when a list has to come first. */
  async #watch(from: string, signal: AbortSignal): Promise<string | undefined> {
    const seconds = Math.ceil(watchSeconds * (1 + Math.random()))
    const late = new AbortController()
    const timer = this.#options.clock.setTimeout(() => late.abort(new Error('the watch has no end')), seconds * 1000 + graceMs)
    let version = from
    try {
      const { status, body } = await this.#options.watch(from, seconds, AbortSignal.any([signal, late.signal]))
      if (status !== 200) throw new RefusedWatch(`unexpected status ${status}`)
      this.#isWatching = true
      const turn = takingTurns()
      for await (const line of splitLines(body, maxEventBytes)) {
        await turn()
        signal.throwIfAborted()
        const { type, object = {} } = JSON.parse(line.toString()) as WatchEvent
        if (type === 'ERROR') {
          if (object.code === 410) return undefined
          throw new RefusedWatch(object.message)
        }
        const { metadata = {} } = object
        version = metadata.resourceVersion ?? version
        if (type === 'DELETED') this.#gone(metadata)
        else if (type !== 'BOOKMARK') this.#changed(metadata)
      }
      return version
    } catch (error) {
      throw error instanceof RefusedWatch ? error : new BrokenWatch(version, error)
    } finally {
      timer.cancel()
    }
  }

  #gone({ uid }: RemoteMetadata): void {
    if (uid === undefined) return
    this.#forget(uid)
    this.#options.gone(uid)
  }
}

/** Returns the parts of an object that are used: an answer may also have annotations and managedFields. */
const used = (metadata: RemoteMetadata): RemoteMetadata =>
  Object.fromEntries(usedFields.filter(field => field in metadata).map(field => [field, metadata[field]]))
const usedFields = ['name', 'namespace', 'uid', 'resourceVersion', 'deletionTimestamp', 'finalizers', 'ownerReferences'] as const

interface WatchEvent {
  readonly type: string
  readonly object?: { readonly metadata?: RemoteMetadata; readonly code?: number; readonly message?: string }
}

class RefusedWatch extends Error {}

/** The connection has ended. What came before counts. */
class BrokenWatch extends Error {
  readonly version: string

  constructor(version: string, cause: unknown) {
    super('the watch broke', { cause })
    this.version = version
  }
}
