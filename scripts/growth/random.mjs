/** Random values from a seed, so that every run has the same objects. */
export class Random {
  #state

  constructor(seed) {
    this.#state = seed
  }

  /** An integer from 0 to limit - 1 (mulberry32). */
  below(limit) {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  word(length) {
    return Array.from({ length }, () => String.fromCharCode(97 + this.below(26))).join('')
  }

  hex(length) {
    return Array.from({ length }, () => this.below(16).toString(16)).join('')
  }
}
