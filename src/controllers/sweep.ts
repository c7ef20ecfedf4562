import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { nextTurn, startSlice } from '../util/turns.js'
import { Controller } from './controller.js'

interface Sweep<T> {
  readonly name: string
  readonly resource: Resource<T>
  /** Milliseconds between two looks. */
  readonly interval: number
  /** Begins a look. Returns what is done with each object; undefined when there is nothing to do this time. */
  begin(): ((object: T) => unknown) | undefined
}

/** Makes a controller that looks at all objects of a resource at the start and again after each interval, in turns with other work. */
export function sweep<T>({ clock, queues }: Services, log: Logger, { name, resource, interval, begin }: Sweep<T>): Part {
  const controller = new Controller({
    name,
    watches: [],
    clock,
    queues,
    log,
    async reconcile(_key, signal) {
      const look = begin()
      if (!look) return interval
      await resource.cache.load()
      let sliceIsOver = startSlice()
      for (const cached of [...resource.cache.range('')]) {
        if (signal.aborted) break
        await look(resource.parse(cached))
        if (!sliceIsOver()) continue
        await nextTurn()
        sliceIsOver = startSlice()
      }
      return interval
    }
  })
  return {
    name,
    async start() {
      await controller.start()
      controller.enqueue('all')
    },
    stop: () => controller.stop()
  }
}
