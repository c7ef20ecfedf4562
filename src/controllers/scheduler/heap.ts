/** A priority queue of items with keys, from which any can be taken. */
export class Heap<T extends { readonly key: string }> {
  readonly #isBefore: (a: T, b: T) => boolean
  readonly #items: T[] = []
  readonly #places = new Map<string, number>()

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#items.length
  }

  get(key: string): T | undefined {
    const place = this.#places.get(key)
    return place === undefined ? undefined : this.#items[place]
  }

  peek(): T | undefined {
    return this.#items[0]
  }

  /** Adds an item, in place of that with its key. */
  put(item: T): void {
    const place = this.#places.get(item.key) ?? this.#items.length
    this.#set(place, item)
    this.#settle(place)
  }

  pop(): T | undefined {
    const [first] = this.#items
    if (first) this.remove(first.key)
    return first
  }

  remove(key: string): T | undefined {
    const place = this.#places.get(key)
    if (place === undefined) return undefined
    const item = this.#items[place]!
    const last = this.#items.pop()!
    this.#places.delete(key)
    if (last !== item) {
      this.#set(place, last)
      this.#settle(place)
    }
    return item
  }

  #set(place: number, item: T): void {
    this.#items[place] = item
    this.#places.set(item.key, place)
  }

  #swap(a: number, b: number): void {
    const item = this.#items[a]!
    this.#set(a, this.#items[b]!)
    this.#set(b, item)
  }

  /** Moves the item at the place up or down to where it belongs. */
  #settle(start: number): void {
    let place = start
    for (let parent = (place - 1) >> 1; place > 0 && this.#precedes(place, parent); parent = (place - 1) >> 1) {
      this.#swap(place, parent)
      place = parent
    }
    for (;;) {
      let first = place
      for (const child of [2 * place + 1, 2 * place + 2])
        if (child < this.#items.length && this.#precedes(child, first)) first = child
      if (first === place) return
      this.#swap(place, first)
      place = first
    }
  }

  #precedes(a: number, b: number): boolean {
    return this.#isBefore(this.#items[a]!, this.#items[b]!)
  }
}
