import { CompactedError, type StoreEvent, type Watcher, type WatchHandle } from './contract.js'
import type { Subscription, WatchHub } from './watch-hub.js'

/** Events of whole commits, in order. `through` is the newest revision that the search for them covered. */
export interface Past {
  readonly events: readonly StoreEvent[]
  readonly through: number
}

/** The history of a store, as far as it is kept. */
export interface History {
  /** The newest visible revision, whose events all watchers of this process have received. */
  readonly revision: number
  readonly compactRevision: number
  /**
   * Returns events of the keys that start with `prefix`, from revision `from` on: as many as fit into one slice of time and
   * bytes.
   */
  events(prefix: string, from: number): Past
}

/**
 * Delivers one step of history, and attaches the subscription to the live events once it has reached the other watchers of this
 * process.
 *
 * All of this happens in one turn, so no event is lost in between. Events newer than `seen` are left to the live ones, even if the
 * store's history has them. So a watcher that has caught up has exactly what a cache over the same store shows at that moment. It may
 * continue with that cache.
 */
export function deliverPast(hub: WatchHub, subscription: Subscription, { events, through }: Past, seen: number): void {
  const isAhead = through > seen
  subscription.deliver(isAhead ? events.filter(event => event.revision <= seen) : events, isAhead ? seen : through)
  if (!subscription.closed && subscription.next > seen) hub.attach(subscription)
}

/** Delivers history in slices and then live events, for stores that can read their history synchronously. */
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
    deliverPast(hub, subscription, history.events(subscription.prefix, subscription.next), history.revision)
  } catch (error) {
    subscription.end(error as Error)
  }
  if (subscription.closed || subscription.attached) return
  const goOn = () => void setImmediate(replay, hub, history, subscription)
  const pause = subscription.pace()
  if (pause) void pause.then(goOn)
  else goOn()
}
