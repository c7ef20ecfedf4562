import type { WatchHandle } from './contract.js'
import type { CacheEvent } from './event-window.js'
import type { WatchCache } from './watch-cache.js'

/** `current` is undefined for a deletion, `previous` for an object that the follower has not seen before. */
export type FollowedChange = Pick<CacheEvent, 'current' | 'previous'> & {
  /** The revision of a change; undefined for the objects that exist at the beginning. */
  readonly revision?: number
}

export interface Follower {
  /** Called for each existing object, and then for each change, in the turn in which the cache learns of it. */
  changed(change: FollowedChange): void
  /** Called after the changes of one commit. */
  settled?(): void
}

/**
 * Follows a loaded cache until the handle is closed. A cache that loses its store reads everything again and then delivers the
 * differences to its watchers, so a follower need not handle the loss.
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
