/** The watchers of a watch cache, indexed by what they watch, so that an event wakes only the watchers that it may concern. */
import type { CachedObject } from './cached-object.js'
import type { WatchHandle } from './contract.js'
import type { CacheEvent, CacheWatcher } from './event-window.js'

/** A label or selectable field whose value is the same in every object that is watched. */
export interface FixedValue {
  readonly of: 'labels' | 'fields'
  readonly key: string
  readonly value: string
}

export interface Scope {
  readonly namespace?: string | undefined
  readonly key?: string | undefined
  readonly fixed?: FixedValue | undefined
}

/** The watchers of one value. A watcher's namespace is undefined when it watches all namespaces. */
type OfValue = Map<CacheWatcher, string | undefined>

export class CacheWatchers {
  readonly #all = new Set<CacheWatcher>()
  readonly #ofNamespace = new Map<string, Set<CacheWatcher>>()
  readonly #ofObject = new Map<string, Set<CacheWatcher>>()
  /** The watchers by the name of the label or field, then by its value. */
  readonly #ofValue = { labels: new Map<string, Map<string, OfValue>>(), fields: new Map<string, Map<string, OfValue>>() }

  /** Adds a watcher of one object, of one label or field value, of one namespace, or of everything. */
  add({ namespace, key, fixed }: Scope, watcher: CacheWatcher): WatchHandle {
    if (key !== undefined) return join(this.#ofObject, key, watcher)
    if (fixed) return this.#joinValue(fixed, namespace || undefined, watcher)
    if (namespace !== undefined && namespace !== '') return join(this.#ofNamespace, namespace, watcher)
    this.#all.add(watcher)
    return { close: () => void this.#all.delete(watcher) }
  }

  #joinValue({ of, key, value }: FixedValue, namespace: string | undefined, watcher: CacheWatcher): WatchHandle {
    const names = this.#ofValue[of]
    let values = names.get(key)
    if (!values) names.set(key, (values = new Map()))
    let watchers = values.get(value)
    if (!watchers) values.set(value, (watchers = new Map()))
    watchers.set(watcher, namespace)
    return {
      close() {
        watchers.delete(watcher)
        if (watchers.size === 0 && values.get(value) === watchers) values.delete(value)
        if (values.size === 0 && names.get(key) === values) names.delete(key)
      }
    }
  }

  /** True when a watcher watches everything. */
  get any(): boolean {
    return this.#all.size > 0
  }

  deliver(changes: readonly CacheEvent[]): void {
    if (changes.length === 0) return
    for (const watcher of this.#all) watcher.onEvents(changes)
    if (this.#ofNamespace.size > 0) deliverBy(this.#ofNamespace, changes, o => o.namespace)
    if (this.#ofObject.size > 0) deliverBy(this.#ofObject, changes, o => o.key)
    for (const of of ['labels', 'fields'] as const)
      for (const [key, values] of this.#ofValue[of]) deliverByValue(values, changes, object => object[of]?.[key])
  }

  fail(error: Error): void {
    const sets = [this.#all, ...this.#ofNamespace.values(), ...this.#ofObject.values()]
    const names = [...this.#ofValue.labels.values(), ...this.#ofValue.fields.values()]
    const ofValues = names.flatMap(values => [...values.values()].flatMap(watchers => [...watchers.keys()]))
    for (const watcher of [...sets.flatMap(set => [...set]), ...ofValues]) watcher.onError(error)
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

/** A change concerns the watchers of the value that the object had and the watchers of the value that it has now. */
function deliverByValue(
  values: ReadonlyMap<string, OfValue>,
  changes: readonly CacheEvent[],
  valueIn: (object: CachedObject) => string | undefined
): void {
  const found = new Map<CacheWatcher, CacheEvent[]>()
  for (const change of changes) {
    const { current, previous } = change
    const now = current && valueIn(current)
    const before = previous && valueIn(previous)
    const { namespace } = (current ?? previous)!
    for (const value of now === before ? [now] : [now, before]) {
      if (value === undefined) continue
      for (const [watcher, wanted] of values.get(value) ?? []) {
        if (wanted !== undefined && wanted !== namespace) continue
        const events = found.get(watcher)
        if (events) events.push(change)
        else found.set(watcher, [change])
      }
    }
  }
  for (const [watcher, events] of found) watcher.onEvents(events)
}
