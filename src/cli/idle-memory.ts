import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { underFlag } from './v8-flags.js'

/** Milliseconds between two checks whether the server is idle. */
const interval = 1000

/** The process counts as idle when it used at most this CPU time in an interval, in milliseconds. */
const idleCpu = 20

/**
 * How many intervals without work pass before memory is given back. V8 shrinks its young generation when little was allocated in
 * five seconds.
 */
export const idleIntervals = 10

/**
 * A heap with more bytes in use is left alone, because collecting it would delay the first request after a pause for too long.
 */
const largeHeap = 64 << 20

/** A young generation with fewer bytes is not worth a collection. */
const largeYoung = 4 << 20

/** Counts intervals in which the process was idle. */
export class IdleTime {
  #cpu: number
  #intervals = 0

  /** `cpu` is the CPU time of the process so far, in milliseconds. */
  constructor(cpu: number) {
    this.#cpu = cpu
  }

  /** Ends an interval; tells whether the process has just become idle, which it does once between two pieces of work. */
  endInterval(cpu: number): boolean {
    this.#intervals = cpu - this.#cpu > idleCpu ? 0 : this.#intervals + 1
    this.#cpu = cpu
    return this.#intervals === idleIntervals
  }
}

/**
 * Gives the young generation's memory, some 15 MB after the work of a start, back to the system when the server has become idle. V8 does so
 * only in a collection of the whole heap, for which an idle process has no reason.
 */
export function shrinkWhenIdle(): void {
  const idle = new IdleTime(cpuTime())
  setInterval(() => {
    if (idle.endInterval(cpuTime()) && isWorthIt()) collectGarbage()
  }, interval).unref()
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function isWorthIt(): boolean {
  if (getHeapStatistics().used_heap_size > largeHeap) return false
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return (young?.physical_space_size ?? 0) > largeYoung
}

/** Collects the whole heap's garbage. Node offers that only to contexts that are made under `--expose-gc`. */
export function collectGarbage(): void {
  const collect = underFlag('expose-gc', () => runInNewContext('gc') as () => void)
  collect()
}
