/** A seeded source of random choices (mulberry32), so that a run can be repeated. */
export class Random {
  #state

  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** At least 0, below 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number below `limit`. */
  below(limit) {
    return Math.floor(this.next() * limit)
  }

  chance(probability) {
    return this.next() < probability
  }

  pick(list) {
    return list[this.below(list.length)]
  }

  /** Up to `most` of the list, in any order, possibly twice. */
  some(list, most) {
    return list.length === 0 ? [] : Array.from({ length: this.below(most + 1) }, () => this.pick(list))
  }

  word(length) {
    return Array.from({ length }, () => String.fromCharCode(97 + this.below(26))).join('')
  }

  hex(length) {
    return Array.from({ length }, () => this.below(16).toString(16)).join('')
  }
}
