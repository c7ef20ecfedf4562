import type { WatchHandle } from './contract.js'
import type { CacheEvent } from './event-window.js'
import type { WatchCache } from './watch-cache.js'

/** `current` is undefined for a deletion, `previous` for an object that is new to the follower. */
export type FollowedChange = Pick<CacheEvent, 'current' | 'previous'> & {
  /** The revision of a change; undefined for the objects that are there at the beginning. */
  readonly revision?: number
}

export interface Follower {
  /** Called for each object that is there, and for each change from then on, in the turn in which the cache learns of it. */
  changed(change: FollowedChange): void
  /** Called after the changes of one commit. */
  settled?(): void
}

/**
 * Follows a cache that has been loaded, until the handle is closed. A cache that loses its store reads everything anew and then
 * tells its watchers the differences, so a follower has nothing to do for that.
 */
export function follow(cache: WatchCache, { changed, settled }: Follower): WatchHandle {
  const handle = cache.watch(
    {},
    {
      onEvents(events) {
        for (const event of events) changed(event)
        settled?.()
      },
      onError() {}
    }
  )
  for (const current of cache.range('')) changed({ current, previous: undefined })
  return handle
}
