/** The workers of a queue. */
import type { WorkQueue } from './work-queue.js'

/** So many items may end one after the other: then everything else that waits for the event loop has its turn. Work that waits for nothing, and comes again at once, would keep it for ever. */
const mostInARow = 100

/**
 * Returns the `ready` of a work queue whose items go to `work`, `count` at a time. What is added in one turn begins together, after it. `work`
 * must not reject.
 */
export function workersOf(
  queue: () => WorkQueue,
  count: number,
  work: (item: string, priority: number) => Promise<void>
): () => void {
  let isWoken = false
  let inARow = 0
  let rests = false
  const run = () => {
    while (!rests && queue().activeCount < count && !queue().isClosed) {
      const taken = queue().take()
      if (!taken) return
      void work(taken.item, taken.priority).then(() => {
        queue().done(taken.item)
        if (++inARow < mostInARow) return run()
        if (rests) return
        rests = true
        setImmediate(() => {
          rests = false
          inARow = 0
          run()
        })
      })
    }
  }
  return () => {
    if (isWoken) return
    isWoken = true
    queueMicrotask(() => {
      isWoken = false
      run()
    })
  }
}
