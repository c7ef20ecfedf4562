/**
 * The seats and queues of one priority level, by fair queuing
 * (https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/1040-priority-and-fairness).
 *
 * `currentR` is the progress of a queue that gets its fair part, in seat-seconds. The queue whose oldest request would end first is
 * next. Progress counts the seats that requests have; kube-apiserver counts those that they could have. The reason is that requests
 * wait for the thread and not for seats (pace.ts), so unused seats let no queue progress faster.
 */

import { BriefSet } from '../../util/brief.js'
import type { Clock } from '../../util/clock.js'
import { expectedSeconds, type FlowRequest } from './flow-request.js'
import type { FlowStats, Refusal } from './flow-stats.js'
import type { LevelStats } from './level-stats.js'
import type { Pace, Paced } from './pace.js'
import { Queue } from './queue.js'
import type { SeatDemand } from './seat-demand.js'

/** Less work than any request takes, in seat-seconds. */
const tiny = 1e-6

export interface Queuing {
  readonly queues: number
  readonly queueLengthLimit: number
  readonly handSize: number
}

export interface QueueSetParts {
  /** The time in milliseconds, with a fraction. */
  readonly now: () => number
  readonly clock: Clock
  readonly pace: Pace
  readonly stats: LevelStats
  readonly demand: SeatDemand
}

/** What the latest dispatch from a queue found, for the metrics. */
export interface LatestDispatch {
  r: number
  s: number
  min: number
  max: number
  discountedMin: number
  discountedMax: number
}

export type Started = 'begins' | 'waits' | 'refused'

export class QueueSet implements Paced {
  readonly #parts: QueueSetParts
  readonly #exempt: boolean
  /** The queues' numbers; undefined when requests that cannot begin at once are refused. */
  #queuing: Queuing | undefined
  #limit = 0
  /** The queues, made when they are first used. Those beyond the configured number are left to run empty. */
  readonly #queues: (Queue | undefined)[] = []
  /** The queues with waiting requests. */
  readonly #busy = new Set<Queue>()
  /** How many queues have waiting or executing requests. */
  #active = 0
  readonly executing = new BriefSet<FlowRequest>()
  waiting = 0
  seatsInUse = 0
  #seatsInQueues = 0
  #seatsWaiting = 0
  #enqueued = 0
  /** The index of the queue that was served last. */
  #robin = -1
  #currentR = 0
  #progressAt: number
  #waitTimer: { readonly at: number; cancel(): void } | undefined
  pass = 0
  weight = 1
  dispatched = 0
  rejected = 0
  cancelled = 0
  latest: LatestDispatch | undefined

  constructor(parts: QueueSetParts, exempt: boolean) {
    this.#parts = parts
    this.#exempt = exempt
    this.#progressAt = parts.now()
  }

  /** `limit` is the number of seats that requests may have, `denominator` the one by which metrics measure. */
  configure(queuing: Queuing | undefined, limit: number, denominator: number): void {
    const { stats, now } = this.#parts
    const at = this.#advance()
    // the old queues run empty by their own rules
    const { queueLengthLimit = 1 } = queuing ?? this.#queuing ?? {}
    this.#queuing = queuing
    this.#limit = limit
    stats.waiting.setLimit(Math.max(queueLengthLimit, 1) * (queuing?.queues ?? 1), at)
    stats.executing.setLimit(denominator, at)
    stats.seats.setLimit(denominator, at)
    stats.demand.setLimit(denominator, now())
    this.#dropExcess()
    if (this.waiting > 0) this.#parts.pace.wake(this)
  }

  get isIdle(): boolean {
    return this.waiting === 0 && this.executing.size === 0
  }

  get limit(): number {
    return this.#limit
  }

  get currentR(): number {
    return this.#currentR
  }

