import { getHeapStatistics } from 'node:v8'
import { setFlag } from './v8-flags.js'

/** Bytes of garbage that a small heap may hold before it is collected as a whole. */
const leeway = 24 << 20

/** Bytes of buffers outside of the heap from which on there is no leeway: large answers are on their way, and leave as much garbage. */
const manyBuffers = 64 << 20

/** How often the heap is looked at, in milliseconds. */
const interval = 1000

/**
 * How far the heap may grow before it is collected as a whole, in percent. `heap` and `buffers` are bytes in use.
 *
 * A quarter, instead of V8's several times: most live data are small and old, and former states of objects would otherwise occupy
 * memory for long. A heap of some 30 MB however would be collected every few hundred writes, which took a tenth of their CPU time
 * and stopped requests for 40 ms, so that it may grow further.
 */
export const growingPercent = (heap: number, buffers: number): number =>
  buffers > manyBuffers ? 25 : Math.round(Math.max(25, (leeway / heap) * 100))

/** Keeps garbage within the bounds of `growingPercent`, from now on until the process ends. */
export function boundGarbage(): void {
  let current = 0
  const adjust = () => {
    const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics()
    const percent = growingPercent(heap, buffers)
    if (percent !== current) setFlag('heap-growing-percent', percent, 0)
    current = percent
  }
  adjust()
  setInterval(adjust, interval).unref()
}
