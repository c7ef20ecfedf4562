import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Queue } from './queue.js'
import type { Flow } from './schemas.js'

/** How much of the server a request is expected to take. */
export interface WorkEstimate {
  /** Seats while the request is answered. */
  readonly initialSeats: number
  /** Seats after the answer, for `additionalMs`: while watchers are told of a write. */
  readonly finalSeats: number
  readonly additionalMs: number
}

/** How many seconds a request is expected to take, as long as it has not ended. */
export const expectedSeconds = 0.003

/** A request that waits in a queue, or has seats. */
export class FlowRequest {
  readonly flow: Flow
  readonly context: RequestContext
  /** Milliseconds, by the clock of the queue set. */
  readonly arrivedAt: number
  readonly seats: number
  /** The work in seat-seconds. */
  readonly work: number
  estimate: WorkEstimate
  startedAt = 0
  /** Whether the request has begun and is not answered yet. */
  isUnderWay = false
  /** The queue set's progress when the request came. */
  arrivalR = 0
  /** Undefined for a request that could not wait. */
  queue: Queue | undefined
  /** The time at which it has waited too long, in milliseconds. */
  waitsUntil = Number.POSITIVE_INFINITY
  /** Called when the request has waited: with true when it has its seats, with false when it is refused. */
  decided: ((begins: boolean) => void) | undefined

  constructor(flow: Flow, context: RequestContext, estimate: WorkEstimate, now: number) {
    this.flow = flow
    this.context = context
    this.estimate = estimate
    this.arrivedAt = now
    const { initialSeats, finalSeats, additionalMs } = estimate
    this.seats = Math.max(initialSeats, finalSeats)
    this.work = initialSeats * expectedSeconds + (finalSeats * additionalMs) / 1000
  }
}
