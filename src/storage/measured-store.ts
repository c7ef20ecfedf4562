/** A store whose requests are counted and timed, for a store that is another process. */
import type { Caller, CommitResult, KeyValue, ListOptions, ListResult, ReadOptions, Store, Write } from './contract.js'
import { StoreWrapper } from './store-wrapper.js'

/** What kube-apiserver calls the requests that it sends to etcd. */
export type StoreOperation = 'get' | 'list' | 'listStream' | 'create' | 'update' | 'delete'

/** Told of every request. `key`: the key, or the prefix of a list. */
export type StoreObserver = (operation: StoreOperation, key: string, seconds: number, failed: boolean) => void

export class MeasuredStore extends StoreWrapper {
  readonly #observe: StoreObserver

  constructor(store: Store, observe: StoreObserver) {
    super(store)
    this.#observe = observe
  }

  override get(key: string, options?: ReadOptions): Promise<KeyValue | undefined> {
    return this.#timed(() => 'get', key, super.get(key, options))
  }

  override list(prefix: string, options?: ListOptions): Promise<ListResult> {
    return this.#timed(found => (found?.streamed ? 'listStream' : 'list'), prefix, super.list(prefix, options))
  }

  override commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    const commit = super.commit(writes, caller)
    const [first] = writes
    return first ? this.#timed(() => operationOf(first), first.key, commit) : commit
  }

  /** `operation` is asked when the answer is known; it gets undefined when there is none. */
  async #timed<T>(operation: (found: T | undefined) => StoreOperation, key: string, answer: Promise<T>): Promise<T> {
    const began = performance.now()
    const ended = (found: T | undefined, failed: boolean) =>
      this.#observe(operation(found), key, (performance.now() - began) / 1000, failed)
    try {
      const found = await answer
      ended(found, false)
      return found
    } catch (error) {
      ended(undefined, true)
      throw error
    }
  }
}

function operationOf({ value, expected }: Write): StoreOperation {
  if (value === undefined) return 'delete'
  return expected === 0 ? 'create' : 'update'
}
