import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of garbage that a small heap may hold before it is collected as a whole. */
const leeway = 24 << 20

/** How often the heap is looked at, in milliseconds. */
const interval = 10_000

/**
 * How far the heap may grow before it is collected as a whole, in percent of the `used` bytes.
 *
 * A quarter, instead of V8's several times: most live data are small and old, and former states of objects would otherwise occupy
 * memory for long. A heap of some 30 MB however would be collected every few hundred writes, which took a sixth of their CPU time
 * and stopped requests for 40 ms, so that the leeway is larger there.
 */
export const growingPercent = (used: number): number => Math.round(Math.max(25, (leeway / used) * 100))

/** Keeps garbage within the bounds of `growingPercent`, from now on until the process ends. */
export function boundGarbage(): void {
  let current = 0
  const adjust = () => {
    const percent = growingPercent(getHeapStatistics().used_heap_size)
    if (percent !== current) setFlagsFromString(`--heap-growing-percent=${percent}`)
    current = percent
  }
  adjust()
  setInterval(adjust, interval).unref()
}
