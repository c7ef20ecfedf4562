/**
 * How V8 compiles, for a server that runs much code a little rather than little code much: of the CPU time of its first ten
 * thousand writes a third went into compiling. Code becomes worth optimizing somewhat earlier, and is optimized function by
 * function instead of with all that it calls, which takes less time and gives nearly the same speed.
 *
 * What V8 wants to know before it starts stands in the first line of main.ts: one thread beside the main one, as more of them
 * only get into each other's way on small machines, and a young generation in which most garbage dies.
 */
import { setFlagsFromString } from 'node:v8'

/** Node 20 has V8 11. From V8 12 on, calls are counted in place of bytes, and V8 complains about the flag on stderr. */
const countsBytes = Number.parseInt(process.versions.v8, 10) < 12

if (countsBytes) setFlagsFromString('--interrupt-budget=40000')
setFlagsFromString('--max-inlined-bytecode-size-cumulative=100')
