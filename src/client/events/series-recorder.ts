/**
 * Writes Events of events.k8s.io as client-go's newer recorder does: in the background, and what happens again as one Event with a
 * series. https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/
 */
import type { ObjectReference } from '../../apimachinery/api/generated/core-v1.js'
import type { Event } from '../../apimachinery/api/generated/events-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Clock, Timer } from '../../util/clock.js'
import type { Logger } from '../../util/logger.js'
import { microTime } from '../../util/time.js'
import type { Draft, ResourceClient, KubeClient as StoredClient } from '../stored-types.js'
import type { KubeClient } from '../types.js'
import { EventNames } from './event-names.js'

export interface SeriesRecorderOptions {
  /** `reportingController` of the Events. */
  readonly controller: string
  /** The host on which the controller runs: a part of `reportingInstance`. */
  readonly host: string
  readonly client: KubeClient
  readonly clock: Clock
  readonly log: Logger
  /** Shared by all recorders of a cluster, so that no two Events have one name. */
  readonly names?: EventNames | undefined
  /** Resolves when the next Event may be written, of so many that wait; at once, where left out. */
  readonly turn?: ((events: number) => Promise<void>) | undefined
}

export interface SeriesEvent {
  readonly regarding: KubeObject
  readonly related?: KubeObject | undefined
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly action: string
  readonly note: string
}

/** What is written of an Event. */
type Written = Draft<Event> & { readonly metadata: { readonly name: string; readonly namespace: string } }

interface Known {
  readonly event: Written
  readonly since: number
  series: { count: number; lastObserved: number } | undefined
}

/** How many Events wait to be written. Those beyond are lost. */
const longestQueue = 10_000
/** A series ends when nothing has happened for so long. */
const finishMs = 360_000
/** The count of a series is written so often, in rounds of `finishMs`. */
const roundsToRefresh = 5

export class SeriesRecorder {
  readonly #options: SeriesRecorderOptions
  readonly #events: ResourceClient<Event & KubeObject>
  readonly #known = new Map<string, Known>()
  readonly #queue: (() => Promise<unknown>)[] = []
  #writing: Promise<void> | undefined
  #timer: Timer | undefined
  #round = 0
  #stopped = false
  readonly #names: EventNames

  constructor(options: SeriesRecorderOptions) {
    this.#options = options
    this.#events = (options.client as StoredClient).of('events.k8s.io/v1', 'Event')
    this.#names = options.names ?? new EventNames()
  }

  /** Whether Events are still to be written. */
  get isBusy(): boolean {
    return this.#writing !== undefined
  }

  record(happened: SeriesEvent): void {
    if (this.#stopped) return
    const event = this.#eventOf(happened)
    const { type, action, reason, regarding, related } = event
    const key = JSON.stringify([type, action, reason, regarding, related])
    const known = this.#known.get(key)
    const now = this.#options.clock.now()
    if (!known) {
      this.#known.set(key, { event, since: now, series: undefined })
      this.#timer ??= this.#options.clock.setTimeout(() => this.#tidy(), finishMs)
      this.#enqueue(() => this.#events.create(event))
    } else if (known.series) {
      known.series.count++
      known.series.lastObserved = now
    } else {
      known.series = { count: 2, lastObserved: now }
      this.#enqueue(() => this.#writeSeries(known))
    }
  }

  #eventOf({ regarding, related, type, reason, action, note }: SeriesEvent): Written {
    const { controller, host, clock } = this.#options
    const { name, namespace } = regarding.metadata
    const now = clock.now()
    return {
      metadata: { name: this.#names.nameFor(name, now), namespace: namespace || 'default' },
      eventTime: microTime(now),
      reportingController: controller,
      reportingInstance: `${controller}-${host}`,
      action,
      reason,
      regarding: referenceTo(regarding),
      ...(related ? { related: referenceTo(related) } : {}),
      note,
      type
    }
  }

  async #writeSeries({ event, series }: Known): Promise<void> {
    const written = { count: series!.count, lastObservedTime: microTime(series!.lastObserved) }
    try {
      await this.#events.patch(event, { series: written }, { type: 'strategic' })
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error
      await this.#events.create({ ...event, series: written })
    }
  }

  /** Ends what has not happened again for long, and writes how often the others did. */
  #tidy(): void {
    const oldest = this.#options.clock.now() - finishMs
    const refreshes = ++this.#round % roundsToRefresh === 0
    for (const [key, known] of this.#known) {
      const { series, since } = known
      const isOver = (series?.lastObserved ?? since) < oldest
      if (series && (isOver || refreshes)) this.#enqueue(() => this.#writeSeries(known))
      if (isOver) this.#known.delete(key)
    }
    this.#timer = this.#known.size > 0 ? this.#options.clock.setTimeout(() => this.#tidy(), finishMs) : undefined
  }

  #enqueue(write: () => Promise<unknown>): void {
    if (this.#stopped || this.#queue.length >= longestQueue) return
    this.#queue.push(write)
    this.#writing ??= this.#write()
  }

  async #write(): Promise<void> {
    const { turn } = this.#options
    for (let next = 0; next < this.#queue.length; next++) {
      if (turn) await turn(this.#queue.length - next)
      if (this.#stopped) break
      try {
        await this.#queue[next]!()
      } catch (error) {
        // Events are the first thing that a server under pressure refuses, and the last that somebody misses
        if (!(error instanceof StatusError)) this.#options.log.warn(`cannot write an Event: ${error}`)
      }
    }
    this.#queue.length = 0
    this.#writing = undefined
  }

  /** Resolves when no Event is being written any more. Those that wait are lost. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#writing
  }
}

function referenceTo({ kind, apiVersion, metadata }: KubeObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata
  return { kind, namespace, name, uid, apiVersion, resourceVersion }
}
