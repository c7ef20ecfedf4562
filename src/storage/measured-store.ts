/** A store whose requests are counted and timed, for a store that is another process. */
import type {
  Caller,
  CommitResult,
  KeyValue,
  ListOptions,
  ListResult,
  ReadOptions,
  Store,
  Watcher,
  WatchHandle,
  Write
} from './contract.js'

/** What kube-apiserver calls the requests that it sends to etcd. */
export type StoreOperation = 'get' | 'list' | 'create' | 'update' | 'delete'

/** Told of every request. `key`: the key, or the prefix of a list. */
export type StoreObserver = (operation: StoreOperation, key: string, seconds: number, failed: boolean) => void

export class MeasuredStore implements Store {
  readonly #store: Store
  readonly #observe: StoreObserver

  constructor(store: Store, observe: StoreObserver) {
    this.#store = store
    this.#observe = observe
  }

  get root(): string {
    return this.#store.root
  }

  get shared(): boolean {
    return this.#store.shared
  }

  get expires(): boolean {
    return this.#store.expires ?? false
  }

  get seenRevision(): number {
    return this.#store.seenRevision
  }

  currentRevision(): number | Promise<number> {
    return this.#store.currentRevision()
  }

  get(key: string, options?: ReadOptions): Promise<KeyValue | undefined> {
    return this.#timed('get', key, this.#store.get(key, options))
  }

  list(prefix: string, options?: ListOptions): Promise<ListResult> {
    return this.#timed('list', prefix, this.#store.list(prefix, options))
  }

  commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    const commit = this.#store.commit(writes, caller)
    const [first] = writes
    return first ? this.#timed(operationOf(first), first.key, commit) : commit
  }

  watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle> {
    return this.#store.watch(prefix, fromRevision, watcher)
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

  size(): Promise<number> {
    return this.#store.size?.() ?? Promise.resolve(0)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  async #timed<T>(operation: StoreOperation, key: string, answer: Promise<T>): Promise<T> {
    const began = performance.now()
    const ended = (failed: boolean) => this.#observe(operation, key, (performance.now() - began) / 1000, failed)
    try {
      const found = await answer
      ended(false)
      return found
    } catch (error) {
      ended(true)
      throw error
    }
  }
}

function operationOf({ value, expected }: Write): StoreOperation {
  if (value === undefined) return 'delete'
  return expected === 0 ? 'create' : 'update'
}
