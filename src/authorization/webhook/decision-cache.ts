/** Remembers the decisions of a webhook for a while, the ones that were asked for last. */
import { createHash } from 'node:crypto'
import type { Decision } from '../../request/authorization.js'
import type { Clock } from '../../util/clock.js'

const maxEntries = 8192
/** Longer questions are known by their digest, so that the size of the cache is bounded. */
const maxKeyLength = 1024

interface Entry {
  readonly decision: Decision
  readonly expires: number
}

export class DecisionCache {
  readonly #clock: Clock
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(question: string): Decision | undefined {
    if (this.#entries.size === 0) return undefined
    const key = keyOf(question)
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    if (this.#clock.now() >= entry.expires) return undefined
    this.#entries.set(key, entry)
    return entry.decision
  }

  set(question: string, decision: Decision, milliseconds: number): void {
    if (milliseconds <= 0) return
    const key = keyOf(question)
    this.#entries.delete(key)
    this.#entries.set(key, { decision, expires: this.#clock.now() + milliseconds })
    if (this.#entries.size > maxEntries) this.#entries.delete(this.#entries.keys().next().value!)
  }
}

const keyOf = (question: string): string =>
  question.length > maxKeyLength ? createHash('sha256').update(question).digest('base64') : question
