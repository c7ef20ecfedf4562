/**
 * Objects by the value of a label, for the labels that clients select by. A label's index is made when somebody first asks
 * for it, and kept as objects change.
 */
import type { CachedObject } from './cached-object.js'

/** Labels of one resource that are indexed at the same time; the one asked for least recently makes room. */
const maxLabels = 8

type ByValue = Map<string, Map<string, CachedObject>>

export class LabelIndex {
  readonly #labels = new Map<string, ByValue>()

  /** The objects that carry a label with a value, by key. `all` are the objects to index when the label is new. */
  find(label: string, value: string, all: () => Iterable<CachedObject>): ReadonlyMap<string, CachedObject> | undefined {
    let byValue = this.#labels.get(label)
    if (byValue) this.#labels.delete(label)
    else {
      byValue = new Map()
      for (const object of all()) add(byValue, label, object)
      if (this.#labels.size >= maxLabels) this.#labels.delete(this.#labels.keys().next().value!)
    }
    this.#labels.set(label, byValue)
    return byValue.get(value)
  }

  /** One object's change: from nothing, to another state, or to nothing. */
  replace(previous: CachedObject | undefined, current: CachedObject | undefined): void {
    for (const [label, byValue] of this.#labels) {
      if (previous) remove(byValue, label, previous)
      if (current) add(byValue, label, current)
    }
  }

  clear(): void {
    this.#labels.clear()
  }
}

function add(byValue: ByValue, label: string, object: CachedObject): void {
  if (!Object.hasOwn(object.labels, label)) return
  const value = object.labels[label]!
  const objects = byValue.get(value)
  if (objects) objects.set(object.key, object)
  else byValue.set(value, new Map([[object.key, object]]))
}

function remove(byValue: ByValue, label: string, object: CachedObject): void {
  if (!Object.hasOwn(object.labels, label)) return
  const value = object.labels[label]!
  const objects = byValue.get(value)
  if (objects?.delete(object.key) && objects.size === 0) byValue.delete(value)
}
