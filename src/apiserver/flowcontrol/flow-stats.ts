/** What is counted for the requests of one FlowSchema in one priority level. */
import { Distribution } from '../../util/instruments/series.js'

const seconds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30]

export type Refusal = 'queue-full' | 'concurrency-limit' | 'time-out'

export class FlowStats {
  readonly level: string
  readonly schema: string
  dispatched = 0
  executing = 0
  executingSeats = 0
  waiting = 0
  waitingSeats = 0
  noAccommodation = 0
  readonly rejected = new Map<Refusal, number>()
  readonly waited = new Distribution(seconds)
  readonly waitedInVain = new Distribution(seconds)
  readonly executed = new Distribution(seconds)
  readonly watchesInitialized = new Distribution(seconds)
  readonly queueLengths = new Distribution([0, 10, 25, 50, 100, 250, 500, 1000])
  readonly estimatedSeats = new Distribution([1, 2, 4, 8, 16, 32, 64, 100])
  readonly watchCounts = new Distribution([0, 1, 10, 100, 1000, 10000])

  constructor(level: string, schema: string) {
    this.level = level
    this.schema = schema
  }

  reject(why: Refusal): void {
    this.rejected.set(why, (this.rejected.get(why) ?? 0) + 1)
  }
}

/** How many pairs of schema and level are remembered. Schemas come and go, so the number needs a bound. */
const maxStats = 2000

export class AllFlowStats {
  readonly #stats = new Map<string, FlowStats>()

  of(level: string, schema: string): FlowStats {
    const key = `${level}/${schema}`
    let stats = this.#stats.get(key)
    if (stats) return stats
    if (this.#stats.size >= maxStats) this.#stats.delete(this.#stats.keys().next().value!)
    stats = new FlowStats(level, schema)
    this.#stats.set(key, stats)
    return stats
  }

  all(): IterableIterator<FlowStats> {
    return this.#stats.values()
  }
}
