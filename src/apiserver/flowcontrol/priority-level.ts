/** A priority level in effect: its seats, its queues, and its demand. */
import type { PriorityLevelConfigurationSpec } from '../../apimachinery/api/generated/flowcontrol-v1.js'
import { LevelStats } from './level-stats.js'
import { QueueSet, type QueueSetParts, type Queuing } from './queue-set.js'
import { SeatDemand } from './seat-demand.js'

/** The part of a level's seats that a list, or the watchers of a write, may take at most. */
const largestPart = 0.15

/** The object of a level, with defaults. */
export interface LevelObject {
  readonly name: string
  readonly uid: string
  readonly spec: PriorityLevelConfigurationSpec
}

export class PriorityLevel {
  readonly name: string
  uid: string
  spec: PriorityLevelConfigurationSpec
  /** Whether its object is gone, and only its last requests are served. */
  quiescing = false
  /** The seats by configuration, the least and the most that lending and borrowing leave to it, and its present ones. */
  nominal = 0
  least = 0
  most = 0
  current = 0
  /** The seats that it should have had at the last adjustment. */
  target = 0
  /** The seats that one request may take by its estimate; 0 when the level does not limit them. */
  maxSeats = 0
  readonly stats: LevelStats
  readonly demand: SeatDemand
  readonly queues: QueueSet
  #isNew = true

  constructor({ name, uid, spec }: LevelObject, parts: Pick<QueueSetParts, 'now' | 'clock' | 'pace'>) {
    this.name = name
    this.uid = uid
    this.spec = spec
    const now = parts.now()
    this.stats = new LevelStats(now)
    this.demand = new SeatDemand(now)
    this.queues = new QueueSet({ ...parts, stats: this.stats, demand: this.demand }, this.isExempt)
  }

  get isExempt(): boolean {
    return this.spec.type === 'Exempt'
  }

  get queuing(): Queuing | undefined {
    return this.spec.limited?.limitResponse.queuing
  }

  get shares(): number {
    const { limited, exempt } = this.spec
    return (limited ? limited.nominalConcurrencyShares : exempt?.nominalConcurrencyShares) ?? 0
  }

  /** Sets the level's part of the server's seats. */
  share(serverSeats: number, allShares: number): void {
    const { limited, exempt } = this.spec
    const seats = allShares > 0 ? Math.ceil((serverSeats * this.shares) / allShares) : 0
    const percentOf = (percent: number) => Math.round((seats * percent) / 100)
    const lendable = percentOf((limited ?? exempt)?.lendablePercent ?? 0)
    const borrowing = limited?.borrowingLimitPercent
    this.nominal = seats
    this.least = seats - lendable
    this.most = seats + (borrowing === undefined ? serverSeats : percentOf(borrowing))
    const { queuing } = this
    if (queuing) {
      this.maxSeats = Math.max(1, Math.min(Math.ceil(seats * largestPart), Math.trunc(seats / queuing.handSize)))
    }
    if (this.#isNew) this.current = seats - Math.trunc(lendable / 2)
    this.#isNew = false
    this.queues.weight = Math.max(seats, 1)
  }

  /** Sets the seats that the level has until the next adjustment. */
  limit(seats: number, serverSeats: number): void {
    this.current = seats
    const denominator = seats > 0 ? seats : Math.max(1, Math.round(serverSeats / 10))
    this.queues.configure(this.queuing, seats, denominator)
  }
}

/** Whether a level's object is consistent. One that is not, which validation does not allow, counts as missing. */
export function isSound({ name, spec: { type, limited, exempt } }: LevelObject): boolean {
  if ((type === 'Limited') !== (limited !== undefined) || (type === 'Exempt') !== (exempt !== undefined)) return false
  if ((type === 'Exempt') !== (name === 'exempt')) return false
  return !limited || (limited.limitResponse.type === 'Reject') === (limited.limitResponse.queuing === undefined)
}
