/**
 * Deletes Events some time after they were last written (--event-ttl). kube-apiserver leaves that to a lease of etcd, which other
 * stores do not have.
 */
import type { Event } from '../apimachinery/api/generated/core-v1.js'
import * as refs from '../apimachinery/api/resources.js'
import type { Client } from '../registry/client.js'
import type { Services } from '../registry/services.js'
import type { WatchHandle } from '../storage/contract.js'
import { follow } from '../storage/follow.js'
import type { Timer } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { nextTurn } from '../util/turns.js'

export interface EventExpiryOptions {
  readonly services: Services
  readonly client: Client
  /** Milliseconds for which an Event is kept after its last write. */
  readonly ttl: number
  readonly log: Logger
}

/** Milliseconds between two looks for expired Events. kube-apiserver uses a lease of etcd for new Events for as long. */
const intervalMs = 60_000

const mostAtOnce = 50

interface Expiry {
  readonly at: number
  readonly namespace: string
  readonly name: string
}

export class EventExpiry implements Part {
  readonly name = 'expiry of Events'
  readonly #options: EventExpiryOptions
  /** The Events by key; those that expire first stand first, because every change puts its Event at the end. */
  readonly #expiries = new Map<string, Expiry>()
  #handle: WatchHandle | undefined
  #timer: Timer | undefined
  #sweeping: Promise<void> | undefined
  #stopped = false

  constructor(options: EventExpiryOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { services, ttl } = this.#options
    const events = services.registry.of(refs.events)
    await events.cache.load()
    const present = [...events.cache.range('')].map(cached => ({ cached, at: lastWritten(events.parse(cached)) + ttl }))
    for (const { cached, at } of present.sort((a, b) => a.at - b.at)) {
      const { key, namespace, name } = cached
      this.#expiries.set(key, { namespace, name, at })
    }
    this.#handle = follow(events.cache, {
      changed: ({ current, previous, revision }) => {
        if (revision === undefined) return
        this.#expiries.delete((current ?? previous)!.key)
        if (!current) return
        const { key, namespace, name } = current
        this.#expiries.set(key, { namespace, name, at: services.clock.now() + ttl })
      }
    })
    this.#schedule()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    this.#handle?.close()
    await this.#sweeping
  }

  #schedule(): void {
    if (this.#stopped) return
    const { services, ttl, log } = this.#options
    this.#timer = services.clock.setTimeout(
      () => {
        this.#sweeping = this.#sweep()
          .catch(error => log.error(`expiry of Events: ${error instanceof Error ? error.message : error}`))
          .then(() => this.#schedule())
      },
      Math.min(intervalMs, Math.max(ttl, 1000))
    )
  }

  /** Deletes what has expired, many at a time, because each deletion waits for the disk. An Event that is written meanwhile stays. */
  async #sweep(): Promise<void> {
    const now = this.#options.services.clock.now()
    while (!this.#stopped) {
      const expired: [string, Expiry][] = []
      for (const entry of this.#expiries) {
        if (entry[1].at > now || expired.length === mostAtOnce) break
        expired.push(entry)
      }
      if (expired.length === 0) return
      for (const [key] of expired) this.#expiries.delete(key)
      const results = await Promise.allSettled(expired.map(([, { namespace, name }]) => this.#delete(namespace, name)))
      let failure: unknown
      for (const [i, [key, expiry]] of expired.entries()) {
        const result = results[i]!
        if (result.status === 'fulfilled') continue
        failure = result.reason
        // the next sweep tries again
        if (!this.#expiries.has(key)) this.#expiries.set(key, expiry)
      }
      if (failure !== undefined) throw failure
      await nextTurn()
    }
  }

  async #delete(namespace: string, name: string): Promise<void> {
    const { services, client } = this.#options
    const events = services.registry.of(refs.events)
    const cached = events.get(namespace, name)
    if (!cached) return
    const { resourceVersion } = events.parse(cached).metadata
    try {
      await client.delete(events, namespace, name, { preconditions: { resourceVersion } })
    } catch (error) {
      const { code } = error as { code?: unknown }
      // somebody else has written or deleted it
      if (code !== 409 && code !== 404) throw error
    }
  }
}

/** Milliseconds since 1970. */
function lastWritten({ metadata }: Event): number {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)]
  return Math.max(...times.map(time => (time ? Date.parse(time) : 0)))
}
