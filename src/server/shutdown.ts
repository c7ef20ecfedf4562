/** The first steps of stopping: report not ready, refuse new requests, end watches, wait for what is under way. */
import { type Drain, WatchesEnd } from '../chain/drain.js'
import type { ServerOptions } from '../options.js'
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

/** Whether requests under way need to be counted. */
export const needsDrain = ({ shutdownSendRetryAfter, shutdownWatchTerminationGracePeriod }: ServerOptions): boolean =>
  !!shutdownSendRetryAfter || (shutdownWatchTerminationGracePeriod ?? 0) > 0

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
        const delayMs = options.shutdownDelayDuration ?? 0
        if (delayMs > 0) return wait(delayMs)
      }
    }
  ]
}
