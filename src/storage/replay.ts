import { CompactedError, type StoreEvent, type Watcher, type WatchHandle } from './contract.js'
import type { Subscription, WatchHub } from './watch-hub.js'

/** The past of a store, as far as it is kept. */
export interface History {
  /** The newest revision that anyone may see. */
  readonly revision: number
  readonly compactRevision: number
  /**
   * Events of the keys that start with `prefix`, of whole commits, from revision `from` on: as many as fit into one slice of
   * time. `through` is the newest revision looked at.
   */
  events(prefix: string, from: number): { readonly events: readonly StoreEvent[]; readonly through: number }
}

/**
 * Delivers history in slices and then joins the live events. Both happen on one thread: the step that finds nothing newer
 * also attaches, so nothing falls between, and the subscription knows the next revision it lacks, so nothing comes twice.
 */
export const watchFrom = (hub: WatchHub, history: History, prefix: string, from: number, watcher: Watcher): WatchHandle => {
  if (from < history.compactRevision) throw new CompactedError(history.compactRevision)
  const subscription = hub.subscribe(prefix, from, watcher)
  if (from > history.revision) hub.attach(subscription)
  else setImmediate(replay, hub, history, subscription)
  return subscription
}

const replay = (hub: WatchHub, history: History, subscription: Subscription): void => {
  if (subscription.closed) return
  if (subscription.next < history.compactRevision) {
    subscription.end(new CompactedError(history.compactRevision))
    return
  }
  try {
    const { events, through } = history.events(subscription.prefix, subscription.next)
    subscription.deliver(events, through)
  } catch (error) {
    subscription.end(error as Error)
  }
  if (subscription.closed) return
  if (subscription.next > history.revision) hub.attach(subscription)
  else setImmediate(replay, hub, history, subscription)
}
