/** Decides what becomes of an Event: a new object, a higher count of one, or nothing. The numbers are those of client-go's EventCorrelator. */
import { createHash } from 'node:crypto'
import type { Event } from '../../apimachinery/api/generated/core-v1.js'
import type { Clock } from '../../util/clock.js'

interface NameOf {
  readonly name?: string | undefined
  readonly namespace?: string | undefined
}

/** What is to be written. */
export interface Correlated {
  readonly event: Event
  /** The change of the Event that is there already. */
  readonly patch?: { readonly metadata: NameOf; readonly change: object } | undefined
  /** Is to be called with the name of a new object. */
  written(metadata: NameOf): void
}

/** Events about one object and from one source: 25 at once, then one in five minutes. */
const burst = 25
const refillMs = 300_000
/** From the tenth message of one reason on within ten minutes, messages are combined. */
const mostSimilar = 10
const similarMs = 600_000
/** The most keys that are remembered of each sort; the oldest is forgotten first. */
const mostKeys = 4096

interface Bucket {
  tokens: number
  since: number
}
interface Similar {
  /** Digests of different ones, up to `mostSimilar`. */
  readonly messages: string[]
  last: number
}
interface Seen {
  readonly metadata: NameOf
  count: number
}

/**
 * Correlates the Events of one source. A simulated cluster has many sources and remembers tens of thousands of Events, so what is only
 * compared, keys and messages, is remembered as digests.
 */
export class EventCorrelator {
  readonly #clock: Clock
  readonly #buckets = new Recent<Bucket>()
  readonly #similar = new Recent<Similar>()
  readonly #seen = new Recent<Seen>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Undefined for an Event that is one too many. */
  take(given: Event): Correlated | undefined {
    const isCombined = this.#isCombined(given)
    const event = isCombined ? { ...given, message: `(combined from similar events): ${given.message}` } : given
    // combined ones are one object, which has the last message
    const key = isCombined ? similarKey(event) : similarKey(event, event.message)
    const seen = this.#seen.get(key)
    const remember = (metadata: NameOf) => this.#seen.set(key, { metadata, count: 1 })
    // those that are not written count, too
    const count = seen ? ++seen.count : 1
    if (!this.#mayPass(event)) return undefined
    if (!seen) return { event, written: remember }
    const change = { count, lastTimestamp: event.lastTimestamp, message: event.message }
    return { event, patch: { metadata: seen.metadata, change }, written: remember }
  }

  #mayPass({ type, involvedObject }: Event): boolean {
    const key = digest(objectKey(involvedObject), type)
    const now = this.#clock.now()
    const bucket = this.#buckets.get(key) ?? { tokens: burst, since: now }
    const refilled = Math.min(burst, bucket.tokens + (now - bucket.since) / refillMs)
    const passes = refilled >= 1
    this.#buckets.set(key, { tokens: passes ? refilled - 1 : refilled, since: now })
    return passes
  }

  #isCombined(event: Event): boolean {
    const key = similarKey(event)
    const now = this.#clock.now()
    const known = this.#similar.get(key)
    const similar = known && now - known.last <= similarMs ? known : { messages: [], last: now }
    similar.last = now
    this.#similar.set(key, similar)
    const { messages } = similar
    const message = digest(event.message)
    if (messages.length < mostSimilar && !messages.includes(message)) messages.push(message)
    return messages.length >= mostSimilar
  }
}

/** A uid is of one object only. */
const objectKey = ({ uid, kind, namespace, name, apiVersion }: Event['involvedObject']): string =>
  uid || [kind, namespace, name, apiVersion].join('\0')

const similarKey = ({ involvedObject, type, reason }: Event, ...more: readonly (string | undefined)[]): string =>
  digest(objectKey(involvedObject), involvedObject.fieldPath, type, reason, ...more)

/** Twelve characters that stand for some texts. */
const digest = (...texts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(texts.join('\0')).digest('base64').slice(0, 12)

/** A map that forgets what was set longest ago. */
class Recent<T> {
  readonly #values = new Map<string, T>()

  get(key: string): T | undefined {
    return this.#values.get(key)
  }

  set(key: string, value: T): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size > mostKeys) this.#values.delete(this.#values.keys().next().value!)
  }
}
