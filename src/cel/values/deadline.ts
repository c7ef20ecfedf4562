/**
 * The end of an evaluation's time, for the loops that cost nothing in cel-go's terms: a small tower of variables compares for hours.
 * Evaluation never waits, so there is one at a time, or one within another.
 */

/** Evaluation breaks off where cel-go panics, and says so. */
export class EvaluationPanic extends Error {}

let deadline = Number.POSITIVE_INFINITY
let ticks = 0

export function withDeadline<T>(end: number, evaluate: () => T): T {
  const before = deadline
  // what is evaluated within another evaluation has no more time than that
  deadline = Math.min(before, end)
  try {
    return evaluate()
  } finally {
    deadline = before
  }
}

/** To be called for each element that a loop looks at. The clock is asked now and then. */
export function tick(): void {
  if ((++ticks & 1023) === 0 && performance.now() > deadline) throw new EvaluationPanic('operation interrupted')
}
