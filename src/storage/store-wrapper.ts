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

/**
 * A store over another one. What a wrapper changes it overrides, so its members name what it changes; everything else is the other store's.
 * `values` and `image` are never handed on: they would show what lies below in its own form.
 */
export class StoreWrapper implements Store {
  readonly below: Store
  readonly root: string
  readonly shared: boolean
  readonly expires: boolean
  readonly singleWrites: boolean
  readonly size?: () => Promise<number>

  constructor(below: Store) {
    this.below = below
    this.root = below.root
    this.shared = below.shared
    this.expires = below.expires ?? false
    this.singleWrites = below.singleWrites ?? false
    if (below.size) this.size = () => below.size!()
  }

  get seenRevision(): number {
    return this.below.seenRevision
  }

  get compactRevision(): number | undefined {
    return this.below.compactRevision
  }

  currentRevision(): number | Promise<number> {
    return this.below.currentRevision()
  }

  get(key: string, options?: ReadOptions): Promise<KeyValue | undefined> {
    return this.below.get(key, options)
  }

  list(prefix: string, options?: ListOptions): Promise<ListResult> {
    return this.below.list(prefix, options)
  }

  commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    return this.below.commit(writes, caller)
  }

  watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle> {
    return this.below.watch(prefix, fromRevision, watcher)
  }

  isStale(key: string): boolean | Promise<boolean> {
    return this.below.isStale?.(key) ?? false
  }

  compact(revision: number): Promise<void> {
    return this.below.compact(revision)
  }

  health(timeoutMs?: number): Promise<void> {
    return this.below.health(timeoutMs)
  }

  close(): Promise<void> {
    return this.below.close()
  }
}
