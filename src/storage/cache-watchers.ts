/** Who watches a watch cache, by what they watch: an event wakes those whom it may concern, and no others. */
import type { CachedObject } from './cached-object.js'
import type { WatchHandle } from './contract.js'
import type { CacheEvent, CacheWatcher } from './event-window.js'

export interface Scope {
  readonly namespace?: string | undefined
  readonly key?: string | undefined
}

export class CacheWatchers {
  readonly #all = new Set<CacheWatcher>()
  readonly #ofNamespace = new Map<string, Set<CacheWatcher>>()
  readonly #ofObject = new Map<string, Set<CacheWatcher>>()

  /** All, one namespace, or one object. */
  add({ namespace, key }: Scope, watcher: CacheWatcher): WatchHandle {
    if (key !== undefined) return join(this.#ofObject, key, watcher)
    if (namespace !== undefined && namespace !== '') return join(this.#ofNamespace, namespace, watcher)
    this.#all.add(watcher)
    return { close: () => void this.#all.delete(watcher) }
  }

  /** True when somebody watches everything. */
  get any(): boolean {
    return this.#all.size > 0
  }

  deliver(changes: readonly CacheEvent[]): void {
    if (changes.length === 0) return
    for (const watcher of this.#all) watcher.onEvents(changes)
    if (this.#ofNamespace.size > 0) deliverBy(this.#ofNamespace, changes, o => o.namespace)
    if (this.#ofObject.size > 0) deliverBy(this.#ofObject, changes, o => o.key)
  }

  fail(error: Error): void {
    const sets = [this.#all, ...this.#ofNamespace.values(), ...this.#ofObject.values()]
    for (const watcher of sets.flatMap(set => [...set])) watcher.onError(error)
  }
}

function join(map: Map<string, Set<CacheWatcher>>, key: string, watcher: CacheWatcher): WatchHandle {
  let set = map.get(key)
  if (!set) map.set(key, (set = new Set()))
  set.add(watcher)
  return {
    close() {
      set.delete(watcher)
      if (set.size === 0 && map.get(key) === set) map.delete(key)
    }
  }
}

function deliverBy(
  map: Map<string, Set<CacheWatcher>>,
  changes: readonly CacheEvent[],
  keyOf: (object: CachedObject) => string
): void {
  let groups: Map<string, CacheEvent[]> | undefined
  for (const change of changes) {
    const key = keyOf((change.current ?? change.previous)!)
    if (!map.has(key)) continue
    const group = (groups ??= new Map()).get(key)
    if (group) group.push(change)
    else groups.set(key, [change])
  }
  if (groups) for (const [key, group] of groups) for (const watcher of map.get(key) ?? []) watcher.onEvents(group)
}