  /** The configured queues, and those that still run empty. A queue that has never been used is undefined. */
  get queues(): { readonly length: number; at(index: number): Queue | undefined } {
    const length = Math.max(this.#queuing?.queues ?? 0, this.#queues.length)
    return { length, at: index => this.#queues[index] }
  }

  /** Lets a request begin, wait or go. `finish` must be called for one that has begun, `leave` for one that no longer waits. */
  start(request: FlowRequest): Started {
    const now = this.#advance()
    const { flow, seats } = request
    const { stats } = flow.schema
    const queuing = this.#queuing
    if (!queuing) {
      if (!this.#exempt && !this.#hasSeats(seats)) return this.#refused(stats, 'concurrency-limit')
      this.#begin(request, undefined, now)
      return 'begins'
    }
    const queue = this.#choose(flow.hand)
    if (queue.isActive) request.arrivalR = this.#currentR
    else request.arrivalR = queue.nextDispatchR = this.#startR()
    if (this.waiting === 0 && this.#hasSeats(seats) && this.#parts.pace.isFree()) {
      stats.queueLengths.observe(1)
      const s = queue.nextDispatchR
      const discounted = s - queue.seatsInUse * expectedSeconds
      this.#noteDispatch(queue, s, s, discounted, discounted)
      this.#begin(request, queue, now)
      return 'begins'
    }
    // where seats are free, only the thread is waited for
    if (queue.waiting.size >= queuing.queueLengthLimit && this.seatsInUse + this.#seatsWaiting >= this.#limit)
      return this.#refused(stats, 'queue-full')
    this.#enqueue(request, queue, now)
    this.#parts.pace.wake(this)
    return request.isUnderWay ? 'begins' : 'waits'
  }

  /** Removes a request from its queue. Returns false when it did not wait any more. */
  leave(request: FlowRequest): boolean {
    const queue = request.queue!
    if (!queue.waiting.has(request)) return false
    const now = this.#advance()
    this.#dequeue(request, queue, now)
    queue.keepUp()
    this.#releaseQueue(queue)
    this.rejected++
    this.cancelled++
    request.flow.schema.stats.reject('time-out')
    this.#demandChanged(now)
    if (this.waiting > 0) this.#parts.pace.wake(this)
    return true
  }

  /** Takes back the seats of a request that has been answered. */
  finish(request: FlowRequest): void {
    const now = this.#advance()
    const { queue, estimate, flow } = request
    const { clock, stats } = this.#parts
    this.executing.delete(request)
    request.isUnderWay = false
    flow.schema.stats.executing--
    stats.executing.add(-1, now)
    if (queue) {
      queue.executing--
      if (!queue.isActive) this.#active--
      // charges what it really took
      queue.nextDispatchR -= estimate.initialSeats * (expectedSeconds - (now - request.startedAt) / 1000)
      queue.keepUp()
      this.#parts.pace.ended()
    }
    if (estimate.additionalMs <= 0) this.#release(request, now)
    else clock.setTimeout(() => this.#release(request, this.#advance()), estimate.additionalMs)
  }

  #release(request: FlowRequest, now: number): void {
    const { queue, seats, flow } = request
    this.seatsInUse -= seats
    flow.schema.stats.executingSeats -= seats
    this.#parts.stats.seats.add(-seats, now)
    if (queue) {
      queue.seatsInUse -= seats
      this.#seatsInQueues -= seats
      this.#releaseQueue(queue)
    }
    this.#demandChanged(now)
    if (this.waiting > 0) this.#parts.pace.wake(this)
  }

  /** Lets that request begin which fair queuing puts next. */
  dispatchOne(): FlowRequest | undefined {
    if (this.waiting === 0 || this.seatsInUse >= this.#limit) return undefined
    const now = this.#advance()
    let [min, max, discountedMin, discountedMax] = [Infinity, -Infinity, Infinity, -Infinity]
    let best: Queue | undefined
    let bestEnd = Infinity
    const round = this.queues.length
    const turnsAway = (queue: Queue) => (queue.index - this.#robin - 1 + round) % round
    for (const queue of this.#busy) {
      const { nextDispatchR } = queue
      const discounted = nextDispatchR - queue.seatsInUse * expectedSeconds
      min = Math.min(min, nextDispatchR)
      max = Math.max(max, nextDispatchR)
      discountedMin = Math.min(discountedMin, discounted)
      discountedMax = Math.max(discountedMax, discounted)
      const end = nextDispatchR + queue.oldest!.work
      if (end < bestEnd || (end === bestEnd && turnsAway(queue) < turnsAway(best!))) [best, bestEnd] = [queue, end]
    }
    const queue = best!
    const request = queue.oldest!
    if (!this.#hasSeats(request.seats)) {
      request.flow.schema.stats.noAccommodation++
      return undefined
    }
    this.#noteDispatch(queue, min, max, discountedMin, discountedMax)
    this.#dequeue(request, queue, now)
    this.#begin(request, queue, now)
    queue.keepUp()
    request.decided?.(true)
    return request
  }

  /** Returns where a queue starts that has been empty: before all queues that have been served since. */
  #startR(): number {
    let start = this.#currentR
    for (const { nextDispatchR } of this.#busy) if (nextDispatchR <= start) start = nextDispatchR - tiny
    return start
  }

  /**
   * Records which queue is served, and the bounds of what the waiting queues have been served, with and without what executes.
   */
  #noteDispatch(queue: Queue, min: number, max: number, discountedMin: number, discountedMax: number): void {
    const latest = (this.latest ??= { r: 0, s: 0, min, max, discountedMin, discountedMax })
    latest.r = this.#currentR
    latest.s = queue.nextDispatchR
    latest.min = min
    latest.max = max
    latest.discountedMin = discountedMin
    latest.discountedMax = discountedMax
    this.#robin = queue.index
  }

  /** Returns the queue of the hand with the least work; among equal ones, not always the same. */
  #choose(hand: readonly number[]): Queue {
    const offset = this.#enqueued++ % hand.length
    let best: number | undefined
    let least = Infinity
    for (let i = 0; i < hand.length; i++) {
      const index = hand[(offset + i) % hand.length]!
      const work = this.#queues[index]?.work ?? 0
      if (work < least) [best, least] = [index, work]
    }
    return (this.#queues[best!] ??= new Queue(best!))
  }

  #hasSeats(seats: number): boolean {
    // a request that is wider than the level has it for itself
    return seats > this.#limit ? this.executing.size === 0 : this.seatsInUse + seats <= this.#limit
  }

  #refused(stats: FlowStats, why: Refusal): 'refused' {
    this.rejected++
    stats.reject(why)
    return 'refused'
  }

  #enqueue(request: FlowRequest, queue: Queue, now: number): void {
    const { stats } = request.flow.schema
    if (!queue.isActive) this.#active++
    queue.add(request)
    request.queue = queue
    this.#busy.add(queue)
    this.waiting++
    this.#seatsWaiting += request.seats
    queue.keepUp()
    stats.waiting++
    stats.waitingSeats += request.seats
    stats.queueLengths.observe(queue.waiting.size)
    this.#parts.stats.waiting.add(1, now)
    this.#demandChanged(now)
  }

  #dequeue(request: FlowRequest, queue: Queue, now: number): void {
    const { stats } = request.flow.schema
    queue.remove(request)
    if (queue.waiting.size === 0) this.#busy.delete(queue)
    if (!queue.isActive) this.#active--
    this.waiting--
    this.#seatsWaiting -= request.seats
    stats.waiting--
    stats.waitingSeats -= request.seats
    this.#parts.stats.waiting.add(-1, now)
  }

  #begin(request: FlowRequest, queue: Queue | undefined, now: number): void {
    const { seats, flow } = request
    const { stats } = flow.schema
    request.startedAt = now
    request.isUnderWay = true
    request.queue = queue
    this.executing.add(request)
    this.seatsInUse += seats
    if (queue) {
      if (!queue.isActive) this.#active++
      queue.executing++
      queue.seatsInUse += seats
      this.#seatsInQueues += seats
      queue.nextDispatchR += request.work
      this.#narrow(request)
      this.#parts.pace.began()
    }
    stats.executing++
    stats.executingSeats += seats
    stats.dispatched++
    this.dispatched++
    this.#parts.stats.executing.add(1, now)
    this.#parts.stats.seats.add(seats, now)
    this.#demandChanged(now)
  }

