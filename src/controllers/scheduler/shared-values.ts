/** How many values are shared at the same time. */
const mostValues = 1000
/** Characters of a key. A value with a longer one is not kept for others: it would stay when its Pod has gone. */
const longestKey = 4096

/** Values that most Pods have in common, because they are of one template: one object for all of them, by what it is made of. */
export class SharedValues<T> {
  readonly #known = new Map<string, T>()

  of(key: string, make: () => T): T {
    let value = this.#known.get(key)
    if (value === undefined) {
      if (key.length > longestKey) return make()
      if (this.#known.size >= mostValues) this.#known.clear()
      this.#known.set(key, (value = make()))
    }
    return value
  }
}
