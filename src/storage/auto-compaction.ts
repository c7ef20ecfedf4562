import { type Clock, systemClock, type Timer } from '../util/clock.js'
import { type Store, StoreUnavailableError } from './contract.js'

/**
 * Options of `openMemoryStore`: when history is forgotten.
 *
 * @example
 * const options: CompactionOptions = { compactionInterval: 60_000 }
 */
export interface CompactionOptions {
  /**
   * Milliseconds between two compactions, which is also the age at which history is forgotten; 0 for never. 5 minutes when left
   * out.
   */
  readonly compactionInterval?: number | undefined
  /** The clock for compactions; the system's when left out. */
  readonly clock?: Clock | undefined
}

/**
 * Compacts the store as kube-apiserver compacts etcd: every interval, to the revision that was current one interval ago. Every
 * revision therefore stays readable for at least one interval.
 */
export const startAutoCompaction = (store: Store, options: CompactionOptions): { stop(): void } => {
  const { compactionInterval = 5 * 60_000, clock = systemClock } = options
  if (compactionInterval <= 0) return { stop: () => {} }
  let timer: Timer
  let previous: number | undefined
  let busy = false
  const round = async (): Promise<void> => {
    timer = clock.setTimeout(round, compactionInterval)
    if (busy) return
    busy = true
    try {
      const current = await store.currentRevision()
      if (previous !== undefined) await store.compact(previous)
      previous = current
    } catch (error) {
      // health() reports the failure; the next round tries again.
      if (!(error instanceof StoreUnavailableError)) throw error
    } finally {
      busy = false
    }
  }
  void round()
  return { stop: () => timer.cancel() }
}
