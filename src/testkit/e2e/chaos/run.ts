/** Runs clients while faults happen, and checks the history of what they saw. */
import { assertLinearizable } from '../../history/linearizability.js'
import type { Operation } from '../../history/operation.js'
import { assertWatches, type WatchedStream } from '../../history/watches.js'
import { endWatches, followObjects, Recorder, type Servers, useObjects } from './clients.js'

const clients = 8
const watchers = 6

export interface ChaosOptions {
  readonly servers: Servers
  /** Makes faults, one after the other, and mends them. `progress` resolves after some more answers. */
  faults(progress: (answers: number) => Promise<void>): Promise<void>
  readonly seed: number
}

export interface ChaosResult {
  readonly operations: number
  readonly unknown: number
  readonly lists: number
  readonly events: number
}

/** Throws when the history is not linearizable, or a watch lost, doubled or reordered events. */
export async function runChaos({ servers, faults, seed }: ChaosOptions): Promise<ChaosResult> {
  const recorder = new Recorder()
  let over = false
  const using = Array.from({ length: clients }, (_, i) => useObjects(`c${i}`, seed * 100 + i, servers, recorder, () => over))
  const following = Array.from({ length: watchers }, (_, i) => followObjects(`w${i}`, seed * 100 + 50 + i, servers, recorder))
  const failed = Promise.race([...using, ...following].map(client => client.then(() => new Promise<never>(() => {}))))
  const progress = async (answers: number) => {
    const enough = recorder.answered + answers
    while (recorder.answered < enough) await Promise.race([failed, new Promise(resolve => setTimeout(resolve, 10))])
  }
  await progress(50)
  try {
    await Promise.race([failed, faults(progress)])
  } finally {
    over = true
  }
  await Promise.all(using)
  await endWatches(servers, recorder)
  await Promise.all(following)
  return checkHistory(recorder)
}

export function checkHistory({ operations, lists, streams }: Recorder): ChaosResult {
  const events = assertWatches({ streams, lists, operations })
  return {
    operations: assertLinearizable(resolved(operations, streams)),
    unknown: operations.filter(({ outcome }) => outcome.kind === 'unknown').length,
    lists: lists.length,
    events
  }
}

/**
 * Removes the writes with an unknown outcome that did not happen, because they would make the search long: no watcher of the
 * whole run saw their value, neither in its events nor in the list that it began with.
 */
function resolved(operations: readonly Operation[], streams: readonly WatchedStream[]): Operation[] {
  const seen = new Set(streams.flatMap(({ start, events }) => [...start.values.values(), ...events.map(({ value }) => value)]))
  const isNeeded = ({ action, outcome }: Operation) =>
    outcome.kind !== 'unknown' || !('value' in action) || seen.has(action.value)
  return operations.filter(isNeeded)
}
