import { createHash } from 'node:crypto'
import type { Clock } from '../../util/clock.js'
import type { ImageReviewStatus } from './review.js'

const maxAnswers = 1024
/** Longer answers are not kept: a webhook may send megabytes. */
const maxLength = 16_384

interface Entry {
  readonly status: ImageReviewStatus
  readonly expires: number
}

/** Remembers the webhook's answers for a while, by a digest of the question. The least recently used are forgotten first. */
export class RecentAnswers {
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(question: string): ImageReviewStatus | undefined {
    const key = digest(question)
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    if (this.#clock.now() >= entry.expires) return undefined
    this.#entries.set(key, entry)
    return entry.status
  }

  set(question: string, status: ImageReviewStatus, milliseconds: number): void {
    if (milliseconds === 0 || JSON.stringify(status).length > maxLength) return
    const key = digest(question)
    this.#entries.delete(key)
    if (this.#entries.size >= maxAnswers) this.#entries.delete(this.#entries.keys().next().value!)
    this.#entries.set(key, { status, expires: this.#clock.now() + milliseconds })
  }
}

const digest = (question: string): string => createHash('sha256').update(question).digest('base64')
