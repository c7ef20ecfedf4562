import { BriefSet } from '../../util/brief.js'
import type { FlowRequest } from './flow-request.js'

/** Requests that wait in the order in which they came, and what those that came from here have taken so far. */
export class Queue {
  readonly index: number
  readonly waiting = new BriefSet<FlowRequest>()
  /** Requests that have left the queue and have not ended. */
  executing = 0
  seatsInUse = 0
  /** The progress, in seat-seconds, at which the next request would begin if all queues were served at once. */
  nextDispatchR = 0
  /** Sums over the waiting requests. */
  initialSeats = 0
  maxSeats = 0
  work = 0

  constructor(index: number) {
    this.index = index
  }

  get isActive(): boolean {
    return this.executing > 0 || this.waiting.size > 0
  }

  get oldest(): FlowRequest | undefined {
    for (const request of this.waiting) return request
    return undefined
  }

  add(request: FlowRequest): void {
    this.waiting.add(request)
    this.initialSeats += request.estimate.initialSeats
    this.maxSeats += request.seats
    this.work += request.work
  }

  remove(request: FlowRequest): boolean {
    if (!this.waiting.delete(request)) return false
    this.initialSeats -= request.estimate.initialSeats
    this.maxSeats -= request.seats
    // no rest is left by rounding
    this.work = this.waiting.size === 0 ? 0 : this.work - request.work
    return true
  }

  /** A queue that could not use its share may not make up for it later: nothing begins before it has come. */
  keepUp(): void {
    const { oldest } = this
    if (oldest && this.nextDispatchR < oldest.arrivalR) this.nextDispatchR = oldest.arrivalR
  }
}
