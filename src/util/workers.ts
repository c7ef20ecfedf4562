/** The workers of a queue. */
import type { WorkQueue } from './work-queue.js'

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
  const run = () => {
    while (queue().activeCount < count && !queue().isClosed) {
      const taken = queue().take()
      if (!taken) return
      void work(taken.item, taken.priority).then(() => {
        queue().done(taken.item)
        run()
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
