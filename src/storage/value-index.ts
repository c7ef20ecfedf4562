/**
 * Objects by the value of a label or of a selectable field, for those that clients select by. The index of a label is made
 * when somebody first asks for it, and kept as objects change.
 */
import type { CachedObject } from './cached-object.js'

/** Labels of one resource that are indexed at the same time, and as many fields; the one asked for least recently makes room. */
const maxNames = 8

type ByValue = Map<string, Map<string, CachedObject>>

export class ValueIndex {
  readonly #of: 'labels' | 'fields'
  readonly #names = new Map<string, ByValue>()

  constructor(of: 'labels' | 'fields') {
    this.#of = of
  }

  /** The objects that carry a value under a name, by key. `all` are the objects to index when the name is new. */
  find(name: string, value: string, all: () => Iterable<CachedObject>): ReadonlyMap<string, CachedObject> | undefined {
    let byValue = this.#names.get(name)
    if (byValue) this.#names.delete(name)
    else {
      byValue = new Map()
      for (const object of all()) this.#add(byValue, name, object)
      if (this.#names.size >= maxNames) this.#names.delete(this.#names.keys().next().value!)
    }
    this.#names.set(name, byValue)
    return byValue.get(value)
  }

  /** One object's change: from nothing, to another state, or to nothing. */
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
