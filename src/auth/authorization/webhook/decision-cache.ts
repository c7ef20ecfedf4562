/** Remembers a webhook's decisions for a while, and forgets those first that were not asked for lately. */
import { createHash } from 'node:crypto'
import type { Decision } from '../../../apimachinery/request/authorization.js'
import type { Clock } from '../../../util/clock.js'

const maxEntries = 8192
/** Longer questions are known by their digest, so that the size of the cache is bounded. */
const maxKeyLength = 1024

interface Entry {
  readonly decision: Decision
  readonly expires: number
}

/**
 * Half of the entries are the recent ones. When that half is full, it replaces the other one, so finding an entry moves it at
 * most once.
 */
export class DecisionCache {
  readonly #clock: Clock
  #recent = new Map<string, Entry>()
  #others = new Map<string, Entry>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(question: string): Decision | undefined {
    const key = keyOf(question)
    let entry = this.#recent.get(key)
    if (!entry) {
      entry = this.#others.get(key)
      if (!entry) return undefined
      this.#others.delete(key)
      this.#add(key, entry)
    }
    if (this.#clock.now() < entry.expires) return entry.decision
    this.#recent.delete(key)
    return undefined
  }

  set(question: string, decision: Decision, milliseconds: number): void {
    if (milliseconds <= 0) return
    const key = keyOf(question)
    this.#others.delete(key)
    this.#add(key, { decision, expires: this.#clock.now() + milliseconds })
  }

  #add(key: string, entry: Entry): void {
    this.#recent.set(key, entry)
    if (this.#recent.size < maxEntries / 2) return
    this.#others = this.#recent
    this.#recent = new Map()
  }
}

const keyOf = (question: string): string =>
  question.length > maxKeyLength ? createHash('sha256').update(question).digest('base64') : question
