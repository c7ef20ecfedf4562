/**
 * Collections for what comes and goes all the time, such as requests. A Map or Set keeps what has left it for long: V8 replaces the
 * table of a Map that grows, and each old table refers to the next one. Once one is in the old generation, all tables after it stay,
 * with everything they ever held, until the whole heap is collected. These collections begin anew before that can happen. Whoever
 * deletes while iterating iterates over a copy.
 */

/** How many entries come and go in less time than V8 needs to move anything to the old generation. */
const fewest = 32

export class BriefMap<K, V> {
  #entries = new Map<K, V>()
  #gone = 0

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  keys(): IterableIterator<K> {
    return this.#entries.keys()
  }

  values(): IterableIterator<V> {
    return this.#entries.values()
  }

  set(key: K, value: V): void {
    this.#entries.set(key, value)
  }

  /** Returns whether the key was there. */
  delete(key: K): boolean {
    if (!this.#entries.delete(key)) return false
    // a large map is not copied for every handful of deletions
    if (++this.#gone >= Math.max(fewest, this.#entries.size)) {
      this.#entries = new Map(this.#entries)
      this.#gone = 0
    }
    return true
  }

  clear(): void {
    this.#entries = new Map()
    this.#gone = 0
  }
}

/** A set for members that come and go with requests; it keeps their order. */
export class BriefSet<T> {
  readonly #members = new BriefMap<T, undefined>()

  get size(): number {
    return this.#members.size
  }

  has(member: T): boolean {
    return this.#members.has(member)
  }

  add(member: T): void {
    this.#members.set(member, undefined)
  }

  delete(member: T): boolean {
    return this.#members.delete(member)
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#members.keys()
  }
}
