/** The first steps of stopping: report not ready, refuse new requests, end watches, wait for what is under way. */
import { setMaxListeners } from 'node:events'
import { Drain, WatchesEnd } from '../chain/drain.js'
import type { ServerOptions } from '../options.js'
import type { Stage } from '../request/stage.js'
import type { StatusError } from '../status/status.js'
import type { Clock } from '../util/clock.js'
import type { Part } from '../util/part.js'

export interface ShutdownOptions {
  readonly options: ServerOptions
  readonly clock: Clock
  readonly drain: Drain
  /** Reports not ready. */
  readonly leaving: AbortController
  /** Ends watches. */
  readonly stopping: AbortController
}

/** At least as many watches end in a second, however long they may take. */
const watchesPerSecond = 200

/** Milliseconds that requests under way have to end before another state takes the place of theirs. */
const replacementMs = 5000

/** The parts stop in the reverse of their order. */
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
        // another state takes over at once
        if (stopping.signal.aborted) return
        const delayMs = options.shutdownDelayDuration ?? 0
        if (delayMs > 0) return wait(delayMs)
      }
    }
  ]
}

/** Shows the other parts when the server stops. */
export interface ServerShutdown {
  /** Counts requests under way. */
  readonly drain: Stage
  /** Aborts when the server is going to stop, and reports not ready; it goes on serving for --shutdown-delay-duration. */
  readonly leaving: AbortSignal
  /** Aborts when watches end. */
  readonly stopping: AbortSignal
  readonly parts: readonly Part[]
  /** Ends watches with `reason`, because another state takes the place of theirs, and waits for requests under way. */
  replaced(reason: StatusError): Promise<void>
}

export function serverShutdown(options: ServerOptions, clock: Clock): ServerShutdown {
  const drain = new Drain()
  const leaving = new AbortController()
  const stopping = new AbortController()
  // each watch listens
  setMaxListeners(0, stopping.signal)
  return {
    drain: drain.stage,
    leaving: leaving.signal,
    stopping: stopping.signal,
    parts: shutdownParts({ options, clock, drain, leaving, stopping }),
    async replaced(reason) {
      stopping.abort(reason)
      await Promise.race([drain.requestsEnded(), new Promise<void>(resolve => void clock.setTimeout(resolve, replacementMs))])
    }
  }
}
