/** Lists and watches objects, and keeps them: see `Informer`. */
import { isDeepStrictEqual } from 'node:util'
import type { KubeObject } from '../apimachinery/api/kube-object.js'
import { StatusError } from '../apimachinery/status/status.js'
import { holdingProcess } from '../util/holding-process.js'
import type { Informer, KubeList, ObjectName, WatchEvent } from './types.js'

export interface InformerSource<T> {
  list(signal: AbortSignal): Promise<KubeList<T>>
  /** Calls `seen` with the version up to which the events are known. */
  watch(resourceVersion: string, signal: AbortSignal, seen: (resourceVersion: string) => void): AsyncIterable<WatchEvent<T>>
  /** Whether the server still runs. */
  isOpen(): boolean
  /** How long to wait after failures. */
  readonly retry: RetryTimes
  /** Makes what is kept of an object. */
  readonly transform?: ((object: T) => T) | undefined
}

/**
 * Drops what says who owns which fields, which is often the larger part of an object: the `transform` of informers whose users do not look at it.
 *
 * @example
 * const pods = client.of('v1', 'Pod').informer({ transform: withoutManagedFields })
 */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

interface Listeners<T> {
  readonly add: Set<(object: T) => void>
  readonly update: Set<(object: T, old: T) => void>
  readonly delete: Set<(object: T) => void>
  readonly error: Set<(error: unknown) => void>
  readonly sync: Set<() => void>
}

/** Milliseconds, from the first failure to the last. `jitter` is the share that chance may add. */
export interface RetryTimes {
  readonly firstMs: number
  readonly lastMs: number
  readonly jitter: number
}

/** Of a server in the process. */
export const closeRetry: RetryTimes = { firstMs: 20, lastMs: 1000, jitter: 0 }
/** As client-go, but for the first waits: a server that starts again has its clients back at once. */
export const distantRetry: RetryTimes = { firstMs: 20, lastMs: 30_000, jitter: 1 }

const keyOf = (namespace: string | undefined, name: string | undefined) => `${namespace ?? ''}/${name}`

/** Whether one resource version is older than another: they are decimal numbers (KEP-5504). */
const isOlder = (a = '', b = '') => (a.length === b.length ? a < b : a.length < b.length)

const keyOfObject = ({ metadata }: KubeObject) => keyOf(metadata.namespace, metadata.name)

/** The objects of an informer by keys of its user. */
class Index<T extends KubeObject> {
  readonly #keysOf: (object: T) => readonly string[]
  /** Most keys have one object, which takes no map of its own. */
  readonly #found = new Map<string, T | Map<string, T>>()

  constructor(keysOf: (object: T) => readonly string[]) {
    this.#keysOf = keysOf
  }

  put(name: string, object: T, old: T | undefined): void {
    const keys = this.#keysOf(object)
    if (old) for (const key of this.#keysOf(old)) if (!keys.includes(key)) this.#drop(key, name)
    for (const key of keys) {
      const found = this.#found.get(key)
      if (found instanceof Map) found.set(name, object)
      else if (!found || keyOfObject(found) === name) this.#found.set(key, object)
      else
        this.#found.set(
          key,
          new Map([
            [keyOfObject(found), found],
            [name, object]
          ])
        )
    }
  }

  remove(name: string, old: T): void {
    for (const key of this.#keysOf(old)) this.#drop(key, name)
  }

  get(key: string): T[] {
    const found = this.#found.get(key)
    if (!found) return []
    return found instanceof Map ? [...found.values()] : [found]
  }

  #drop(key: string, name: string): void {
    const found = this.#found.get(key)
    if (found instanceof Map) {
      found.delete(name)
      if (found.size === 0) this.#found.delete(key)
    } else if (found && keyOfObject(found) === name) this.#found.delete(key)
  }
}

