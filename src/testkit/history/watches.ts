/**
 * Checks what watchers and lists saw of one collection: nothing lost, nothing twice, in the order of resourceVersions, and only
 * objects that somebody wrote.
 */
import type { Operation } from './operation.js'

export interface WatchedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly key: string
  readonly value: string
  readonly resourceVersion: number
}

/** The whole collection at one resourceVersion. */
export interface Snapshot {
  readonly resourceVersion: number
  readonly values: ReadonlyMap<string, string>
}

/** What one watcher saw, also over several connections: the events after the snapshot. */
export interface WatchedStream {
  readonly watcher: string
  readonly start: Snapshot
  readonly events: readonly WatchedEvent[]
}

export interface Observations {
  readonly streams: readonly WatchedStream[]
  readonly lists: readonly Snapshot[]
  readonly operations: readonly Operation[]
}

const describe = ({ type, key, value, resourceVersion }: WatchedEvent) => `${type} ${key} ${value} at ${resourceVersion}`

/** Throws an error that names the first observation that cannot be. Returns the number of events checked. */
export function assertWatches({ streams, lists, operations }: Observations): number {
  const written = writtenValues(operations)
  for (const stream of streams) for (const event of stream.events) assertWritten(written, stream.watcher, event)
  for (const stream of streams) assertOrder(stream)
  const log = mergedLog(streams)
  for (const stream of streams) assertNothingLost(stream, log, operations)
  const snapshots = [...lists, ...streams.map(({ start }) => start)]
  assertSnapshots(snapshots, log, streams)
  return streams.reduce((sum, { events }) => sum + events.length, 0)
}

/** Returns the resourceVersion of each value that a client tried to write, by key and value; undefined while it is unknown. */
function writtenValues(operations: readonly Operation[]): Map<string, number | undefined> {
  const written = new Map<string, number | undefined>()
  for (const { key, action, outcome } of operations) {
    if (!('value' in action)) continue
    if (outcome.kind === 'done') written.set(`${key} ${action.value}`, outcome.resourceVersion)
    else if (outcome.kind === 'unknown') written.set(`${key} ${action.value}`, undefined)
  }
  return written
}

function assertWritten(written: ReadonlyMap<string, number | undefined>, watcher: string, event: WatchedEvent): void {
  const name = `${event.key} ${event.value}`
  if (!written.has(name)) throw new Error(`${watcher} saw what nobody wrote: ${describe(event)}`)
  const version = written.get(name)
  if (event.type !== 'DELETED' && version !== undefined && version !== event.resourceVersion)
    throw new Error(`${watcher} saw ${describe(event)}, which was written at ${version}`)
}

function assertOrder({ watcher, start, events }: WatchedStream): void {
  const known = new Map(start.values)
  let last = start.resourceVersion
  for (const event of events) {
    const { type, key, value, resourceVersion } = event
    if (resourceVersion === last) throw new Error(`${watcher} saw an event twice: ${describe(event)}`)
    if (resourceVersion < last) throw new Error(`${watcher} saw ${describe(event)} after ${last}`)
    if (known.has(key) !== (type !== 'ADDED'))
      throw new Error(`${watcher} saw ${describe(event)} when the object was ${known.get(key) ?? 'absent'}`)
    if (type === 'DELETED' && known.get(key) !== value)
      throw new Error(`${watcher} saw ${describe(event)} when the object was ${known.get(key)}`)
    if (type === 'DELETED') known.delete(key)
    else known.set(key, value)
    last = resourceVersion
  }
}

/**
 * Returns all events that any watcher saw, by resourceVersion. Throws when two watchers saw different ones at the same version.
 */
function mergedLog(streams: readonly WatchedStream[]): WatchedEvent[] {
  const log = new Map<number, WatchedEvent>()
  for (const { watcher, events } of streams) {
    for (const event of events) {
      const other = log.get(event.resourceVersion)
      if (other && describe(other) !== describe(event))
        throw new Error(`${watcher} saw ${describe(event)}, another watcher ${describe(other)}`)
      log.set(event.resourceVersion, event)
    }
  }
  return [...log.values()].sort((a, b) => a.resourceVersion - b.resourceVersion)
}

/**
 * Throws unless a stream has, from its start to its last event, every event that another watcher saw and every acknowledged
 * write.
 */
function assertNothingLost(
  { watcher, start, events }: WatchedStream,
  log: readonly WatchedEvent[],
  operations: readonly Operation[]
) {
  const through = events.at(-1)?.resourceVersion ?? start.resourceVersion
  const isWithin = (version: number) => version > start.resourceVersion && version <= through
  const seen = new Set(events.map(({ resourceVersion }) => resourceVersion))
  for (const event of log)
    if (isWithin(event.resourceVersion) && !seen.has(event.resourceVersion))
      throw new Error(`${watcher} lost ${describe(event)}, which another watcher saw`)
  for (const { key, action, outcome } of operations) {
    if (!('value' in action) || outcome.kind !== 'done' || outcome.resourceVersion === undefined) continue
    if (isWithin(outcome.resourceVersion) && !seen.has(outcome.resourceVersion))
      throw new Error(`${watcher} lost ${key} ${action.value}, which was acknowledged at ${outcome.resourceVersion}`)
  }
}

/** Throws unless each list shows what the events up to its resourceVersion add up to, as far as there are events. */
function assertSnapshots(snapshots: readonly Snapshot[], log: readonly WatchedEvent[], streams: readonly WatchedStream[]): void {
  const first = streams.toSorted((a, b) => a.start.resourceVersion - b.start.resourceVersion)[0]
  if (!first) return
  const through = Math.max(first.start.resourceVersion, log.at(-1)?.resourceVersion ?? 0)
  const known = new Map(first.start.values)
  let next = 0
  for (const { resourceVersion, values } of snapshots.toSorted((a, b) => a.resourceVersion - b.resourceVersion)) {
    if (resourceVersion < first.start.resourceVersion || resourceVersion > through) continue
    for (; next < log.length && log[next]!.resourceVersion <= resourceVersion; next++) {
      const { type, key, value } = log[next]!
      if (type === 'DELETED') known.delete(key)
      else known.set(key, value)
    }
    const show = (of: ReadonlyMap<string, string>) =>
      [...of]
        .map(([key, value]) => `${key}=${value}`)
        .sort()
        .join(' ')
    if (show(values) !== show(known))
      throw new Error(`a list at ${resourceVersion} showed ${show(values)}, the events say ${show(known)}`)
  }
}
