import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CachedObject } from './cached-object.js'
import type { CacheEvent, CacheWatcher } from './event-window.js'
import { follow } from './follow.js'
import type { WatchCache } from './watch-cache.js'

it('a follower gets the existing objects and each change, and continues after the cache loses its store', () => {
  const object = (name: string, revision: number) => ({ name, revision }) as CachedObject
  let watcher: CacheWatcher | undefined
  const cache = {
    range: () => [object('a', 1)],
    watch(_: object, given: CacheWatcher) {
      watcher = given
      return { close: () => void (watcher = undefined) }
    }
  } as unknown as WatchCache
  const seen: unknown[] = []
  const handle = follow(cache, {
    changed: ({ current, previous, revision }) => seen.push([previous?.revision, current?.revision, revision]),
    settled: () => seen.push('settled')
  })
  watcher!.onEvents([{ current: object('a', 2), previous: object('a', 1), revision: 2 } as CacheEvent])
  watcher!.onError(new Error('the store was lost'))
  watcher!.onEvents([{ current: undefined, previous: object('a', 2), revision: 3 } as CacheEvent])
  assert.deepEqual(seen, [[undefined, 1, undefined], [1, 2, 2], 'settled', [2, undefined, 3], 'settled'])
  handle.close()
  assert.equal(watcher, undefined)
})