  /** Makes final work with more seats than the level has take longer instead. */
  #narrow(request: FlowRequest): void {
    const { finalSeats, additionalMs, initialSeats } = request.estimate
    if (finalSeats <= this.#limit) return
    request.estimate = {
      initialSeats,
      finalSeats: this.#limit,
      additionalMs: (finalSeats * additionalMs) / Math.max(this.#limit, 1)
    }
  }

  #demandChanged(now: number): void {
    const { demand, stats } = this.#parts
    const seats = this.seatsInUse + this.#seatsWaiting
    demand.set(seats, now)
    stats.demand.set(seats, now)
  }

  /** Brings the progress up to date. Must come before every change. */
  #advance(): number {
    const now = this.#parts.now()
    if (this.#active > 0) {
      const seats = Math.min(this.#seatsInQueues, this.#limit)
      this.#currentR += (seats / this.#active) * ((now - this.#progressAt) / 1000)
    }
    this.#progressAt = now
    return now
  }

  /** Forgets a queue beyond the configured number when it is empty. */
  #releaseQueue(queue: Queue): void {
    if (queue.isActive || queue.seatsInUse > 0 || queue.index < (this.#queuing?.queues ?? 0)) return
    this.#queues[queue.index] = undefined
    this.#dropExcess()
  }

  #dropExcess(): void {
    const wanted = this.#queuing?.queues ?? 0
    while (this.#queues.length > wanted) {
      const last = this.#queues.at(-1)
      if (last && (last.isActive || last.seatsInUse > 0)) return
      this.#queues.pop()
    }
  }

  /** Refuses a waiting request after so many milliseconds. One timer is for all: it goes off when the first may be due. */
  limitWait(request: FlowRequest, milliseconds: number): void {
    const now = this.#parts.now()
    request.waitsUntil = now + milliseconds
    this.#watchWaiting(request.waitsUntil, now)
  }

  #watchWaiting(until: number, now: number): void {
    if (until === Infinity || (this.#waitTimer && this.#waitTimer.at <= until)) return
    this.#waitTimer?.cancel()
    const timer = this.#parts.clock.setTimeout(() => this.#refuseLate(), Math.max(until - now, 0))
    this.#waitTimer = { at: until, cancel: () => timer.cancel() }
  }

  #refuseLate(): void {
    this.#waitTimer = undefined
    const now = this.#parts.now()
    let next = Infinity
    for (const queue of [...this.#busy])
      for (const request of [...queue.waiting]) {
        if (request.waitsUntil > now) next = Math.min(next, request.waitsUntil)
        else if (this.leave(request)) request.decided?.(false)
      }
    this.#watchWaiting(next, now)
  }
}
