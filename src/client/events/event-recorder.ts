/**
 * Writes Events as client-go's recorder does: in the background, similar ones as one object with a count, and not too many about one
 * object.
 */
import type { Event } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Clock } from '../../util/clock.js'
import type { Logger } from '../../util/logger.js'
import { timestamp } from '../../util/time.js'
import type { ResourceClient, KubeClient as StoredClient } from '../stored-types.js'
import type { KubeClient } from '../types.js'
import { EventCorrelator } from './event-correlator.js'
import { EventNames } from './event-names.js'

export interface EventRecorderOptions {
  /** `source.component` of the Events. */
  readonly component: string
  /** `source.host`; left out for what runs on no Node. */
  readonly host?: string | undefined
  readonly client: KubeClient
  readonly clock: Clock
  readonly log: Logger
  /** Shared by all recorders of a cluster, so that no two Events have one name. */
  readonly names?: EventNames | undefined
  /** Resolves when the next Event may be written, of so many that wait; at once, where left out. */
  readonly turn?: ((events: number) => Promise<void>) | undefined
}

export interface Recorded {
  readonly object: KubeObject
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** The part of the object that the Event is about, such as `spec.containers{web}`. */
  readonly fieldPath?: string | undefined
}

/** How many Events wait to be written. As in client-go, those beyond are lost. */
const longestQueue = 1000

export class EventRecorder {
  readonly #options: EventRecorderOptions
  readonly #events: ResourceClient<Event & KubeObject>
  readonly #correlator: EventCorrelator
  readonly #queue: Event[] = []
  #writing: Promise<void> | undefined
  #stopped = false
  #finished = false
  readonly #names: EventNames

  constructor(options: EventRecorderOptions) {
    this.#options = options
    this.#events = (options.client as StoredClient).of('v1', 'Event')
    this.#correlator = new EventCorrelator(options.clock)
    this.#names = options.names ?? new EventNames()
  }

  /** Whether Events are still to be written. */
  get isBusy(): boolean {
    return this.#writing !== undefined
  }

  normal(object: KubeObject, reason: string, message: string): void {
    this.record({ object, type: 'Normal', reason, message })
  }

  warning(object: KubeObject, reason: string, message: string): void {
    this.record({ object, type: 'Warning', reason, message })
  }

  record(recorded: Recorded): void {
    if (this.#finished || this.#queue.length >= longestQueue) return
    this.#queue.push(this.#eventOf(recorded))
    this.#writing ??= this.#write()
  }

  #eventOf({ object, type, reason, message, fieldPath }: Recorded): Event {
    const { component, host, clock } = this.#options
    const { name, namespace, uid, resourceVersion } = object.metadata
    const now = timestamp(clock.now())
    return {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: { name: this.#names.nameFor(name, clock.now()), namespace: namespace || 'default' },
      involvedObject: { kind: object.kind, namespace, name, uid, apiVersion: object.apiVersion, resourceVersion, fieldPath },
      reason,
      message,
      source: { component, host },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      eventTime: null,
      reportingComponent: component,
      reportingInstance: host ?? ''
    }
  }

  async #write(): Promise<void> {
    const { turn } = this.#options
    while (this.#queue.length > 0) {
      if (turn) await turn(this.#queue.length)
      if (this.#stopped) break
      try {
        await this.#writeOne(this.#queue.shift()!)
      } catch (error) {
        // Events are the first thing that a server under pressure refuses, and the last that somebody misses
        if (!(error instanceof StatusError)) this.#options.log.warn(`cannot write an Event: ${error}`)
      }
    }
    this.#writing = undefined
  }

  async #writeOne(event: Event): Promise<void> {
    const { clock } = this.#options
    const known = this.#correlator.take(event)
    if (!known) return
    if (known.patch) {
      try {
        await this.#events.patch({ metadata: known.patch.metadata }, known.patch.change, { type: 'strategic' })
        return
      } catch (error) {
        // the object has expired, and begins anew
        if (!(error instanceof StatusError && error.code === 404)) throw error
      }
    }
    const written = { ...known.event, metadata: { ...known.event.metadata, creationTimestamp: timestamp(clock.now()) } }
    const { name } = (await this.#events.create(written)).metadata
    // the object's text of the namespace, which is there already
    known.written({ name, namespace: written.metadata.namespace })
  }

  /** Takes no more Events. Resolves when those that wait are written. */
  async finish(): Promise<void> {
    this.#finished = true
    await this.#writing
  }

  /** Resolves when no Event is being written any more. Those that wait are lost. */
  async stop(): Promise<void> {
    this.#finished = true
    this.#stopped = true
    await this.#writing
  }
}
