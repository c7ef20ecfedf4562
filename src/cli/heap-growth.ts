import { getHeapStatistics } from 'node:v8'
import { setFlag } from './v8-flags.js'

/** How many bytes of garbage a small heap may contain before it is collected as a whole. */
const leeway = 24 << 20

/**
 * From this many bytes of buffers outside of the heap on, there is no leeway: large answers are on their way, and leave as much
 * garbage.
 */
const manyBuffers = 64 << 20

/** Milliseconds between two checks of the heap. */
const interval = 1000

/**
 * How far the heap may grow before it is collected as a whole, in percent. `heap` and `buffers` are bytes in use.
 *
 * A quarter, instead of V8's several times: most live data are small and old, and former states of objects would otherwise occupy memory
 * for long. But a heap of some 30 MB would be collected every few hundred writes. That took a tenth of their CPU time and stopped
 * requests for 40 ms. So such a heap may grow further.
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