export class ListWatchInformer<T extends KubeObject> implements Informer<T> {
  readonly #source: InformerSource<T>
  readonly #namespace: string
  #objects = new Map<string, T>()
  /** The version up to which the objects are known. */
  #seen = ''
  readonly #indexes: Index<T>[] = []
  readonly #listeners: Listeners<T> = {
    add: new Set(),
    update: new Set(),
    delete: new Set(),
    error: new Set(),
    sync: new Set()
  }
  readonly #abort = new AbortController()
  readonly #synced: Promise<void>
  #isSynced!: () => void
  #failed!: (error: Error) => void

  constructor(source: InformerSource<T>, namespace: string) {
    this.#source = source
    this.#namespace = namespace
    this.#synced = new Promise((resolve, reject) => {
      this.#isSynced = resolve
      this.#failed = reject
    })
    this.#synced.catch(() => {})
    void this.#run()
  }

  get synced(): Promise<void> {
    return holdingProcess(this.#synced)
  }

  get(object: ObjectName): T | undefined {
    const { name, namespace } = typeof object === 'string' ? { name: object, namespace: undefined } : object.metadata
    // objects of the cluster have no namespace
    const found = this.#objects.get(keyOf(namespace ?? this.#namespace, name))
    return found ?? (namespace === undefined ? this.#objects.get(keyOf('', name)) : undefined)
  }

  list(): T[] {
    return [...this.#objects.values()]
  }

  index(keysOf: (object: T) => readonly string[]): (key: string) => T[] {
    const index = new Index(keysOf)
    for (const [name, object] of this.#objects) index.put(name, object, undefined)
    this.#indexes.push(index)
    return key => index.get(key)
  }

  learn(object: T): void {
    const { namespace, name, resourceVersion } = object.metadata
    const key = keyOf(namespace, name)
    // what is not there any more, though its version has been passed, is deleted
    if (this.#objects.has(key) || isOlder(this.#seen, resourceVersion)) this.#put(key, object)
  }

  on(event: keyof Listeners<T>, listener: (...args: any[]) => void): () => void {
    const listeners: Set<(...args: any[]) => void> = this.#listeners[event]
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  stop(): void {
    this.#abort.abort()
    this.#failed(new Error('the informer was stopped before it had the objects'))
  }

  [Symbol.dispose](): void {
    this.stop()
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort
    const { firstMs, lastMs, jitter } = this.#source.retry
    let wait = 0
    /** Where to go on; undefined when the objects have to be listed. */
    let version: string | undefined
    while (!signal.aborted && this.#source.isOpen()) {
      try {
        if (version === undefined) {
          const { items, metadata } = await this.#source.list(signal)
          if (signal.aborted) return
          this.#replace(items)
          this.#isSynced()
          this.#emit('sync')
          version = this.#seen = metadata.resourceVersion
          wait = 0
        }
        const seen = (resourceVersion: string) => {
          version = this.#seen = resourceVersion
          wait = 0
        }
        for await (const event of this.#source.watch(version, signal, seen)) {
          if (signal.aborted) return
          this.#take(event)
        }
      } catch (error) {
        if (signal.aborted) return
        // an Expired watch only means that the objects have to be listed again
        if (!(error instanceof StatusError && error.code === 410)) this.#emit('error', error)
        // a server that was away may still know what has happened since
        if (error instanceof StatusError && !isPassing(error)) version = undefined
      }
      await pause(wait * (1 + Math.random() * jitter), signal)
      wait = Math.min(lastMs, wait * 2 || firstMs)
    }
    this.stop()
  }

  #replace(items: readonly T[]): void {
    const before = this.#objects
    this.#objects = new Map(items.map(item => [keyOf(item.metadata.namespace, item.metadata.name), this.#kept(item)]))
    for (const [key, old] of before)
      if (!this.#objects.has(key)) {
        for (const index of this.#indexes) index.remove(key, old)
        this.#emit('delete', old)
      }
    for (const [key, object] of this.#objects) {
      const old = before.get(key)
      for (const index of this.#indexes) index.put(key, object, old)
      // after a restore, another object may have the same resource version
      if (!old || !isDeepStrictEqual(old, object)) this.#changed(object, old)
    }
  }

  #take({ type, object }: WatchEvent<T>): void {
    const key = keyOf(object.metadata.namespace, object.metadata.name)
    if (type !== 'DELETED') return this.#put(key, object)
    const old = this.#objects.get(key)
    // a newer object of the name has been learned of
    if (old && old.metadata.uid !== object.metadata.uid) return
    this.#objects.delete(key)
    if (old) for (const index of this.#indexes) index.remove(key, old)
    this.#emit('delete', this.#kept(object))
  }

  #kept(object: T): T {
    return this.#source.transform?.(object) ?? object
  }

  #put(key: string, given: T): void {
    const old = this.#objects.get(key)
    if (old && !isOlder(old.metadata.resourceVersion, given.metadata.resourceVersion)) return
    const object = this.#kept(given)
    this.#objects.set(key, object)
    for (const index of this.#indexes) index.put(key, object, old)
    this.#changed(object, old)
  }

  #changed(object: T, old: T | undefined): void {
    if (!old) return this.#emit('add', object)
    if (object.metadata.uid === old.metadata.uid) return this.#emit('update', object, old)
    this.#emit('delete', old)
    this.#emit('add', object)
  }

  #emit(event: keyof Listeners<T>, ...args: unknown[]): void {
    for (const listener of this.#listeners[event] as Set<(...args: unknown[]) => void>) {
      try {
        listener(...args)
      } catch (error) {
        // the error is the listener's, and must not end the informer
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}

/** Whether the server had only too much to do, or was starting or stopping, so that the watch may go on where it was. After other errors something may be missing. */
const isPassing = ({ code }: StatusError): boolean => code === 429 || code === 503 || code === 504

/** Waits, without keeping the process alive. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0) return new Promise(resolve => setImmediate(resolve))
  return new Promise(resolve => {
    const done = () => {
      signal.removeEventListener('abort', done)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, milliseconds).unref()
    signal.addEventListener('abort', done, { once: true })
  })
}
