import { setFlag } from './v8-flags.js'

/**
 * Whether V8's budget counts bytes. Node 20 has V8 11; from V8 12 on, the budget counts calls, and V8 complains about the flag on
 * stderr.
 */
const countsBytes = Number.parseInt(process.versions.v8, 10) < 12

/**
 * Tunes V8's compilers for a server that runs much code a few times rather than a little code many times: a third of the CPU time of its
 * first ten thousand writes went into compiling. Code is optimized somewhat earlier, and each function without its callees. That takes
 * less time and yields nearly the same speed.
 *
 * Options that V8 needs before it starts are in the first line of main.ts: one worker thread, because more threads slow each
 * other down on small machines, and a young generation large enough for most garbage to die in it.
 */
export function tuneCompilers(): void {
  if (countsBytes) setFlag('interrupt-budget', 40_000, 67_584)
  setFlag('max-inlined-bytecode-size-cumulative', 100, 920)
}
