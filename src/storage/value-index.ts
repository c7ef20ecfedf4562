/**
 * Indexes objects by the value of a label or of a selectable field, for the names by which clients select. The index of a name is
 * built when a client first selects by it, and then kept up to date.
 */
import type { CachedObject } from './cached-object.js'

/**
 * Labels of one resource that are indexed at the same time, and as many fields; the least recently used index is dropped first.
 */
const maxNames = 8

type ByValue = Map<string, Map<string, CachedObject>>

export class ValueIndex {
  readonly #of: 'labels' | 'fields'
  readonly #names = new Map<string, ByValue>()

  constructor(of: 'labels' | 'fields') {
    this.#of = of
  }

  /** Returns the objects that have a value under a name, by key. `all` yields the objects to index when the name is new. */
  find(name: string, value: string, all: () => Iterable<CachedObject>): ReadonlyMap<string, CachedObject> | undefined {
    return this.valuesOf(name, all).get(value)
  }

  /** Returns the objects by the values that they have under a name. */
  valuesOf(name: string, all: () => Iterable<CachedObject>): ReadonlyMap<string, ReadonlyMap<string, CachedObject>> {
    let byValue = this.#names.get(name)
    if (byValue) this.#names.delete(name)
    else {
      byValue = new Map()
      for (const object of all()) this.#add(byValue, name, object)
      if (this.#names.size >= maxNames) this.#names.delete(this.#names.keys().next().value!)
    }
    this.#names.set(name, byValue)
    return byValue
  }

  /** Applies the change of one object. `previous` is undefined for a creation, `current` for a deletion. */
  replace(previous: CachedObject | undefined, current: CachedObject | undefined): void {
    for (const [name, byValue] of this.#names) {
      if (previous) this.#remove(byValue, name, previous)
      if (current) this.#add(byValue, name, current)
    }
  }

  clear(): void {
    this.#names.clear()
  }

  #valueOf(object: CachedObject, name: string): string | undefined {
    const values = object[this.#of]
    return values && Object.hasOwn(values, name) ? values[name] : undefined
  }

  #add(byValue: ByValue, name: string, object: CachedObject): void {
    const value = this.#valueOf(object, name)
    if (value === undefined) return
    const objects = byValue.get(value)
    if (objects) objects.set(object.key, object)
    else byValue.set(value, new Map([[object.key, object]]))
  }

  #remove(byValue: ByValue, name: string, object: CachedObject): void {
    const value = this.#valueOf(object, name)
    if (value === undefined) return
    const objects = byValue.get(value)
    if (objects?.delete(object.key) && objects.size === 0) byValue.delete(value)
  }
}
