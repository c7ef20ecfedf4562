/** The first steps of a stop: report not ready, refuse new requests, end watches, wait for requests under way. */
import { setMaxListeners } from 'node:events'
import type { Stage } from '../apimachinery/request/stage.js'
import type { StatusError } from '../apimachinery/status/status.js'
import { Drain, WatchesEnd } from '../apiserver/chain/drain.js'
import { type Clock, systemClock } from '../util/clock.js'
import type { Part } from '../util/part.js'
import type { ServerOptions } from './options.js'

export interface ShutdownOptions {
  readonly options: ServerOptions
  readonly clock: Clock
  readonly drain: Drain
  /** Aborts when the server reports that it is not ready. */
  readonly leaving: AbortController
  /** Aborts when watches end. */
  readonly stopping: AbortController
}

/** The least number of watches that end in a second, however long that takes. */
const watchesPerSecond = 200

/** Milliseconds that running requests have to end before the server's state is replaced. */
const replacementMs = 5000

/** Returns the parts of the shutdown. Parts stop in the reverse of their order. */
export function shutdownParts({ options, clock, drain, leaving, stopping }: ShutdownOptions): Part[] {
  const graceMs = options.shutdownWatchTerminationGracePeriod ?? 0
  const requestMs = options.requestTimeout ?? 60_000
  const wait = (milliseconds: number) => new Promise<void>(resolve => void clock.setTimeout(resolve, milliseconds))
  const within = (work: Promise<void>, milliseconds: number) => Promise.race([work, wait(milliseconds)])
  const retries = !!options.shutdownSendRetryAfter
  return [
    {
      name: 'requests under way',
      stop: () => (retries ? within(drain.requestsEnded(), requestMs) : undefined)
    },
    {
      name: 'watches',
      stop() {
        const spreadMs = Math.min(graceMs, (drain.watches / watchesPerSecond) * 1000)
        stopping.abort(new WatchesEnd(spreadMs))
        if (graceMs > 0) return within(drain.watchesEnded(), graceMs)
      }
    },
    {
      name: 'new requests',
      stop() {
        if (retries) drain.refuse()
      }
    },
    {
      name: 'readiness',
      stop() {
        leaving.abort()
        // another state takes over at once, without a delay
        if (stopping.signal.aborted) return
        const delayMs = options.shutdownDelayDuration ?? 0
        if (delayMs > 0) return wait(delayMs)
      }
    }
  ]
}

/** Lets the other parts of the server know that it stops. */
export interface ServerShutdown {
  /** Counts requests under way. */
  readonly drain: Stage
  /** Aborts when the server reports that it is not ready; it keeps serving for --shutdown-delay-duration. */
  readonly leaving: AbortSignal
  /** Aborts when watches end. */
  readonly stopping: AbortSignal
  readonly parts: readonly Part[]
  /** Ends watches with `reason`, because the server's state is replaced, and waits for requests under way. */
  replaced(reason: StatusError): Promise<void>
}

export function serverShutdown(options: ServerOptions, clock: Clock): ServerShutdown {
  const drain = new Drain()
  const leaving = new AbortController()
  const stopping = new AbortController()
  // every watch adds a listener
  setMaxListeners(0, stopping.signal)
  return {
    drain: drain.stage,
    leaving: leaving.signal,
    stopping: stopping.signal,
    parts: shutdownParts({ options, clock, drain, leaving, stopping }),
    async replaced(reason) {
      stopping.abort(reason)
      // real time, because the server's own clock may stand still
      await Promise.race([
        drain.requestsEnded(),
        new Promise<void>(resolve => void systemClock.setTimeout(resolve, replacementMs))
      ])
    }
  }
}
